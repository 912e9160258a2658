// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Messages for the user who started the process.
enum StandardError {
    /// Writes one line.
    static func write(_ line: String, terminator: String = "\n") {
        var rest = Array("\(line)\(terminator)".utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite($0) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    private static func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Darwin)
            Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }
}
