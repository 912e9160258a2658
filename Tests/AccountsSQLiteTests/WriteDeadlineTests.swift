// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import Testing

    @testable import AccountsSQLite

    /// Writes that wait for too long.
    struct WriteDeadlineTests {
        private static let expiry: Int64 = 1_790_000_000
        private let time = ElapsedTime()

        private func makeStore() throws -> TemporaryStore {
            try TemporaryStore(now: { [time] in time.now })
        }

        /// Succeeds with `true` the first time, so that it shows whether the write took effect before.
        private func use(_ number: Int, on temporary: TemporaryStore) -> EventLoopFuture<Bool> {
            temporary.store.transact(.write, on: temporary.eventLoop) { transaction in
                try transaction.consume(AccountStep.secretHash(number), expiry: Self.expiry)
            }
        }

        private func hold(_ gate: Gate, on temporary: TemporaryStore) -> EventLoopFuture<Void> {
            let future = temporary.store.transact(.write, on: temporary.eventLoop) { _ in gate.wait() }
            gate.waitUntilEntered()
            return future
        }

        private func isUnavailable(_ future: EventLoopFuture<Bool>) async -> Bool {
            do {
                _ = try await future.get()
                return false
            } catch {
                return (error as? AccountStoreError)?.code == .unavailable
            }
        }

        @Test func `a write that waited for ten seconds is refused, and takes no effect`() async throws {
            let temporary = try makeStore()
            let gate = Gate()
            let first = hold(gate, on: temporary)
            let late = use(1, on: temporary)
            time.pass(.nanoseconds(1))
            let inTime = use(2, on: temporary)
            time.pass(TimeAmount.seconds(10) - TimeAmount.nanoseconds(1))
            gate.open()
            try await first.get()
            #expect(await isUnavailable(late))
            #expect(try await inTime.get())
            #expect(try await use(1, on: temporary).get(), "the write took effect late")
        }

        @Test func `a write that gets late behind another of its commit is refused, and the other is written`()
            async throws
        {
            let temporary = try makeStore()
            let gate = Gate()
            let first = hold(gate, on: temporary)
            let time = time
            let slow = temporary.store.transact(.write, on: temporary.eventLoop) { transaction in
                time.pass(.seconds(10))
                return try transaction.consume(AccountStep.secretHash(1), expiry: Self.expiry)
            }
            let late = use(2, on: temporary)
            gate.open()
            try await first.get()
            #expect(try await slow.get())
            #expect(await isUnavailable(late))
            #expect(try await !use(1, on: temporary).get())
            #expect(try await use(2, on: temporary).get(), "the write took effect late")
        }
    }
#endif
