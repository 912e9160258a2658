// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    extension SQLiteAccountStore {
        /// Checks whether a server could open a database and write to it, as the user of this process. Nothing is written,
        /// so a file that a server still has to make, or to bring up to date, will do. It blocks.
        /// - Throws: ``SQLiteAccountStoreError``.
        package static func check(path: String, project: String) throws(SQLiteAccountStoreError) {
            // SQLite makes files beside it.
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) + "/" } ?? "."
            guard access(folder, W_OK | X_OK) == 0 else {
                throw SQLiteAccountStoreError(.cannotOpen, "the directory is missing or cannot be written to")
            }
            var status = stat()
            if stat(path, &status) != 0, errno == ENOENT { return }
            try DatabaseFile(path: path).prepare(mayCreate: false)
            guard access(path, R_OK | W_OK) == 0 else {
                throw SQLiteAccountStoreError(.cannotOpen, "the file cannot be read and written to")
            }
            do {
                var configuration = Configuration()
                configuration.busyMode = .timeout(busyTimeout)
                _ = try isReadyUnwritten(path, configuration, project: project)
            } catch let error as SQLiteAccountStoreError {
                throw error
            } catch let error as DatabaseError {
                throw SQLiteAccountStoreError(.cannotOpen, "SQLite: \(error.extendedResultCode)")
            } catch {
                throw SQLiteAccountStoreError(.cannotOpen, "the file cannot be opened")
            }
        }
    }
#endif
