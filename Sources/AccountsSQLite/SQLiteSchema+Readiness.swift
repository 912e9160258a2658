// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB

    extension SQLiteSchema {
        /// Refuses the database of another application, of a newer version and of another project. It only reads.
        /// - Returns: Whether the database is ready: nothing is to be made or brought up to date.
        static func isReady(_ database: Database, for project: String) throws -> Bool {
            let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard id == applicationID || (id == 0 && tables == 0) else {
                throw SQLiteAccountStoreError(.otherApplication, "the file is not a database of accounts")
            }
            guard try !migrator.hasBeenSuperseded(database) else {
                throw SQLiteAccountStoreError(.newerVersion, "a newer version of this program wrote the database")
            }
            // A process that was killed while it made the database may have left it without a project.
            guard try database.tableExists("project"), let known = try self.project(of: database) else { return false }
            guard known.utf8.elementsEqual(project.utf8) else {
                throw SQLiteAccountStoreError(.otherProject, "the database holds the accounts of another project")
            }
            guard id == applicationID else { return false }
            return try migrator.hasCompletedMigrations(database)
        }

        private static func project(of database: Database) throws -> String? {
            try String.fetchOne(database, sql: "SELECT id FROM project")
        }
    }
#endif
