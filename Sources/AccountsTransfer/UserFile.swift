// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of users, read or written piece by piece.
package final class UserFile {
    /// An error of the system, for an operator.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was tried, and what the system says.
        package let description: String

        init(_ what: String) {
            description = "\(what): \(String(cString: strerror(errno)))"
        }
    }

    private static let chunk = 262_144
    private let path: String
    private let descriptor: Int32

    /// Opens a file for reading.
    package init(reading path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("The file of users cannot be read") }
    }

    /// Returns the length of a file that can be read, in bytes, without opening it: it may be a pipe.
    package static func byteCount(of path: String) throws(Failure) -> Int {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
            throw Failure("The file of users cannot be read")
        }
        return Int(status.st_size)
    }

    /// Makes a file that only its owner can read, which must not exist.
    package init(making path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("The file of users cannot be created") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the next bytes; none at the end.
    package func next() throws(Failure) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
            repeat { count = read(descriptor, buffer.baseAddress, Self.chunk) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        guard count >= 0 else { throw Failure("The file of users cannot be read") }
        return bytes
    }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Failure("The file of users cannot be written") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Has what was written on the disk.
    package func finish() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw Failure("The file of users cannot be written") }
    }

    /// Removes the file, which is not complete.
    package func remove() { unlink(path) }
}
