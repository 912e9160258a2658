// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import AccountsTestSupport
    import Foundation
    import GRDB
    import Glibc
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting
    import StoreTesting
    import Testing

    /// A process that is killed while it writes, fifty times.
    @Suite(.serialized)
    struct CrashTests {
        @Test(arguments: 0..<50)
        func `what was answered is there, and nothing is half there`(round: Int) async throws {
            let folder = try TemporaryStore.makeFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            KilledProcessArguments.pass([folder, "\(round)"])
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let folder = KilledProcessArguments.received(0)
                let round = try #require(Int(KilledProcessArguments.received(1)))
                let store = try SQLiteAccountStore.open(path: folder + "/accounts.sqlite", project: "test")
                try await KilledAccountWriter(folder: folder, round: round).run(store)
            }

            let path = folder + "/accounts.sqlite"
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let contents = try await store.transact(.read, on: loop) { try $0.contents() }.get()
            KilledAccountWriter.check(contents, answered: try KilledAccountWriter.answers(in: folder))
            let (integrity, orphans) = try await DatabaseQueue(path: path).read { database in
                (
                    try String.fetchOne(database, sql: "PRAGMA integrity_check"),
                    try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
                )
            }
            #expect(integrity == "ok" && orphans == 0)
            // The next start serves.
            #expect(try await KilledAccountWriter.write(1, person: 1_000_000, to: store, on: loop))
            try await store.shutdown()
        }
    }
#endif
