// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState
@testable import SingleUse

/// Event loops that end while operations of a shared store wait on them.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct EndedLoopTests {
    private func shared(_ store: FaultyStore) -> SharedStore {
        SharedStore(
            store, clock: TestClock(), metrics: SharedStoreMetrics(factory: TestMetrics()),
            logger: CapturedLog().logger)
    }

    @Test func `a caller that waits for the next try is told, and none waits any more`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.any()
        let store = FaultyStore()
        store.fail(after: 0)
        let shared = shared(store)
        let failed = Mutex(0)
        try await eventLoop.submit {
            let access = SingleUseAccess(.shared(shared)).within(.seconds(5))
            for number in 0..<10 {
                access.claim(SingleUseKey(.login, [UInt8(number)]), seconds: 600, on: eventLoop)
                    .future(on: eventLoop).whenFailure { _ in failed.withLock { $0 += 1 } }
            }
        }.get()
        #expect(failed.withLock { $0 } == 0)
        #expect(shared.waiting == 10)
        try await group.shutdownGracefully()
        #expect(failed.withLock { $0 } == 10)
        #expect(shared.waiting == 0)
    }

    @Test func `another loop goes on with the same store`() async throws {
        let ending = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let store = FaultyStore()
        store.fail(after: 0)
        let shared = shared(store)
        let access = SingleUseAccess(.shared(shared)).within(.seconds(5))
        let key = SingleUseKey(.login, [1])
        let (first, second) = (ending.any(), group.any())
        try await first.submit {
            access.claim(key, seconds: 600, on: first).future(on: first).whenComplete { _ in }
            shared.probe(on: first)
        }.get()
        try await ending.shutdownGracefully()
        store.fail(after: nil)
        let claim = try await second.flatSubmit { access.claim(key, seconds: 600, on: second).future(on: second) }.get()
        #expect(claim == .won)
        #expect(shared.status == .reached)
        try await group.shutdownGracefully()
    }
}
