// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import Foundation
    import NIOCore
    import Testing

    @testable import AccountsSQLite

    /// A database that loses its name while it is served.
    struct MovedDatabaseTests {
        /// What an operator does to the files.
        enum Change: CaseIterable, Sendable {
            case deleted, renamed, replaced, withoutItsLog

            func make(_ path: String) throws {
                let files = FileManager.default
                switch self {
                case .deleted: try files.removeItem(atPath: path)
                case .renamed: try files.moveItem(atPath: path, toPath: path + ".old")
                case .replaced:
                    try files.moveItem(atPath: path, toPath: path + ".old")
                    _ = files.createFile(atPath: path, contents: nil)
                case .withoutItsLog: try files.removeItem(atPath: path + "-wal")
                }
            }
        }

        /// Succeeds with `true` the first time, so that it shows whether the write took effect before.
        private func use(_ number: Int, on temporary: TemporaryStore) -> EventLoopFuture<Bool> {
            temporary.store.transact(.write, on: temporary.eventLoop) { transaction in
                try transaction.consume(AccountStep.secretHash(number), expiry: 1_790_000_000)
            }
        }

        private func code(_ future: EventLoopFuture<Bool>) async -> AccountStoreError.Code? {
            do {
                _ = try await future.get()
                return nil
            } catch {
                return (error as? AccountStoreError)?.code
            }
        }

        @Test(arguments: Change.allCases) func `no write succeeds that would be lost`(change: Change) async throws {
            let temporary = try TemporaryStore()
            #expect(try await use(0, on: temporary).get())
            try change.make(temporary.path)
            let futures = (1...3).map { use($0, on: temporary) }
            for future in futures { #expect(await code(future) == .unavailable) }
            let sweep = temporary.store.sweep(before: 0, limit: 1, on: temporary.eventLoop).map { _ in true }
            #expect(await code(sweep) == .unavailable)
        }

        @Test func `it is written again once it is back, without what failed`() async throws {
            let temporary = try TemporaryStore()
            try FileManager.default.moveItem(atPath: temporary.path, toPath: temporary.path + ".old")
            #expect(await code(use(1, on: temporary)) == .unavailable)
            try FileManager.default.moveItem(atPath: temporary.path + ".old", toPath: temporary.path)
            #expect(try await use(1, on: temporary).get(), "the write took effect")
            #expect(try await !use(1, on: temporary).get())
        }
    }
#endif
