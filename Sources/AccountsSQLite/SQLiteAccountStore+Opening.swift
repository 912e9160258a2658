// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB
    import NIOCore

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

        /// How long a connection waits between two tries, in microseconds.
        static let busyInterval: UInt32 = 2000

        /// Tries again and again until ``busyTimeout``: an import leaves the file to others for a few milliseconds now and
        /// then, which SQLite's own waiting would miss.
        /// - Parameter pause: What happens between two tries: a sleep as long as ``busyInterval``.
        static func busyMode(
            pause: @escaping @Sendable () -> Void = { usleep(busyInterval) }
        ) -> Database.BusyMode {
            .callback { tries in
                pause()
                return Double(tries) * Double(busyInterval) / 1_000_000 < busyTimeout
            }
        }

        /// Opens a database of accounts. It blocks: call it while the process starts.
        ///
        /// The file of another application, of a newer version or of another project is not written to. If it is in WAL
        /// mode, SQLite makes its `-wal` and `-shm` beside it while it is read. One that another process serves is not
        /// written to either, so that it opens on a full disk, and while that process writes.
        /// - Parameters:
        ///   - path: The file. Only its owner may have access to it.
        ///   - project: The ID of the project whose accounts these are.
        ///   - mayCreate: Whether the database is made if there is no file, and brought up to date if an older version of
        ///     this program wrote it. Otherwise both are refused, for a process that only uses what a server has made.
        /// - Throws: ``SQLiteAccountStoreError``.
        public static func open(
            path: String, project: String, mayCreate: Bool = true
        ) throws(SQLiteAccountStoreError) -> SQLiteAccountStore {
            try open(
                path: path, project: project, mayCreate: mayCreate, busyMode: busyMode(),
                now: { NIODeadline.now() })
        }

        /// - Parameters:
        ///   - path: The file.
        ///   - project: The ID of the project.
        ///   - mayCreate: Whether the database may be made or brought up to date.
        ///   - busyMode: How a connection waits for another process.
        ///   - now: The time that the deadlines of writes, and that of the lock, are counted from and compared with.
        ///   - pause: What happens between two tries to take the lock.
        static func open(
            path: String, project: String, mayCreate: Bool = true, busyMode: Database.BusyMode,
            now: @escaping @Sendable () -> NIODeadline, pause: () -> Void = OpeningLock.sleepShortly
        ) throws(SQLiteAccountStoreError) -> SQLiteAccountStore {
            try DatabaseFile(path: path).prepare(mayCreate: mayCreate)
            do {
                var configuration = Configuration()
                configuration.busyMode = busyMode
                configuration.maximumReaderCount = readerCount
                configuration.foreignKeysEnabled = true
                let isReady = try isReadyUnwritten(path, configuration, project: project)
                guard isReady || mayCreate else { throw SQLiteAccountStoreError.notReady }
                // Who makes nothing needs no lock, and leaves no file of its own user to the server.
                let lock = try mayCreate ? OpeningLock(of: path, now: now, pause: pause) : nil
                defer { lock?.end() }
                let pool = try DatabasePool(path: path, configuration: configuration)
                try makeReady(pool, project: project, mayCreate: mayCreate)
                // GRDB sets NORMAL with WAL, which may lose the last transactions with the machine's power.
                try pool.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                    // A command may write all over a large file. So it keeps the inner pages of the trees, writes what a
                    // statement could have to undo into no file, and gathers pages before it copies them from the WAL.
                    guard !mayCreate else { return }
                    try database.execute(
                        sql: "PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 20000")
                }
                guard let files = ServedFiles(path) else {
                    throw SQLiteAccountStoreError(.cannotOpen, "the file was moved while it was opened")
                }
                return SQLiteAccountStore(pool, files: files, now: now)
            } catch let error as SQLiteAccountStoreError {
                throw error
            } catch let error as DatabaseError {
                throw SQLiteAccountStoreError(.cannotOpen, "SQLite: \(error.extendedResultCode)")
            } catch {
                throw SQLiteAccountStoreError(.cannotOpen, "the file cannot be opened")
            }
        }

        /// Checks whose database it is with a connection that cannot write. SQLite opens the file, not this program, so that
        /// what stands in the WAL only is read as well, and locks of this process on the file stay.
        static func isReadyUnwritten(
            _ path: String, _ configuration: Configuration, project: String
        ) throws -> Bool {
            var configuration = configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isReady = try queue.read { try SQLiteSchema.isReady($0, for: project) }
            try queue.close()
            return isReady
        }

        /// Makes the tables and brings them up to date, one process at a time. Another process may have done so since the
        /// first check. What is ready is not written to, since the disk may be full, and another process may write.
        private static func makeReady(_ pool: DatabasePool, project: String, mayCreate: Bool) throws {
            let isReady = try pool.read { try SQLiteSchema.isReady($0, for: project) }
            guard !isReady else { return }
            guard mayCreate else { throw SQLiteAccountStoreError.notReady }
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            }
            try SQLiteSchema.migrator.migrate(pool)
            try pool.write { database in
                try database.execute(
                    sql: "INSERT OR IGNORE INTO project (only, id) VALUES (1, ?)", arguments: [project])
            }
            guard try pool.read({ try SQLiteSchema.isReady($0, for: project) }) else {
                throw SQLiteAccountStoreError(.cannotOpen, "the database cannot be updated")
            }
        }
    }

    extension SQLiteAccountStoreError {
        /// What a process that may make nothing found.
        static let notReady = SQLiteAccountStoreError(
            .cannotOpen, "no server of this version has created or updated the database")
    }
#endif
