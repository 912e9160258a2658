// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import Foundation
    import NIOCore
    import NIOPosix
    import Testing

    @testable import AccountsSQLite

    /// A store that is shut down while event loops write to it.
    struct ShutdownTests {
        private static let expiry: Int64 = 1_790_000_000
        private static let workers = 4

        /// Writes from an event loop until the store is closed.
        /// - Returns: The number of writes that succeeded.
        private func writeUntilClosed(worker: Int, to store: SQLiteAccountStore) async throws -> Int {
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            for number in 0... {
                let future = loop.flatSubmit {
                    store.transact(.write, on: loop) { transaction -> Void in
                        guard MultiThreadedEventLoopGroup.currentEventLoop == nil else { throw RanOnEventLoop() }
                        _ = try transaction.consume(Self.hash(worker, number), expiry: Self.expiry)
                    }
                }
                do {
                    try await future.get()
                } catch let error as AccountStoreError {
                    // Nothing but the end: a write that came in before it is written while the file is still open.
                    #expect(error == .closed)
                    return number
                }
            }
            return 0
        }

        private static func hash(_ worker: Int, _ number: Int) -> [UInt8] {
            let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return AccountStep.secretHash(worker) + digits
        }

        @Test(arguments: 0..<20)
        func `what was accepted is written before the file closes, never on an event loop`(round: Int) async throws {
            let temporary = try TemporaryStore()
            let store = temporary.store
            let written = try await withThrowingTaskGroup(of: (worker: Int, count: Int).self) { group in
                for worker in 0..<Self.workers {
                    group.addTask { (worker, try await writeUntilClosed(worker: worker, to: store)) }
                }
                // Some rounds end while others are under way, some before any began.
                for _ in 0..<round { await Task.yield() }
                try await store.shutdown()
                var written: [Int: Int] = [:]
                for try await (worker, count) in group { written[worker] = count }
                return written
            }
            #expect(written.count == Self.workers)
            let opened = try SQLiteAccountStore.open(path: temporary.path, project: "test")
            for (worker, count) in written {
                let isThere = try await opened.transact(.write, on: temporary.eventLoop) { transaction in
                    try (0...count).map { try !transaction.consume(Self.hash(worker, $0), expiry: Self.expiry) }
                }.get()
                #expect(isThere == [Bool](repeating: true, count: count) + [false])
            }
            try await opened.shutdown()
        }

        @Test func `after the shutdown everything is in the database itself`() async throws {
            let temporary = try TemporaryStore()
            let accounts = try await temporary.store.transact(.read, on: temporary.eventLoop) {
                try $0.accounts(after: nil, limit: 1)
            }.get()
            #expect(accounts.isEmpty && FileManager.default.fileExists(atPath: temporary.path + "-wal"))
            try await temporary.store.shutdown()
            #expect(!FileManager.default.fileExists(atPath: temporary.path + "-wal"))
        }

        @Test func `a closed store refuses reads and writes`() async throws {
            let temporary = try TemporaryStore()
            try await temporary.store.shutdown()
            for mode in [AccountTransactionMode.read, .write] {
                let future = temporary.store.transact(mode, on: temporary.eventLoop) { _ in true }
                let error = await #expect(throws: AccountStoreError.self) { _ = try await future.get() }
                #expect(error?.code == .unavailable)
            }
        }
    }

    private struct RanOnEventLoop: Error {}
#endif
