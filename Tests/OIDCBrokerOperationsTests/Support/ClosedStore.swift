// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import Synchronization

/// A store that takes no values until it is opened.
final class ClosedStore: SingleUseStore {
    struct Closed: Error {}

    private let store = InMemorySingleUseStore(capacity: 10)
    private let isOpen = Mutex(false)
    private let storedKeys = Mutex<[SingleUseKey]>([])

    /// The keys of the values that it took.
    var keys: [SingleUseKey] { storedKeys.withLock { $0 } }

    func open() { isOpen.withLock { $0 = true } }

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: eventLoop)
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        guard isOpen.withLock({ $0 }) else { return eventLoop.makeFailedFuture(Closed()) }
        storedKeys.withLock { $0.append(key) }
        return store.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop)
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        store.read(key, on: eventLoop)
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        store.remove(key, ifEqual: value, on: eventLoop)
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        store.isClaimed(key, on: eventLoop)
    }
}
