// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import SingleUse
import Synchronization

/// A store in memory that can be told to fail from some call on.
final class FailingStore: SingleUseStore {
    struct Unreachable: Error {}

    private let store: InMemorySingleUseStore
    private let remaining = Mutex<Int?>(nil)
    private let givenOwners = Mutex<[SingleUseOwner]>([])

    /// The owners of entries so far.
    var owners: [SingleUseOwner] { givenOwners.withLock { $0 } }

    init(capacity: Int = 1000) { store = InMemorySingleUseStore(capacity: capacity) }

    /// The number of further calls that succeed; `nil` if all of them do.
    func fail(after calls: Int?) { remaining.withLock { $0 = calls } }

    private func call<Value>(
        on eventLoop: any EventLoop, _ body: () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        let isDown = remaining.withLock { remaining in
            guard let count = remaining else { return false }
            if count > 0 { remaining = count - 1 }
            return count == 0
        }
        return isDown ? eventLoop.makeFailedFuture(Unreachable()) : body()
    }

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        if let owner { givenOwners.withLock { $0.append(owner) } }
        return call(on: eventLoop) {
            store.claim(key, attempt: attempt, owner: nil, lifetime: lifetime, on: eventLoop)
        }
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        if let owner { givenOwners.withLock { $0.append(owner) } }
        return call(on: eventLoop) {
            store.put(key, value: value, owner: nil, lifetime: lifetime, on: eventLoop)
        }
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        call(on: eventLoop) { store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop) }
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        call(on: eventLoop) { store.read(key, on: eventLoop) }
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        call(on: eventLoop) { store.remove(key, ifEqual: value, on: eventLoop) }
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        call(on: eventLoop) { store.isClaimed(key, on: eventLoop) }
    }
}
