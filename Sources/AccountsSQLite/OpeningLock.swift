// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import NIOCore

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The lock under which one process at a time makes a database, or brings it up to date. It is on a file of its own.
    struct OpeningLock {
        /// How long another process is waited for.
        static let patience = TimeAmount.seconds(10)

        private let descriptor: Int32

        /// Takes the lock. It blocks.
        /// - Parameters:
        ///   - database: The path of the database, which exists.
        ///   - now: The time that the wait for another process is counted from.
        ///   - pause: What happens before each further try: a short sleep.
        /// - Throws: ``SQLiteAccountStoreError`` if the file cannot be made or opened, or another process has the lock for
        ///   too long.
        init(
            of database: String, now: () -> NIODeadline, pause: () -> Void
        ) throws(SQLiteAccountStoreError) {
            let found = Self.file(database + ".lock", beside: database)
            guard found >= 0 else {
                throw SQLiteAccountStoreError(.cannotOpen, "the lock file cannot be created or opened: check its owner")
            }
            let deadline = now() + Self.patience
            while flock(found, LOCK_EX | LOCK_NB) != 0 {
                switch errno {
                case EINTR: continue
                case EWOULDBLOCK where now() < deadline: pause()
                case EWOULDBLOCK:
                    close(found)
                    throw SQLiteAccountStoreError(.cannotOpen, "another process has locked the database for too long")
                default:
                    close(found)
                    throw SQLiteAccountStoreError(.cannotOpen, "the lock file cannot be locked")
                }
            }
            descriptor = found
        }

        /// Gives the lock back. Call this once.
        func end() { close(descriptor) }

        /// Sleeps for a hundredth of a second.
        static func sleepShortly() { usleep(10_000) }

        /// Opens the file, which is made if there is none. It is not a symbolic link: through one, a user with access
        /// to the folder could make root open any other file.
        /// - Returns: The descriptor; negative if that fails.
        private static func file(_ path: String, beside database: String) -> Int32 {
            let made = uninterrupted { open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600) }
            guard made < 0 else {
                handOver(made, toOwnerOf: database)
                return made
            }
            guard errno == EEXIST else { return made }
            return uninterrupted { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
        }

        /// Gives a file that root made to the owner of the database: the server runs as that one, and could not open it.
        private static func handOver(_ descriptor: Int32, toOwnerOf database: String) {
            var status = stat()
            guard geteuid() == 0, stat(database, &status) == 0 else { return }
            _ = fchown(descriptor, status.st_uid, status.st_gid)
        }

        /// Repeats a call while signals interrupt it.
        private static func uninterrupted(_ call: () -> Int32) -> Int32 {
            while true {
                let result = call()
                if result >= 0 || errno != EINTR { return result }
            }
        }
    }
#endif
