// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file of a Unix domain socket that this process has bound. Only the owner and the group of the process may
/// connect to it.
struct UnixSocketFile: Sendable {
    /// The reason why a socket cannot be bound.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// There is another kind of file at the path.
        case isOtherFile
        /// A process listens at the path.
        case isInUse
        /// The path is longer than `sun_path`.
        case isTooLong
        /// A call of the system failed.
        case system(call: String, code: Int32)

        var description: String {
            switch self {
            case .isOtherFile: "the file exists, and is not a socket"
            case .isInUse: "another process listens there"
            case .isTooLong: "the path is too long"
            case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
            }
        }
    }

    /// The mode of the file.
    static let mode: mode_t = 0o660

    /// The path.
    let path: String
    private let device: UInt64
    private let inode: UInt64

    /// Binds a socket to a path. A leftover socket without a listener is replaced. It does not listen yet, so that no
    /// client connects before the file has its mode.
    /// - Returns: The file, and the descriptor of the socket, which is the caller's to close.
    /// - Throws: ``Failure``.
    static func make(at path: String) throws(Failure) -> (file: UnixSocketFile, descriptor: Int32) {
        try removeStale(at: path)
        let descriptor = try streamSocket()
        do throws(Failure) {
            let code = try withAddress(of: path) { bind(descriptor, $0, $1) }
            guard code == 0 else { throw .system(call: "bind", code: code) }
            // The mode that a new file gets depends on the mask of the process.
            try check("chmod", chmod(path, mode))
            guard let found = try status(of: path) else { throw .system(call: "lstat", code: ENOENT) }
            let file = UnixSocketFile(
                path: path, device: UInt64(truncatingIfNeeded: found.st_dev),
                inode: UInt64(truncatingIfNeeded: found.st_ino))
            return (file, descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Sets how many connections may wait to be accepted, of a socket that listens: NIO listens with its own default on a
    /// descriptor that it is given.
    static func setBacklog(_ backlog: Int32, of descriptor: Int32) {
        // Where it cannot be changed, the socket listens as before.
        _ = listen(descriptor, backlog)
    }

    /// Removes the file, unless another one has taken its place. To be called while the socket is open: only until then
    /// no other file can have its inode.
    func remove() {
        guard let found = try? Self.status(of: path), UInt64(truncatingIfNeeded: found.st_dev) == device,
            UInt64(truncatingIfNeeded: found.st_ino) == inode
        else { return }
        unlink(path)
    }

    /// Removes a socket that a process left behind.
    private static func removeStale(at path: String) throws(Failure) {
        guard let found = try status(of: path) else { return }
        guard found.st_mode & 0o170000 == 0o140000 else { throw .isOtherFile }
        let descriptor = try streamSocket()
        defer { close(descriptor) }
        // A listener with a full backlog would otherwise make this wait.
        try check("fcntl", fcntl(descriptor, F_SETFL, O_NONBLOCK))
        let code = try withAddress(of: path) { connect(descriptor, $0, $1) }
        switch code {
        // Another process may have removed it meanwhile.
        case ECONNREFUSED, ENOENT: unlink(path)
        // A backlog that is full is one of a process that listens.
        case 0, EAGAIN, EINPROGRESS: throw .isInUse
        default: throw .system(call: "connect", code: code)
        }
    }

    private static func status(of path: String) throws(Failure) -> stat? {
        var found = stat()
        guard lstat(path, &found) != 0 else { return found }
        let code = errno
        guard code == ENOENT else { throw .system(call: "lstat", code: code) }
        return nil
    }

    private static func streamSocket() throws(Failure) -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        try check("socket", descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func check(_ call: String, _ result: Int32) throws(Failure) {
        let code = errno
        if result < 0 { throw .system(call: call, code: code) }
    }

    /// Calls the system with the address of a path.
    /// - Returns: 0, or the code of the error.
    private static func withAddress(
        of path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte stays the terminator.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .isTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
    }
}
