// SPDX-License-Identifier: Apache-2.0

#if SQLite
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The file of a database. One that is there is not opened here: closing it would end the locks that SQLite has on it
    /// in this process.
    struct DatabaseFile {
        let path: String

        /// Checks the file. If there is none it is made first, so that it is never open to others.
        /// - Parameter mayCreate: Whether it may be made.
        func prepare(mayCreate: Bool) throws(SQLiteAccountStoreError) {
            if mayCreate {
                guard !make() else { return }
                guard errno == EEXIST else {
                    let reason = String(cString: strerror(errno))
                    throw SQLiteAccountStoreError(
                        .cannotOpen,
                        "the file cannot be created: \(reason); its directory must belong to the server's user")
                }
            }
            var status = stat()
            guard stat(path, &status) == 0 else {
                let isMissing = errno == ENOENT || errno == ENOTDIR
                throw SQLiteAccountStoreError(
                    .cannotOpen, isMissing ? "there is no such file" : "the file cannot be read")
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw SQLiteAccountStoreError(.cannotOpen, "the path is not a regular file")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw SQLiteAccountStoreError(
                    .fileMode, "users other than the owner have access to the file: chmod 600")
            }
        }

        /// Makes an empty file for its owner alone.
        /// - Returns: Whether there was none.
        func make() -> Bool {
            let made = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
            guard made >= 0 else { return false }
            close(made)
            return true
        }

        /// Removes the file, and what SQLite makes beside it. Nothing may have it open.
        func remove() {
            for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
        }
    }
#endif
