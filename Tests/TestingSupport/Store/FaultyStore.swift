// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import SingleUse
import Synchronization

/// A store in front of another one that does with each call what its script says, and remembers the calls.
package final class FaultyStore: SingleUseStore {
    /// What a call fails with that the script lets fail.
    package struct Down: Error {
        package init() {}
    }

    /// What the store does with a call.
    package enum Step: Sendable {
        /// It answers.
        case answers
        /// It does nothing, and fails.
        case fails
        /// It does what it was asked, and the answer is lost.
        case losesAnswer
        /// It does nothing, and fails after an hour.
        case hangs
        /// It has no room for what is new.
        case isFull
        /// It does what it was asked, and no standby confirms that.
        case isUnconfirmed
        /// It does what it was asked after something else has happened.
        case waits(@Sendable (any EventLoop) -> EventLoopFuture<Void>)
        /// It does what it was asked, and answers after something else has happened.
        case answersAfter(@Sendable (any EventLoop) -> EventLoopFuture<Void>)
    }

    /// A call, with what it was given.
    package struct Call: Sendable {
        /// What was asked.
        package let operation: SharedStore.Operation
        /// The key.
        package let key: SingleUseKey
        /// The attempt of a claim and of a take.
        package var attempt: SingleUseAttempt?
        /// The owner of what is new.
        package var owner: SingleUseOwner?
        /// The value that is stored or removed.
        package var value: [UInt8]?
        /// The lifetime of what is new.
        package var lifetime: Duration?
        /// The number of calls before it.
        package fileprivate(set) var number = 0
    }

    /// What the store does with each call.
    package typealias Script = @Sendable (Call) -> Step

    private let base: any SingleUseStore
    private let state: Mutex<(script: Script, calls: [Call])>
    private let held = Mutex<[EventLoopPromise<Void>]>([])

    /// Creates a store that answers every call, or follows a script.
    package init(_ base: any SingleUseStore = ReferenceStore(), _ script: @escaping Script = { _ in .answers }) {
        self.base = base
        state = Mutex((script, []))
    }

    deinit { release() }

    /// The calls so far.
    package var calls: [Call] { state.withLock { $0.calls } }
    /// The attempts of the calls so far.
    package var attempts: [SingleUseAttempt] { calls.compactMap(\.attempt) }
    /// The owners of what was new so far.
    package var owners: [SingleUseOwner] { calls.compactMap(\.owner) }

    /// Follows a script from now on.
    package func follow(_ script: @escaping Script) { state.withLock { $0.script = script } }

    /// Does the same with each call from now on.
    package func follow(_ step: Step) { follow { _ in step } }

    /// Fails after so many further calls; `nil` if all of them succeed.
    package func fail(after calls: Int?) {
        let end = calls.map { $0 + self.calls.count }
        follow { call in end.map { call.number < $0 } ?? true ? .answers : .fails }
    }

    /// Lets takes, and questions whether a key is claimed, wait from now on.
    package func hold() {
        follow { [weak self] call in
            guard call.operation == .take || call.operation == .isClaimed, let self else { return .answers }
            return .waits { eventLoop in
                let promise = eventLoop.makePromise(of: Void.self)
                self.held.withLock { $0.append(promise) }
                return promise.futureResult
            }
        }
    }

    /// Lets all waiters go on, and lets no call wait any longer.
    package func release() {
        follow(.answers)
        let promises = held.withLock { held in
            defer { held = [] }
            return held
        }
        for promise in promises { promise.succeed(()) }
    }

    private static func unconfirmed(_ claim: SingleUseClaim) -> SingleUseClaim {
        claim == .won ? .wonUnconfirmed : claim
    }

    private static func unconfirmed(_ put: SingleUsePut) -> SingleUsePut {
        put == .stored ? .storedUnconfirmed : put
    }

    private static func unconfirmed(_ take: SingleUseTake) -> SingleUseTake {
        take.value.map { .value($0, isConfirmed: false) } ?? take
    }

    private func run<Value: Sendable>(
        _ call: Call, on eventLoop: any EventLoop, full: Value? = nil,
        unconfirmed: @escaping @Sendable (Value) -> Value = { $0 },
        _ ask: @escaping @Sendable () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        let (script, numbered) = state.withLock { state in
            var call = call
            call.number = state.calls.count
            state.calls.append(call)
            return (state.script, call)
        }
        switch script(numbered) {
        case .answers: return ask()
        case .fails: return eventLoop.makeFailedFuture(Down())
        case .losesAnswer: return ask().flatMapThrowing { _ in throw Down() }
        case .hangs: return eventLoop.scheduleTask(in: .hours(1)) { throw Down() }.futureResult
        case .isFull: return full.map { eventLoop.makeSucceededFuture($0) } ?? ask()
        case .isUnconfirmed: return ask().map(unconfirmed)
        case .waits(let wait): return wait(eventLoop).flatMap(ask)
        case .answersAfter(let wait): return ask().flatMap { value in wait(eventLoop).map { value } }
        }
    }

    package func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        let call = Call(operation: .claim, key: key, attempt: attempt, owner: owner, lifetime: lifetime)
        return run(call, on: eventLoop, full: .full, unconfirmed: Self.unconfirmed) { [base] in
            base.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: eventLoop)
        }
    }

    package func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        let call = Call(operation: .put, key: key, owner: owner, value: value, lifetime: lifetime)
        return run(call, on: eventLoop, full: .full, unconfirmed: Self.unconfirmed) { [base] in
            base.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
        }
    }

    package func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        let call = Call(operation: .take, key: key, attempt: attempt, lifetime: claimLifetime)
        return run(call, on: eventLoop, unconfirmed: Self.unconfirmed) { [base] in
            base.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop)
        }
    }

    package func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        run(Call(operation: .read, key: key), on: eventLoop) { [base] in base.read(key, on: eventLoop) }
    }

    package func remove(
        _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        run(Call(operation: .remove, key: key, value: value), on: eventLoop) { [base] in
            base.remove(key, ifEqual: value, on: eventLoop)
        }
    }

    package func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        run(Call(operation: .isClaimed, key: key), on: eventLoop) { [base] in base.isClaimed(key, on: eventLoop) }
    }
}
