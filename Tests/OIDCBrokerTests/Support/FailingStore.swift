// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
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

    private var isDown: Bool {
        remaining.withLock { remaining in
            guard let count = remaining else { return false }
            if count > 0 { remaining = count - 1 }
            return count == 0
        }
    }

    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        guard !isDown else { return eventLoop.makeFailedFuture(Unreachable()) }
        return store.insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop)
    }

    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        if let owner { givenOwners.withLock { $0.append(owner) } }
        return insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop)
    }

    func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        guard !isDown else { return eventLoop.makeFailedFuture(Unreachable()) }
        return store.take(key, now: now, on: eventLoop)
    }

    func read(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        guard !isDown else { return eventLoop.makeFailedFuture(Unreachable()) }
        return store.read(key, now: now, on: eventLoop)
    }

    func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        guard !isDown else { return eventLoop.makeFailedFuture(Unreachable()) }
        return store.contains(key, now: now, on: eventLoop)
    }
}
