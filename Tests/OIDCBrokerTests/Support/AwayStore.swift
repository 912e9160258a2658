// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import Synchronization

/// A store that is away when it is told to be, and otherwise does everything right.
final class AwayStore: SingleUseStore {
    struct Unreachable: Error {}

    enum Behavior: Sendable {
        case answers
        /// It does nothing.
        case fails
        /// It does what it was asked, and the answer is lost.
        case losesAnswers
        /// It takes no values.
        case isFull
        /// It takes values when it is released, and does everything else.
        case holdsValues
        /// It does everything, and its standbys do not confirm values.
        case confirmsNoValues
    }

    /// The clock by which claims and values end.
    let clock = TestClock()
    private let store: FaultyStore
    private let held = Mutex<[EventLoopPromise<Void>]>([])
    private let behavior = Mutex(Behavior.answers)

    init() { store = FaultyStore(nil, clock: clock) }

    /// Takes the values that it holds, or fails to.
    func release(_ result: Result<Void, any Error>) {
        let promises = held.withLock { held in
            defer { held = [] }
            return held
        }
        for promise in promises { promise.completeWith(result) }
    }

    func behave(_ behavior: Behavior) { self.behavior.withLock { $0 = behavior } }

    private func answer<Value: Sendable>(
        on eventLoop: any EventLoop, _ body: () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        switch behavior.withLock({ $0 }) {
        case .answers, .isFull, .holdsValues, .confirmsNoValues: body()
        case .fails: eventLoop.makeFailedFuture(Unreachable())
        case .losesAnswers: body().flatMapThrowing { _ in throw Unreachable() }
        }
    }

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        answer(on: eventLoop) {
            store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: eventLoop)
        }
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        if behavior.withLock({ $0 }) == .isFull { return eventLoop.makeSucceededFuture(.full) }
        if behavior.withLock({ $0 }) == .holdsValues {
            let promise = eventLoop.makePromise(of: Void.self)
            held.withLock { $0.append(promise) }
            return promise.futureResult.flatMap {
                self.store.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
            }
        }
        let isConfirmed = behavior.withLock { $0 } != .confirmsNoValues
        return answer(on: eventLoop) {
            store.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
                .map { isConfirmed ? $0 : .storedUnconfirmed }
        }
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        answer(on: eventLoop) { store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop) }
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { store.read(key, on: eventLoop) }
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        answer(on: eventLoop) { store.remove(key, ifEqual: value, on: eventLoop) }
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        answer(on: eventLoop) { store.isClaimed(key, on: eventLoop) }
    }
}
