// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

import OIDCBrokerConfiguration
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// A reader of the files of a secrets directory. What is no regular file is not even opened: to open a pipe may wait
/// for its writer, and to open a device may have effects.
enum SecretFile {
    /// What is at a path.
    enum State: Sendable, Hashable {
        /// There is nothing.
        case absent
        /// There is something else than a regular file, such as a symbolic link, a directory, a pipe, a socket or a
        /// device.
        case notRegular
        /// There is a file of more than ``SecretFile/maximumBytes``.
        case tooLong
        /// There is a file that cannot be read.
        case unreadable
        /// There is a regular file with these contents.
        case contents([UInt8])
    }

    /// The maximum size of a file: 64 KB.
    static let maximumBytes = 65_536

    /// Returns what is at a path. Symbolic links on the way to the last component are followed. It blocks for as long
    /// as the disk takes.
    static func state(atPath path: String) -> State {
        var status = stat()
        guard lstat(path, &status) == 0 else { return absentOrUnreadable }
        guard status.st_mode & S_IFMT == S_IFREG else { return .notRegular }
        // Something else may have taken its place by now.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return absentOrUnreadable }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0 else { return .unreadable }
        guard status.st_mode & S_IFMT == S_IFREG else { return .notRegular }
        guard status.st_size <= maximumBytes else { return .tooLong }
        guard let contents = ConfigurationFile.read(from: descriptor) else { return .unreadable }
        // It may have grown.
        return contents.count <= maximumBytes ? .contents(contents) : .tooLong
    }

    private static var absentOrUnreadable: State { errno == ENOENT ? .absent : .unreadable }
}
