// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import Foundation
    import GRDB
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting

    @testable import AccountsSQLite

    /// A store in a folder of its own, which is removed when the store is not used any more.
    final class TemporaryStore: AccountStoreCaller {
        let folder: String
        let store: SQLiteAccountStore
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

        var path: String { folder + "/accounts.sqlite" }

        /// - Parameters:
        ///   - busyMode: How a connection waits for another one.
        ///   - now: The time that the deadlines of writes are counted from. It stands still by default, so that a slow machine
        ///     makes no write late.
        init(
            busyMode: Database.BusyMode = .timeout(SQLiteAccountStore.busyTimeout),
            now: @escaping @Sendable () -> NIODeadline = { .distantPast }
        ) throws {
            folder = try Self.makeFolder()
            store = try SQLiteAccountStore.open(
                path: folder + "/accounts.sqlite", project: "test", busyMode: busyMode, now: now)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        static func makeFolder() throws -> String {
            let folder = FileManager.default.temporaryDirectory.path + "/accounts-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return folder
        }
    }
#endif
