// SPDX-License-Identifier: Apache-2.0

import Accounts
import Metrics
import NIOCore
import OIDCBroker
import OpenIDRelyingParty
import SingleUse
import Synchronization

/// A store of accounts whose failed transactions are counted (`auth_database_errors`), by the code of the error. What a
/// transaction's own rules refuse is no failure. It knows from them whether the database answers.
final class CountedAccountStore: AccountStore {
    private let store: any AccountStore
    private let conflicts: Counter
    private let unavailable: Counter
    private let availability = Mutex(AccountStoreAvailability())
    private let clock: any ElapsedClock

    /// - Parameters:
    ///   - store: The store.
    ///   - clock: The clock by which a database that fails counts as away.
    ///   - factory: What makes the counters. They are made here: set the metrics system first.
    init(
        _ store: any AccountStore, clock: any ElapsedClock = SystemElapsedClock(),
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.store = store
        self.clock = clock
        func counter(_ code: AccountStoreError.Code) -> Counter {
            Counter(label: "auth_database_errors", dimensions: [("reason", code.description)], factory: factory)
        }
        conflicts = counter(.conflict)
        unavailable = counter(.unavailable)
    }

    /// What is known of the database.
    var status: SharedStoreStatus { availability.withLock { [now = clock.now()] in $0.status(at: now) } }

    /// Whether the database has to be asked to know more.
    var isInDoubt: Bool { availability.withLock { $0.isInDoubt } }

    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        let future = store.transact(mode, on: eventLoop, body)
        note(future)
        return future
    }

    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        let future = store.sweep(before: now, limit: limit, on: eventLoop)
        note(future)
        return future
    }

    private func note<Value>(_ future: EventLoopFuture<Value>) {
        future.whenComplete { [self] result in
            let now = clock.now()
            switch result {
            case .success: availability.withLock { $0.ended(nil, at: now) }
            case .failure(let error):
                availability.withLock { $0.ended(error, at: now) }
                count(error)
            }
        }
    }

    private func count(_ error: any Error) {
        switch (error as? AccountStoreError)?.code.value {
        case .conflict: conflicts.increment()
        case .unavailable: unavailable.increment()
        case nil: break
        }
    }
}
