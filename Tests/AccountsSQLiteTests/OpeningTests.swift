// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import Foundation
    import GRDB
    import NIOCore
    import NIOPosix
    import Testing

    @testable import AccountsSQLite

    /// What a file must be to be opened, and what a database is once it is.
    struct OpeningTests: OpeningSuite {
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

        /// No migration of ours was applied to these, so that all would run.
        private static let notOurs: [(sql: String, expected: SQLiteAccountStoreError.Code)] = [
            ("CREATE TABLE person (name TEXT)", .otherApplication),
            ("PRAGMA application_id = 1", .otherApplication),
            (
                """
                \(ownApplication)
                CREATE TABLE project (only INTEGER PRIMARY KEY, id TEXT NOT NULL);
                INSERT INTO project VALUES (1, 'other');
                """, .otherProject
            ),
            (
                """
                \(ownApplication)
                CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                INSERT INTO grdb_migrations VALUES ('999');
                """, .newerVersion
            ),
        ]

        @Test(arguments: notOurs) func `a database that is not ours is refused before anything is written`(
            sql: String, expected: SQLiteAccountStoreError.Code
        ) throws {
            let path = try path()
            try make(path, sql)
            let before = try files(beside: path)
            #expect(code(path) == expected)
            #expect(try files(beside: path) == before)
        }

        @Test func `a database in WAL mode that is not ours is not written to`() throws {
            let path = try path()
            try make(path, "CREATE TABLE person (name TEXT)")
            var configuration = Configuration()
            configuration.journalMode = .wal
            try DatabaseQueue(path: path, configuration: configuration).close()
            let before = FileManager.default.contents(atPath: path)
            #expect(code(path) == .otherApplication)
            #expect(FileManager.default.contents(atPath: path) == before)
        }

        @Test func `a database that another process writes is known by what stands in its WAL only`() async throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            #expect(code(path, project: "other") == .otherProject)
            #expect(code(path) == nil)
            try await store.shutdown()
        }

        @Test func `a database of ours is refused to another project and to an older version`() throws {
            let path = try path()
            #expect(code(path) == nil)
            #expect(code(path, project: "other") == .otherProject)
            try DatabaseQueue(path: path).write {
                try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999')")
            }
            #expect(code(path) == .newerVersion)
            #expect(code(path, project: "other") == .newerVersion)
        }

        /// Makes a database with the account `ada`, and takes back what later versions added.
        private func older(_ sql: String) async throws -> String {
            let path = try path()
            #expect(code(path) == nil)
            let queue = try DatabaseQueue(path: path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO account (uid, created_at, last_sign_in_at, email_verified, disabled, valid_since,
                            found_by_email) VALUES ('ada', 1, 1, 0, 0, 1, 1);
                        \(sql)
                        """)
            }
            try queue.close()
            return path
        }

        @Test
        func `a database of version 1 is brought up to date by a server and not by a command, and keeps its accounts`()
            async throws
        {
            let path = try await older(
                """
                ALTER TABLE account DROP COLUMN imported;
                DELETE FROM grdb_migrations WHERE identifier = '2';
                \(Self.toVersion2)
                """)
            #expect(throws: SQLiteAccountStoreError.self) {
                try SQLiteAccountStore.open(path: path, project: "test", mayCreate: false)
            }
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
            let record = ImportedRecord(json: "{}")
            let known = try await store.transact(.write, on: loop) { transaction -> Account? in
                guard let id = AccountID("ada"), var account = try transaction.account(id) else { return nil }
                account.imported = record
                try transaction.update(account)
                return try transaction.account(id)
            }.get()
            #expect(known?.imported != nil && known?.imported == record)
            try await store.shutdown()
        }

        /// Takes back what version 7 added.
        private static let toVersion6 = """
            ALTER TABLE identity DROP COLUMN claims;
            DELETE FROM grdb_migrations WHERE identifier = '7';
            """

        @Test func `a database without the claims of identities is brought up to date, and keeps them from then on`()
            async throws
        {
            let path = try await older(
                """
                \(Self.toVersion6)
                INSERT INTO identity (issuer, subject, uid, provider_id, email_verified, private_relay, created_at,
                    last_used_at) VALUES (CAST('i' AS BLOB), CAST('s' AS BLOB), 'ada', 'p', 0, 0, 1, 1);
                """)
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
            let key = IdentityKey(issuer: "i", subject: "s")
            let known = try await store.transact(.write, on: loop) { transaction in
                let before = try transaction.claims(of: key)
                try transaction.setClaims("{}", of: key)
                return [before, try transaction.claims(of: key)]
            }.get()
            #expect(known == [nil, "{}"])
            try await store.shutdown()
        }

        /// Takes back what version 6 and later ones added.
        private static let toVersion5 = """
            \(toVersion6)
            DROP INDEX session_by_provider_session;
            ALTER TABLE session DROP COLUMN provider_session;
            DELETE FROM grdb_migrations WHERE identifier = '6';
            """

        @Test func `a database without the sessions of providers is brought up to date, and has sessions by them`()
            async throws
        {
            let path = try await older(Self.toVersion5)
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
            let hash = AccountSession.hash(ofProviderSession: "s-1", issuer: "https://p")
            let ada = try #require(AccountID("ada"))
            let session = AccountSession(
                id: AccountSession.ID(), secretHash: hash, account: ada, providerID: "p", app: nil, authTime: 1,
                createdAt: 1, expiry: 9, providerSession: hash)
            let known = try await store.transact(.write, on: loop) { transaction in
                try transaction.insert(session)
                return try transaction.sessions(of: ada)
            }.get()
            #expect(known == [session])
            let found = try await store.transact(.read, on: loop) { try $0.sessions(begunIn: hash) }.get()
            #expect(found == [session])
            try await store.shutdown()
        }

        /// Takes back what version 3 and later ones added.
        private static let toVersion2 = """
            \(toVersion5)
            DROP TABLE event;
            DELETE FROM grdb_migrations WHERE identifier = '4';
            DROP TRIGGER session_is_constant;
            \(["wire", "generation", "last_used_at", "key_id", "rotations", "scope", "claims"].map {
                "ALTER TABLE session DROP COLUMN \($0);"
            }.joined())
            CREATE TRIGGER session_is_constant BEFORE UPDATE ON session
            WHEN new.id <> old.id OR new.secret_hash <> old.secret_hash OR new.uid <> old.uid
                OR new.auth_time <> old.auth_time OR new.created_at <> old.created_at OR new.app IS NOT old.app
            BEGIN SELECT RAISE(ABORT, 'a constant of a session'); END;
            DELETE FROM grdb_migrations WHERE identifier = '3';
            """

        @Test func `the sessions of a database of version 2 are of the wire of the SDKs, and go on`() async throws {
            let path = try await older(
                """
                \(Self.toVersion2)
                INSERT INTO session VALUES (zeroblob(16), zeroblob(32), 'ada', 'p', 'web', 1, NULL, 1, 0, 9);
                """)
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
            let id = try #require(AccountSession.ID(bytes: [UInt8](repeating: 0, count: 16)))
            let known = try await store.transact(.write, on: loop) { transaction -> AccountSession? in
                guard var session = try transaction.session(id) else { return nil }
                session.expiry = 10
                try transaction.update(session)
                return try transaction.session(id)
            }.get()
            #expect(known?.wire == .sdk)
            #expect(known?.expiry == 10)
            try await store.shutdown()
        }

        @Test func `a database of version 2 or 3 gets an outbox, and keeps its accounts`() async throws {
            let path = try await older(
                """
                DROP TABLE event;
                DELETE FROM grdb_migrations WHERE identifier = '4';
                """)
            #expect(throws: SQLiteAccountStoreError.self) {
                try SQLiteAccountStore.open(path: path, project: "test", mayCreate: false)
            }
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
            let events = try await store.transact(.write, on: loop) { transaction -> [String] in
                guard let id = AccountID("ada"), try transaction.account(id) != nil else { return [] }
                let event = AccountEvent(id: "1", type: "account.updated", account: id, time: 1, json: "{}")
                try transaction.outbox?.append(event, for: "webhook")
                return try transaction.outbox?.events(after: 0, limit: 9).map(\.event.id) ?? []
            }.get()
            #expect(events == ["1"])
            try await store.shutdown()
        }

        @Test func `what a killed process has begun to make is finished`() throws {
            for sql in ["", Self.ownApplication] {
                let path = try path()
                try make(path, sql)
                #expect(code(path) == nil)
                #expect(code(path, project: "other") == .otherProject)
            }
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
    }
#endif
