// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Synchronization

/// A descriptor that another part opened and closes, such as standard error.
package final class DescriptorOutput: LogOutput {
    /// The bytes that Linux writes into a pipe in one piece (`PIPE_BUF`): lines of the audit or of another process do not
    /// come between.
    private static let pieceOfPipe = 4_096

    /// Standard error, some lines at a time.
    package static let standardError = DescriptorOutput(STDERR_FILENO, batchBytes: pieceOfPipe)
    /// Standard output, each line for itself.
    package static let standardOutput = DescriptorOutput(STDOUT_FILENO, batchBytes: 0)

    package let batchBytes: Int
    private let descriptor: Int32
    private let patience: Int32
    // Only the thread of the queue takes it.
    private let appender = Mutex(LineAppender())

    /// - Parameters:
    ///   - batchBytes: The maximum number of bytes that are written at once, if they are of several lines.
    ///   - patience: The time that a descriptor which does not block is waited for, in milliseconds.
    init(_ descriptor: Int32, batchBytes: Int, patience: Int32 = DescriptorWrite.patience) {
        self.descriptor = descriptor
        self.batchBytes = batchBytes
        self.patience = patience
    }

    package func write(_ lines: LineBatch) -> LogWriteResult {
        appender.withLock { appender in
            appender.append(lines) { DescriptorWrite.some(of: $0, to: descriptor, patience: patience) }
        }
    }
}
