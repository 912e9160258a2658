// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import Foundation
    import GRDB
    import Testing

    /// What a file must be to be opened, and what a database is once it is.
    struct OpeningTests {
        private func path() throws -> String { try TemporaryStore.makeFolder() + "/accounts.sqlite" }

        private func code(_ path: String, project: String = "test") -> SQLiteAccountStoreError.Code? {
            do {
                _ = try SQLiteAccountStore.open(path: path, project: project)
                return nil
            } catch {
                return error.code
            }
        }

        private func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }

        @Test func `a new database is its owner's alone, with the files beside it`() async throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            for suffix in ["", "-wal", "-shm"] { #expect(try mode(path + suffix) == 0o600, "\(suffix)") }
            try await store.shutdown()
            #expect(code(path) == nil)
        }

        @Test(arguments: [0o640, 0o604, 0o666]) func `a file that others may read or write is refused`(mode: Int) throws
        {
            let path = try path()
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(code(path) == .fileMode)
        }

        @Test func `a folder, a path that does not exist and a file that is no database are refused`() throws {
            let path = try path()
            #expect(code((path as NSString).deletingLastPathComponent) == .cannotOpen)
            #expect(code(path + "/missing/accounts.sqlite") == .cannotOpen)
            #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 0x41, count: 4096)))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(code(path) == .cannotOpen)
        }

        @Test func `the database of another application, of another project and of a newer version are refused`() throws
        {
            let other = try path()
            try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE person (name TEXT)") }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
            #expect(code(other) == .otherApplication)

            let path = try path()
            #expect(code(path) == nil)
            #expect(code(path, project: "other") == .otherProject)
            try DatabaseQueue(path: path).write {
                try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999')")
            }
            #expect(code(path) == .newerVersion)
        }

        @Test func `every commit is on the disk, and the database itself holds the invariants`() throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            withExtendedLifetime(store) {}
            let queue = try DatabaseQueue(path: path)
            let state = try queue.read { database in
                try ["journal_mode", "integrity_check"].map { try String.fetchOne(database, sql: "PRAGMA \($0)") }
            }
            #expect(state == ["wal", "ok"])
            let statements = [
                "INSERT INTO identity (issuer, subject, uid, provider_id, email_verified, private_relay, created_at, "
                    + "last_used_at) VALUES (x'01', x'02', 'nobody', 'p', 0, 0, 1, 1)",
                "INSERT INTO session (id, secret_hash, uid, provider_id, auth_time, created_at, last_used_on, expiry) "
                    + "VALUES (zeroblob(16), zeroblob(32), 'nobody', 'p', 1, 1, 1, 1)",
                "INSERT INTO account (uid, created_at, last_sign_in_at, email_verified, disabled, valid_since, "
                    + "found_by_email) VALUES ('a', 'text', 1, 0, 0, 1, 1)",
            ]
            for statement in statements {
                #expect(throws: DatabaseError.self, "\(statement)") {
                    try queue.write { try $0.execute(sql: statement) }
                }
            }
        }

        @Test func `twenty processes' worth of openings at once make one database`() async throws {
            let path = try path()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let store = try SQLiteAccountStore.open(path: path, project: "test")
                        try await store.shutdown()
                    }
                }
                try await group.waitForAll()
            }
            #expect(code(path) == nil)
        }

        @Test func `a backup is a database that opens, and never overwrites a file`() async throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            try store.backup(to: path + ".copy")
            #expect(try mode(path + ".copy") == 0o600)
            #expect(code(path + ".copy") == nil)
            let error = #expect(throws: SQLiteAccountStoreError.self) { try store.backup(to: path + ".copy") }
            #expect(error?.code == .cannotOpen)
            try await store.shutdown()
        }
    }
#endif
