// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import FoundationEssentials
    import GRDB

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    extension SQLiteAccountStore {
        /// How long a connection waits for another process, in seconds.
        static let busyTimeout = 5.0

        /// Opens a database of accounts, which is made if there is no file. It blocks: call it while the process starts.
        /// - Parameters:
        ///   - path: The file. Only its owner may have access to it.
        ///   - project: The ID of the project whose accounts these are.
        /// - Throws: ``SQLiteAccountStoreError``.
        public static func open(path: String, project: String) throws(SQLiteAccountStoreError) -> SQLiteAccountStore {
            try checkMode(of: path)
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                try checkApplication(pool)
                try migrate(pool, path: path, project: project)
                // GRDB sets NORMAL with WAL, which may lose the last transactions with the machine's power.
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                return SQLiteAccountStore(pool)
            } catch let error as SQLiteAccountStoreError {
                throw error
            } catch let error as DatabaseError {
                throw SQLiteAccountStoreError(.cannotOpen, "SQLite: \(error.extendedResultCode)")
            } catch {
                throw SQLiteAccountStoreError(.cannotOpen, "the file cannot be opened")
            }
        }

        private static var configuration: Configuration {
            var configuration = Configuration()
            configuration.busyMode = .timeout(busyTimeout)
            configuration.maximumReaderCount = readerCount
            configuration.foreignKeysEnabled = true
            return configuration
        }

        /// Makes the file if there is none, so that it is never open to others, and checks one that is there.
        private static func checkMode(of path: String) throws(SQLiteAccountStoreError) {
            guard !makeFile(path) else { return }
            // The file is not opened here: closing it would end the locks that SQLite has on it in this process.
            var status = stat()
            guard errno == EEXIST, stat(path, &status) == 0 else {
                throw SQLiteAccountStoreError(.cannotOpen, "the file cannot be made or read")
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw SQLiteAccountStoreError(.cannotOpen, "the path is not that of a file")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw SQLiteAccountStoreError(.fileMode, "others than the owner have access to the file: chmod 600")
            }
        }

        /// Refuses the database of another application before anything is written to it.
        private static func checkApplication(_ pool: DatabasePool) throws {
            try pool.read { database in
                let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
                guard id == SQLiteSchema.applicationID || (id == 0 && tables == 0) else {
                    throw SQLiteAccountStoreError(.otherApplication, "the file is not a database of accounts")
                }
            }
        }

        /// Brings the tables up to date, one process at a time, and checks whose accounts they hold.
        private static func migrate(_ pool: DatabasePool, path: String, project: String) throws {
            guard let lock = lockFile(path + ".lock") else {
                throw SQLiteAccountStoreError(.cannotOpen, "the lock file cannot be made or locked")
            }
            defer { close(lock) }
            let migrator = SQLiteSchema.migrator
            guard try !pool.read(migrator.hasBeenSuperseded) else {
                throw SQLiteAccountStoreError(.newerVersion, "a newer version of this program wrote the database")
            }
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            }
            try migrator.migrate(pool)
            try pool.write { database in
                try database.execute(
                    sql: "INSERT OR IGNORE INTO project (only, id) VALUES (1, ?)", arguments: [project])
                let known = try String.fetchOne(database, sql: "SELECT id FROM project")
                guard known.map({ $0.utf8.elementsEqual(project.utf8) }) == true else {
                    throw SQLiteAccountStoreError(.otherProject, "the database holds the accounts of another project")
                }
            }
        }

        /// Copies the database to a new file while it is used, as it was at one moment. It blocks.
        /// - Throws: ``SQLiteAccountStoreError`` if the file exists or cannot be written.
        public func backup(to path: String) throws(SQLiteAccountStoreError) {
            guard makeFile(path) else {
                throw SQLiteAccountStoreError(.cannotOpen, "the file exists or cannot be made")
            }
            do {
                let copy = try DatabaseQueue(path: path)
                try pool.backup(to: copy)
                try copy.close()
            } catch {
                throw SQLiteAccountStoreError(.cannotOpen, "the copy cannot be written")
            }
        }
    }

    /// Makes an empty file for its owner alone.
    /// - Returns: Whether there was none.
    private func makeFile(_ path: String) -> Bool {
        let made = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard made >= 0 else { return false }
        close(made)
        return true
    }

    /// Waits for a lock on a file.
    /// - Returns: The descriptor, whose closing ends the lock; `nil` if there is no lock.
    private func lockFile(_ path: String) -> Int32? {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
#endif
