// SPDX-License-Identifier: Apache-2.0

import Accounts
import Metrics
import NIOCore

/// A store of accounts whose failed transactions are counted (`auth_database_errors`), by the code of the error. What a
/// transaction's own rules refuse is no failure.
struct CountedAccountStore: AccountStore {
    private let store: any AccountStore
    private let conflicts: Counter
    private let unavailable: Counter

    /// - Parameter factory: What makes the counters. They are made here: set the metrics system first.
    init(_ store: any AccountStore, factory: any MetricsFactory = MetricsSystem.factory) {
        self.store = store
        func counter(_ code: AccountStoreError.Code) -> Counter {
            Counter(label: "auth_database_errors", dimensions: [("reason", code.rawValue)], factory: factory)
        }
        conflicts = counter(.conflict)
        unavailable = counter(.unavailable)
    }

    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        let future = store.transact(mode, on: eventLoop, body)
        future.whenFailure { count($0) }
        return future
    }

    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        let future = store.sweep(before: now, limit: limit, on: eventLoop)
        future.whenFailure { count($0) }
        return future
    }

    private func count(_ error: any Error) {
        switch (error as? AccountStoreError)?.code {
        case .conflict: conflicts.increment()
        case .unavailable: unavailable.increment()
        case nil: break
        }
    }
}
