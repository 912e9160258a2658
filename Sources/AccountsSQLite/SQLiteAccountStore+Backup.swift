// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB

    extension SQLiteAccountStore {
        /// Copies the database to a new file while it is used, as it was at one moment. It blocks.
        ///
        /// A copy that cannot be finished is removed.
        /// - Throws: ``SQLiteAccountStoreError`` if the file exists or cannot be written.
        public func backup(to path: String) throws(SQLiteAccountStoreError) {
            let file = DatabaseFile(path: path)
            guard file.make() else {
                throw SQLiteAccountStoreError(.cannotOpen, "the file exists or cannot be created")
            }
            do {
                let copy = try DatabaseQueue(path: path)
                // It is closed before it is removed. Closing it once more does nothing.
                defer { try? copy.close() }
                try pool.backup(to: copy)
                try copy.close()
            } catch {
                file.remove()
                throw SQLiteAccountStoreError(.cannotOpen, "the copy cannot be written")
            }
        }
    }
#endif
