// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock that one process at a time has, on an empty file of its own. It ends with this object, or with the process.
///
/// The file stays: if it was removed, two processes could lock two files of the same name.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, without waiting for it.
    /// - Parameters:
    ///   - path: The path of the file, which is made if there is none. It is not a symbolic link: through one, a user
    ///     with access to the directory could make root open any other file.
    ///   - access: The access of the file that the lock is for, whose owner gets the lock file if root makes it: that
    ///     one could not open it otherwise.
    /// - Throws: ``KeyFileError/busy`` if another process has the lock, or ``KeyFileError/cannotWrite(errorNumber:)``.
    init(_ path: String, access: DurableFile.Access) throws(KeyFileError) {
        var opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if opened >= 0 {
            // It fails for all users but root, who alone needs it.
            _ = fchown(opened, access.owner, access.group)
        } else if errno == EEXIST {
            opened = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        }
        guard opened >= 0 else { throw .cannotWrite(errorNumber: errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(opened)
            throw number == EWOULDBLOCK ? KeyFileError.busy : KeyFileError.cannotWrite(errorNumber: number)
        }
        descriptor = opened
    }

    deinit {
        // Closing does not unlock as long as a process that was just started has the descriptor too.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
