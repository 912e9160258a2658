// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a ``LogQueue`` writes to, on one thread. Writing may block for any time.
package protocol LogOutput: Sendable {
    /// The maximum number of bytes that are written at once, if they are of several lines. 0: each line for itself.
    var batchBytes: Int { get }

    /// Writes lines. Each ends in a line feed. What cannot be written is given up.
    func write(_ lines: LineBatch) -> LogWriteResult
}

/// What became of lines that were written.
package struct LogWriteResult: Sendable, Hashable {
    /// How many were written as a whole, from the first one on.
    package var written: Int
    /// What failed; `nil` if nothing did.
    package var failure: LogFailure?

    /// Creates a result.
    package init(written: Int, failure: LogFailure? = nil) {
        self.written = written
        self.failure = failure
    }
}

/// A call of the system that failed while a log was opened or written.
package struct LogFailure: Error, Hashable, CustomStringConvertible {
    /// The name of the call, such as `write`.
    package let call: String
    /// The error number, such as `ENOSPC`.
    package let number: Int32

    /// Creates a failure.
    package init(_ call: String, _ number: Int32) {
        self.call = call
        self.number = number
    }

    /// The system's words for the error.
    package var reason: String { strerror(number).map { String(cString: $0) } ?? "unknown error" }

    /// The call and the system's words for the error.
    package var description: String { "\(call): \(reason) (errno: \(number))" }
}
