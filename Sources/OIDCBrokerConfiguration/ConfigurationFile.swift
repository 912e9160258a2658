// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// A reader of the files that a configuration names.
package enum ConfigurationFile {
    /// What is at a path.
    package enum State: Sendable, Hashable {
        /// There is nothing, or a link that leads nowhere.
        case absent
        /// There is a directory.
        case directory
        /// There is a file that cannot be read or is too long, or something that is neither a file nor a directory.
        case unreadable
        /// There is a regular file with these contents.
        case file([UInt8])
    }

    /// The maximum size of a file: 1 MiB.
    package static let maximumBytes = 1 << 20

    /// Returns the contents of a file; `nil` if it does not exist, cannot be read, is not a regular file, or is too
    /// long.
    package static func contents(atPath path: String) -> [UInt8]? { try? read(atPath: path) }

    /// Returns what is at a path. Symbolic links are followed. It blocks for as long as the disk takes.
    package static func state(atPath path: String) -> State {
        do throws(ConfigurationFileError) {
            return .file(try read(atPath: path))
        } catch {
            switch error {
            case .directory: return .directory
            case .invalidPath, .system(errorNumber: ENOENT), .system(errorNumber: ENOTDIR): return .absent
            case .notRegular, .tooLong, .system: return .unreadable
            }
        }
    }

    /// Returns the contents of a file. Symbolic links are followed. It blocks for as long as the disk takes.
    package static func read(atPath path: String) throws(ConfigurationFileError) -> [UInt8] {
        // The system would take the part before a NUL for the path.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidPath }
        // Without O_NONBLOCK, opening a pipe waits for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(errorNumber: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errorNumber: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw .directory
        case S_IFREG: return try contents(of: descriptor)
        default: throw .notRegular
        }
    }

    /// Reads up to the end; `nil` if that fails or is beyond the maximum size.
    package static func read(from descriptor: CInt) -> [UInt8]? { try? contents(of: descriptor) }

    private static func contents(of descriptor: CInt) throws(ConfigurationFileError) -> [UInt8] {
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while contents.count <= maximumBytes {
            let count = chunk.withUnsafeMutableBytes { readOnce(descriptor, into: $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errorNumber: errno) }
            if count == 0 { return contents }
            contents += chunk.prefix(count)
        }
        throw .tooLong
    }

    /// Returns an error if the permissions of a file with a secret are too wide; `nil` if they are not or the file does
    /// not exist.
    ///
    /// The owner may have every permission and the group may read, which is how secrets are mounted into containers. A
    /// symbolic link is followed.
    package static func exposure(ofSecretFileAtPath path: String, key: String) -> ConfigurationError? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o027 != 0 else { return nil }
        let mode = String(status.st_mode & 0o777, radix: 8)
        return ConfigurationError(
            key: key, expected: "a file that others can neither read nor write; '\(path)' has the mode \(mode)")
    }
}

/// Calls `read(2)`, which has the name of functions above.
private func readOnce(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
