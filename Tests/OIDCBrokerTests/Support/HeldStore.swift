// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import SingleUse
import Synchronization

/// A store in memory that can be told to wait before it looks for an entry, so that requests are under way at once.
final class HeldStore: SingleUseStore {
    private let store = InMemorySingleUseStore(capacity: 1000)
    /// What waits; `nil` if nothing has to.
    private let waiting = Mutex<[EventLoopPromise<Void>]?>(nil)

    deinit { release() }

    /// Lets those wait that look for an entry.
    func hold() { waiting.withLock { $0 = [] } }

    /// Lets all go on that wait, and nobody wait any longer.
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

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: eventLoop)
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        store.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        turn(on: eventLoop).flatMap {
            self.store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop)
        }
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        store.read(key, on: eventLoop)
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        store.remove(key, ifEqual: value, on: eventLoop)
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        turn(on: eventLoop).flatMap { self.store.isClaimed(key, on: eventLoop) }
    }
}
