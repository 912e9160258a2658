// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import OIDCBrokerTesting
import Synchronization

/// A store in memory whose transactions can be told to wait, so that requests are under way at once.
final class HeldAccountStore: AccountStore {
    private let store = ModelAccountStore()
    /// What waits; `nil` if nothing has to.
    private let waiting = Mutex<[EventLoopPromise<Void>]?>(nil)

    deinit { release() }

    /// Lets transactions wait.
    func hold() { waiting.withLock { $0 = [] } }

    /// Lets all go on that wait, and none wait any longer.
    func release() {
        let promises = waiting.withLock { waiting in
            let promises = waiting ?? []
            waiting = nil
            return promises
        }
        for promise in promises { promise.succeed(()) }
    }

    private func turn(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let isHeld = waiting.withLock { waiting in
            waiting?.append(promise)
            return waiting != nil
        }
        if !isHeld { promise.succeed(()) }
        return promise.futureResult
    }

    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        turn(on: eventLoop).flatMap { self.store.transact(mode, on: eventLoop, body) }
    }

    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        store.sweep(before: now, limit: limit, on: eventLoop)
    }
}
