// SPDX-License-Identifier: Apache-2.0

import Accounts
import MetricsTestKit
import NIOCore
import NIOEmbedded
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import StoreTesting
import Synchronization
import Testing

@testable import OIDCBrokerServer

/// What is known of the database of accounts.
struct AccountStoreAvailabilityTests {
    private static let failure = AccountStoreError(.unavailable, "x")

    private struct Refusal: Error {}

    @Test func `it is away five seconds after it began to fail, until its first success`() {
        var availability = AccountStoreAvailability()
        #expect(availability.status(at: 0) == .notReached)
        availability.ended(Self.failure, at: 0)
        #expect(availability.status(at: 100) == .notReached)
        availability.ended(nil, at: 100)
        #expect(availability.status(at: 100) == .reached && !availability.isInDoubt)
        // There was no request: nothing speaks against it.
        #expect(availability.status(at: 1000) == .reached)
        availability.ended(Self.failure, at: 1000)
        availability.ended(Self.failure, at: 1003)
        #expect(availability.isInDoubt)
        #expect(availability.status(at: 1004) == .reached)
        #expect(availability.status(at: 1005) == .away)
        availability.ended(nil, at: 1006)
        #expect(availability.status(at: 1006) == .reached && !availability.isInDoubt)
    }

    @Test func `a database that refuses answers`() {
        for error in [AccountStoreError(.conflict, "x"), Refusal()] as [any Error] {
            var availability = AccountStoreAvailability()
            availability.ended(error, at: 0)
            #expect(availability.status(at: 0) == .reached)
        }
    }

    /// A store that cannot be reached at first.
    private final class LateStore: AccountStore {
        private let base = ModelAccountStore()
        private let failures: Atomic<Int>

        init(failures: Int) { self.failures = Atomic(failures) }

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            guard failures.subtract(1, ordering: .relaxed).newValue >= 0 else {
                return base.transact(mode, on: eventLoop, body)
            }
            return eventLoop.makeFailedFuture(AccountStoreAvailabilityTests.failure)
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            base.sweep(before: now, limit: limit, on: eventLoop)
        }
    }

    @Test func `it is asked until it answers for the first time`() async throws {
        let store = CountedAccountStore(LateStore(failures: 3), factory: TestMetrics())
        #expect(store.status == .notReached)
        try await AccountStoreProbe(store: store, interval: .zero).reach(
            on: MultiThreadedEventLoopGroup.singleton.any())
        #expect(store.status == .reached)
    }

    @Test func `a waiting task can be canceled`() async {
        let store = CountedAccountStore(LateStore(failures: .max), factory: TestMetrics())
        let reaching = Task {
            try await AccountStoreProbe(store: store, interval: .zero).reach(
                on: MultiThreadedEventLoopGroup.singleton.any())
        }
        reaching.cancel()
        await #expect(throws: CancellationError.self) { try await reaching.value }
    }

    /// A store whose transactions end when a test says so.
    private struct SilentStore: AccountStore {
        let asked: EventLoopPromise<Void>
        let answer: EventLoopPromise<Void>

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            asked.succeed(())
            return answer.futureResult.hop(to: eventLoop).flatMapThrowing {
                throw AccountStoreAvailabilityTests.failure
            }
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            answer.futureResult.hop(to: eventLoop).map { 0 }
        }
    }

    @Test(.timeLimit(.minutes(10))) func `a canceled task does not wait for an answer`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let silent = SilentStore(asked: loop.makePromise(), answer: loop.makePromise())
        defer { silent.answer.succeed(()) }
        let store = CountedAccountStore(silent, factory: TestMetrics())
        let reaching = Task { try await AccountStoreProbe(store: store, interval: .zero).reach(on: loop) }
        try await silent.asked.futureResult.get()
        reaching.cancel()
        await #expect(throws: CancellationError.self) { try await reaching.value }
    }

    @Test func `a record that cannot be read does not keep it from being reached`() async throws {
        let store = CountedAccountStore(UnreadableAccounts(), factory: TestMetrics())
        try await AccountStoreProbe(store: store).reach(on: MultiThreadedEventLoopGroup.singleton.any())
        #expect(store.status == .reached)
    }

    @Test func `transactions and sweeps tell how it does`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let store = CountedAccountStore(LateStore(failures: 1), clock: clock.elapsed, factory: TestMetrics())
        #expect(try store.sweep(before: 0, limit: 1, on: loop).wait() == 0)
        #expect(store.status == .reached)
        #expect(throws: AccountStoreError.self) { try store.transact(.read, on: loop) { _ in 1 }.wait() }
        clock.advance(by: 5)
        #expect(store.status == .away)
        #expect(try store.transact(.read, on: loop) { _ in 1 }.wait() == 1)
        #expect(store.status == .reached)
    }
}
