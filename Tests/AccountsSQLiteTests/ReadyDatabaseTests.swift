// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import Foundation
    import GRDB
    import NIOCore
    import Testing

    @testable import AccountsSQLite

    /// A database that is ready, and what a process does that may make nothing.
    struct ReadyDatabaseTests: OpeningSuite {
        @Test(arguments: [true, false]) func `it is opened and read while another process writes`(mayCreate: Bool)
            async throws
        {
            let temporary = try TemporaryStore()
            let other = try OtherProcess(temporary.path)
            try other.hold()
            let store = try SQLiteAccountStore.open(
                path: temporary.path, project: "test", mayCreate: mayCreate, busyMode: .immediateError,
                now: { .distantPast })
            let accounts = try await store.transact(.read, on: temporary.eventLoop) {
                try $0.accounts(after: nil, limit: 1)
            }.get()
            #expect(accounts.isEmpty)
            try other.letGo()
            try await store.shutdown()
        }

        @Test(arguments: [true, false]) func `opening it while it is served writes nothing`(mayCreate: Bool) throws {
            let temporary = try TemporaryStore()
            // What is written goes into the WAL first. The database itself may not be read here while it is open.
            let log = temporary.path + "-wal"
            let before = try #require(FileManager.default.contents(atPath: log))
            #expect(code(temporary.path, mayCreate: mayCreate) == nil)
            #expect(code(temporary.path, project: "other", mayCreate: mayCreate) == .otherProject)
            #expect(FileManager.default.contents(atPath: log) == before)
            withExtendedLifetime(temporary) {}
        }

        @Test func `a command keeps 4 MB of the file in memory, and a server as much as SQLite does`() throws {
            let temporary = try TemporaryStore()
            func cacheSize(mayCreate: Bool) throws -> Int? {
                let store = try SQLiteAccountStore.open(path: temporary.path, project: "test", mayCreate: mayCreate)
                return try store.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA cache_size") }
            }
            #expect(try cacheSize(mayCreate: false) == -4096)
            #expect(try cacheSize(mayCreate: true) != -4096)
        }

        @Test func `where there is no file, none is made`() throws {
            let path = try path()
            let error = #expect(throws: SQLiteAccountStoreError.self) {
                try SQLiteAccountStore.open(path: path, project: "test", mayCreate: false)
            }
            #expect(error?.code == .cannotOpen)
            #expect(error?.description == "there is no such file")
            #expect(try files(beside: path).isEmpty)
        }

        /// Files that a start of the server would finish.
        private static let unfinished = [
            "", ownApplication,
            ownApplication + "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
        ]

        @Test(arguments: unfinished) func `what an older version has made is not brought up to date`(sql: String) throws
        {
            let path = try path()
            try make(path, sql)
            let before = try files(beside: path)
            #expect(code(path, mayCreate: false) == .cannotOpen)
            #expect(try files(beside: path) == before)
            #expect(code(path) == nil)
            #expect(code(path, mayCreate: false) == nil)
        }

        @Test func `a database without its project is not ready`() throws {
            let path = try path()
            #expect(code(path) == nil)
            try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM project") }
            #expect(code(path, mayCreate: false) == .cannotOpen)
            #expect(code(path) == nil)
            #expect(code(path, mayCreate: false) == nil)
        }

        @Test func `who makes nothing leaves no lock file`() throws {
            let path = try path()
            #expect(code(path) == nil)
            try FileManager.default.removeItem(atPath: path + ".lock")
            #expect(code(path, mayCreate: false) == nil)
            #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
        }
    }
#endif
