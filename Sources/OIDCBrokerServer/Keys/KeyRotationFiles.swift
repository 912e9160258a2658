// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The files that belong to a file with keys, all in its directory, since a file is replaced by one beside it only.
///
/// The names of all but the record begin with a dot: a directory of secret files may have them too, and does not read
/// them.
struct KeyRotationFiles: Sendable, Hashable {
    /// The file with the keys, which no symbolic link is: replacing a link would leave the file that it leads to.
    let keys: String
    /// The record of the rotation.
    let record: String
    /// The file of the lock.
    let lock: String
    /// The new keys, before they replace the old ones.
    let keysDraft: String
    /// The new record, before it replaces the old one.
    let recordDraft: String

    /// Whether a secrets directory reads the sealing keys in the file, by its name.
    var isSecretOfSealingKeys: Bool { keys.utf8.reversed().starts(with: "/auth-sealing-keys".utf8.reversed()) }

    /// Names the files.
    /// - Throws: ``KeyFileError/unreadable`` if there is no file with keys at the path.
    init(_ path: String) throws(KeyFileError) {
        guard let resolved = realpath(path, nil) else { throw .unreadable }
        defer { free(resolved) }
        let keys = String(cString: resolved)
        let start = keys.utf8.lastIndex(of: UInt8(ascii: "/")).map { keys.utf8.index(after: $0) } ?? keys.startIndex
        let hidden = String(keys[..<start]) + "." + String(keys[start...])
        self.keys = keys
        record = keys + KeyRotationRecord.suffix
        lock = hidden + ".lock"
        keysDraft = hidden + ".new"
        recordDraft = hidden + KeyRotationRecord.suffix + ".new"
    }
}
