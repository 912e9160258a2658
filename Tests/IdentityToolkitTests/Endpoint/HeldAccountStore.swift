// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import StoreTesting
import Synchronization

/// A store in memory whose transactions can be told to wait, so that requests are under way at once.
final class HeldAccountStore: AccountStore {
    private let store = ModelAccountStore()
    private struct Held {
        /// The transactions that have to wait; `nil` for all.
        let mode: AccountTransactionMode?
        var promises: [EventLoopPromise<Void>] = []
    }

    /// What waits; `nil` if nothing has to.
    private let waiting = Mutex<Held?>(nil)

    deinit { release() }

    /// Lets transactions wait, all of them or those of one kind.
    func hold(_ mode: AccountTransactionMode? = nil) { waiting.withLock { $0 = Held(mode: mode) } }

    /// Lets all go on that wait, and none wait any longer.
    func release() {
        let promises = waiting.withLock { waiting in
            let promises = waiting?.promises ?? []
            waiting = nil
            return promises
        }
        for promise in promises { promise.succeed(()) }
    }

    private func turn(_ mode: AccountTransactionMode, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let isHeld = waiting.withLock { waiting in
            guard let held = waiting, held.mode == nil || held.mode == mode else { return false }
            waiting?.promises.append(promise)
            return true
        }
        if !isHeld { promise.succeed(()) }
        return promise.futureResult
    }

    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        turn(mode, on: eventLoop).flatMap { self.store.transact(mode, on: eventLoop, body) }
    }

    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        store.sweep(before: now, limit: limit, on: eventLoop)
    }
}
