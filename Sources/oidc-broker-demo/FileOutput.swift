// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Unbuffered output to standard output and to files, so that the demo's messages appear at once even in a pipe.
enum FileOutput {
    /// Writes one line to standard output. A closed pipe is not an error.
    static func line(_ text: String) {
        _ = write(Array((text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Replaces a file atomically, so that no other process reads a partial one.
    ///
    /// - Parameters:
    ///   - contents: The complete content.
    ///   - path: The path of the file.
    ///   - mode: The permissions of the file, such as `0o600`.
    /// - Throws: ``DemoError``.
    static func replaceFile(_ contents: String, at path: String, mode: mode_t) throws(DemoError) {
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, errorNumber: errno) }
        let isWritten = write(Array(contents.utf8), to: descriptor)
        guard close(descriptor) == 0, isWritten, rename(draft, path) == 0 else {
            let number = errno
            unlink(draft)
            throw .cannotWrite(path: path, errorNumber: number)
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeOnce($0, to: descriptor) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// Calls `write(2)`, which has the name of a function above.
private func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
