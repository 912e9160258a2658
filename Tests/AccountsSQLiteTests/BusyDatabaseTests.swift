// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import GRDB
    import NIOCore
    import Synchronization
    import Testing

    @testable import AccountsSQLite

    /// Another process that holds the database for longer than a connection waits.
    struct BusyDatabaseTests {
        /// Succeeds with `true` the first time, so that it shows whether the write took effect before.
        private func use(_ number: Int, on temporary: TemporaryStore) -> EventLoopFuture<Bool> {
            temporary.store.transact(.write, on: temporary.eventLoop) { transaction in
                try transaction.consume(AccountStep.secretHash(number), expiry: 1_790_000_000)
            }
        }

        @Test func `writes that share a commit wait for it once, not each alone, and none takes effect`() async throws {
            let waits = Waits()
            let temporary = try TemporaryStore(busyMode: .callback { _ in waits.begin() })
            let other = try OtherProcess(temporary.path)
            try other.hold()
            // The first is alone. While it waits, the others gather behind it.
            var futures = [use(0, on: temporary)]
            waits.gate.waitUntilEntered()
            futures += (1...SQLiteAccountStore.groupLimit).map { use($0, on: temporary) }
            waits.gate.open()
            for future in futures {
                let error = await #expect(throws: AccountStoreError.self) { _ = try await future.get() }
                #expect(error?.code == .unavailable)
            }
            #expect(waits.number == 2)

            try other.letGo()
            for number in futures.indices { #expect(try await use(number, on: temporary).get(), "\(number)") }
        }
    }

    /// Counts how often a connection begins to wait for another process, which it gives up at once. The first one waits
    /// until the gate is open.
    private final class Waits: Sendable {
        private let count = Atomic(0)
        let gate = Gate()

        var number: Int { count.load(ordering: .sequentiallyConsistent) }

        /// - Returns: Whether the connection tries again.
        func begin() -> Bool {
            if count.add(1, ordering: .sequentiallyConsistent).newValue == 1 { gate.wait() }
            return false
        }
    }
#endif
