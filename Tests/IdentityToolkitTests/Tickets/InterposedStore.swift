// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import SingleUse
import Synchronization

/// A store in memory that does something after it has read a value, and before it says which: what others do meanwhile.
final class InterposedStore: SingleUseStore {
    typealias Step = @Sendable (SingleUseKey, any EventLoop) -> EventLoopFuture<Void>

    private let store: InMemorySingleUseStore
    private let afterRead: Step

    /// - Parameters:
    ///   - store: The store.
    ///   - afterRead: What happens between a read and its answer.
    init(_ store: InMemorySingleUseStore, afterRead: @escaping Step) {
        self.store = store
        self.afterRead = afterRead
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
        store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop)
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        store.read(key, on: eventLoop).flatMap { value in self.afterRead(key, eventLoop).map { value } }
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        store.remove(key, ifEqual: value, on: eventLoop)
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        store.isClaimed(key, on: eventLoop)
    }
}

/// Requests of which none goes on before all have come. Whatever they ask later is not held up.
final class Gathering: Sendable {
    private let size: Int
    /// Those who wait; `nil` once all have come.
    private let waiting = Mutex<[EventLoopPromise<Void>]?>([])

    /// - Parameter size: The number of requests.
    init(of size: Int) { self.size = size }

    deinit { release(waiting.withLock { $0 ?? [] }) }

    /// Waits for the others.
    func join(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let complete = waiting.withLock { waiting -> [EventLoopPromise<Void>] in
            guard let others = waiting else { return [promise] }
            let all = others + [promise]
            waiting = all.count == size ? nil : all
            return all.count == size ? all : []
        }
        release(complete)
        return promise.futureResult
    }

    private func release(_ promises: [EventLoopPromise<Void>]) {
        for promise in promises { promise.succeed(()) }
    }
}
