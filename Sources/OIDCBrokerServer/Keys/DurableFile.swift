// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that are complete on the disk before they appear under their name.
package enum DurableFile {
    /// The permissions and the owner of a file.
    struct Access: Sendable, Hashable {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t

        /// Creates the access for a file that replaces an opened one: as that one had it, but nothing for others and
        /// nothing but reading for the group.
        fileprivate init(of descriptor: CInt) throws(KeyFileError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
            // Without that permission the server may not be able to read the new file.
            guard status.st_mode & 0o007 == 0 else { throw .usableByOthers }
            mode = status.st_mode & 0o640
            owner = status.st_uid
            group = status.st_gid
        }
    }

    /// Reads a file, which no symbolic link is, with its access. Both are those of one and the same file: a user who
    /// may replace it meanwhile gets no copy of another one.
    static func read(_ path: String) throws(KeyFileError) -> (contents: [UInt8], access: Access) {
        // Without O_NONBLOCK, opening a pipe waits for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        let access = try Access(of: descriptor)
        guard let contents = ConfigurationFile.read(from: descriptor) else { throw .unreadable }
        return (contents, access)
    }

    /// Makes a new file that only its owner can read and write, and never replaces one.
    /// - Throws: ``KeyFileError/exists`` or ``KeyFileError/cannotWrite(errorNumber:)``; no file is left then.
    package static func create(_ contents: [UInt8], at path: String) throws(KeyFileError) {
        try create(contents, at: path, access: nil)
        synchronizeDirectory(of: path)
    }

    /// Makes a new file with an access of its own, and never replaces one.
    static func create(_ contents: [UInt8], at path: String, access: Access?) throws(KeyFileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? KeyFileError.exists : KeyFileError.cannotWrite(errorNumber: errno)
        }
        do throws(KeyFileError) {
            defer { close(descriptor) }
            try fill(descriptor, with: contents, access: access)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Gives a complete file the name of another one, which it replaces in one step.
    static func replace(_ path: String, by draft: String) throws(KeyFileError) {
        guard rename(draft, path) == 0 else { throw .cannotWrite(errorNumber: errno) }
        synchronizeDirectory(of: path)
    }

    /// Removes a draft that a crash left. What else stands there is found when the draft is made.
    static func removeDraft(_ draft: String) { unlink(draft) }

    /// Whether there is anything of this name, also a symbolic link that leads nowhere.
    static func isName(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func fill(
        _ descriptor: Int32, with contents: [UInt8], access: Access?
    ) throws(KeyFileError) {
        // The owner comes first: a change of it may take permissions away.
        if let access, fchown(descriptor, access.owner, access.group) != 0 { throw .ownerCannotBeKept }
        guard fchmod(descriptor, access?.mode ?? 0o600) == 0 else { throw .cannotWrite(errorNumber: errno) }
        var rest = contents[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                throw .cannotWrite(errorNumber: errno)
            }
        }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(errorNumber: errno) }
    }

    /// Makes the names in a directory durable. A file system that cannot do that for a directory is no error: the name
    /// is the old or the new one after a crash, and both files are complete.
    private static func synchronizeDirectory(of path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { String(path[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
