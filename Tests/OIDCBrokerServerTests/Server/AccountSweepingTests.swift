// SPDX-License-Identifier: Apache-2.0

import Accounts
import Logging
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// The removal of what has expired.
struct AccountSweepingTests {
    /// A store in which so many records have expired.
    private final class Store: AccountStore {
        let left: Mutex<Int>
        let limits = Mutex<[Int]>([])
        let error: AccountStoreError?

        init(expired: Int, error: AccountStoreError? = nil) {
            left = Mutex(expired)
            self.error = error
        }

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "nothing but sweeping"))
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            limits.withLock { $0.append(limit) }
            if let error { return eventLoop.makeFailedFuture(error) }
            let removed = left.withLock { left in
                let removed = min(left, limit)
                left -= removed
                return removed
            }
            return eventLoop.makeSucceededFuture(removed)
        }
    }

    private func sweep(_ store: Store, _ logger: Logger = .quiet) async {
        await AccountSweeping(store: store, clock: TestClock(), interval: .seconds(60), logger: logger)
            .sweep(on: MultiThreadedEventLoopGroup.singleton.any())
    }

    @Test(arguments: [(0, 1), (499, 1), (500, 2), (1201, 3)])
    func `everything that has expired goes, five hundred at a time`(expired: Int, sweeps: Int) async {
        let store = Store(expired: expired)
        await sweep(store)
        #expect(store.left.withLock { $0 } == 0)
        #expect(store.limits.withLock { $0 } == [Int](repeating: 500, count: sweeps))
    }

    @Test func `a failure of the store is logged, once a sweep`() async {
        let log = MetadataRecorder()
        let store = Store(expired: 1, error: AccountStoreError(.unavailable, "the database was moved"))
        await sweep(store, log.logger)
        #expect(store.limits.withLock { $0.count } == 1)
        #expect(log.lines.map { $0["auth.error"] } == ["the database was moved"])
    }
}
