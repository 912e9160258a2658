// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is open for appending.
struct AppendedFile: Sendable {
    /// The permissions of a file that is made: those of its group may read it.
    static let mode: mode_t = 0o640

    /// The descriptor.
    let descriptor: Int32
    /// Whether the file ends in a part of a line: the disk was full, or the machine stopped.
    let isTorn: Bool

    /// Opens a file, or makes it if there is none.
    ///
    /// Symbolic links are followed: the path is the operator's, and logs are often kept elsewhere by a link. Anything that
    /// can be appended to may stand there, but opening never waits: a named pipe must have its reader.
    /// - Parameter mode: The permissions of a file that is made, whatever the process's file mode creation mask is. One
    ///   that exists keeps its own.
    init(path: String, mode: mode_t = AppendedFile.mode) throws(LogFailure) {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var isMade = true
        var found = Self.uninterrupted { open(path, flags | O_CREAT | O_EXCL, mode) }
        if found < 0, errno == EEXIST {
            isMade = false
            found = Self.uninterrupted { open(path, flags) }
            if found < 0, errno == ENOENT {
                // A link to a file that does not exist.
                isMade = true
                found = Self.uninterrupted { open(path, flags | O_CREAT, mode) }
            }
        }
        guard found >= 0 else { throw LogFailure("open", errno) }
        if isMade { _ = fchmod(found, mode) }
        // Only opening must not wait. It has no meaning for a file.
        let current = fcntl(found, F_GETFL)
        if current >= 0 { _ = fcntl(found, F_SETFL, current & ~O_NONBLOCK) }
        descriptor = found
        isTorn = !isMade && Self.isTorn(path, found)
    }

    /// Returns why the user of this process could not open or make a file at a path; `nil` if it could, as far as
    /// permissions say. Nothing is opened, and no file is made.
    static func failure(atPath path: String) -> LogFailure? {
        if access(path, W_OK) == 0 {
            var status = stat()
            let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            return isDirectory ? LogFailure("open", EISDIR) : nil
        }
        guard errno == ENOENT else { return LogFailure("open", errno) }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "."
        return access(String(folder), W_OK | X_OK) == 0 ? nil : LogFailure("open", errno)
    }

    /// Closes the file. Call this once.
    func end() { _ = close(descriptor) }

    /// Whether the file still has a name: what is appended to one without a name is lost.
    var hasName: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink > 0
    }

    /// Whether another file stands at the path.
    func isReplaced(at path: String) -> Bool {
        var own = stat()
        var other = stat()
        guard fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return false }
        return own.st_dev != other.st_dev || own.st_ino != other.st_ino
    }

    /// The descriptor for appending cannot read.
    private static func isTorn(_ path: String, _ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return false
        }
        let reader = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard reader >= 0 else { return false }
        defer { close(reader) }
        var last = UInt8(ascii: "\n")
        return pread(reader, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    /// Repeats a call while signals interrupt it.
    private static func uninterrupted(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
