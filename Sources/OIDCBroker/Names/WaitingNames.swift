// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import NIOCore
import OpenIDRelyingParty
import Synchronization

/// Users' names that wait in this process because the shared store was away, and that are written to it as soon as it
/// is back. A name that fewer standbys than required have confirmed waits as well, and is written again until they
/// have. The names are sealed, and lost when the process ends.
///
/// A name that came with a credential or a login whose claim is in doubt is written only if no other request claimed
/// that.
final class WaitingNames: Sendable {
    /// How long the shutdown waits for the names to be written.
    static let lastPatience = TimeAmount.seconds(2)
    /// The timeout of writing a name again that the store has.
    static let confirmationPatience = TimeAmount.milliseconds(400)

    private let store: SingleUseAccess
    private let shared: SharedStore
    /// Names that were given up, by `reason`.
    private let dropped: CounterFamily
    private let logger: Logger
    private let line = RareLine()
    private let state = Mutex(StateMachine())
    /// The calls of ``writeLast(on:)`` that wait until no name would be lost.
    private let ends = Mutex<[EventLoopPromise<Void>]>([])

    /// The reason why a name is not written.
    enum Reason: String, Sendable {
        case tooMany = "too_many"
        case expired
        /// Another request used what it came with.
        case usedBefore = "used_before"
        /// The limit of the store on one user or provider is reached.
        case refused
        /// The process ended.
        case ended
    }

    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped.
    /// - Returns: `nil` if the store is in memory, which is never away.
    init?(store: SingleUseAccess, metricsFactory factory: (any MetricsFactory)?, logger: Logger) {
        guard let shared = store.shared else { return nil }
        self.store = store
        self.shared = shared
        self.logger = logger
        dropped = CounterFamily("auth_names_dropped", ["reason"], factory: factory)
    }

    /// The number of names that wait.
    var count: Int { state.withLock { $0.count } }

    /// The number of names that would be lost with this process: those that wait and are in no store.
    var unwrittenCount: Int { state.withLock { $0.unwrittenCount } }

    /// The number that the next name gets. A name that is put in the store meanwhile is earlier than that one.
    var nextNumber: UInt64 { state.withLock { $0.next } }

    /// Adds a name, which is written as soon as possible.
    /// - Parameters:
    ///   - later: The number from which on names came later than this one.
    ///   - isWritten: Whether the store has it, and too few standbys.
    func add(
        _ name: WaitingName, before later: UInt64 = .max, isWritten: Bool = false, on eventLoop: any EventLoop
    ) {
        let now = eventLoop.now
        giveUp(state.withLock { $0.add(name, before: later, isWritten: isWritten, now: now) }, .tooMany, now)
        begin(on: eventLoop)
    }

    /// Notes that a name is in the store, in place of all earlier ones.
    /// - Parameter later: The number from which on names came later than this one.
    func stored(_ name: WaitingName, before later: UInt64, now: NIODeadline) {
        state.withLock { $0.stored(name, before: later, now: now) }
    }

    /// Returns the sealed name of a person that waits; `nil` if there is none that is known to be this person's.
    func value(at key: SingleUseKey) -> [UInt8]? { state.withLock { $0.value(at: key) } }

    /// Removes a sealed name, which an app received.
    func discard(_ sealed: [UInt8], at key: SingleUseKey) { state.withLock { $0.discard(sealed, at: key) } }

    // MARK: Writing

    private func begin(on eventLoop: any EventLoop) {
        if state.withLock({ $0.begins(eventLoop.now) }) { look(on: eventLoop) }
    }

    private func look(on eventLoop: any EventLoop) {
        let now = eventLoop.now
        let isAway = shared.isAway
        // The event loop that probed it may have stopped.
        if isAway { shared.probe(on: eventLoop) }
        let (action, expired) = state.withLock { $0.look(now, isAway: isAway) }
        giveUp(expired, .expired, now)
        tellEnds()
        switch action {
        case .rest: break
        case .wait(let next):
            eventLoop.scheduleTask(deadline: next) { [weak self] in self?.look(on: eventLoop) }
        case .write(let names, let round):
            for name in names {
                write(name, on: eventLoop).future(on: eventLoop).whenSuccess {
                    self.end(name, round, $0, on: eventLoop)
                }
            }
        }
    }

    /// Completes the waiting calls of ``writeLast(on:)`` if no name would be lost now.
    private func tellEnds() {
        let ends = self.ends.withLock { ends in
            guard !ends.isEmpty, unwrittenCount == 0 else { return [EventLoopPromise<Void>]() }
            defer { ends = [] }
            return ends
        }
        for end in ends { end.succeed(()) }
    }

    private func end(
        _ name: StateMachine.Numbered, _ round: UInt64, _ end: StateMachine.End, on eventLoop: any EventLoop
    ) {
        let now = eventLoop.now
        if case .givenUp(let reason) = end, !name.isWritten { giveUp(1, reason, now) }
        if state.withLock({ $0.end(name, round: round, end, now: now) }) { look(on: eventLoop) }
    }

    private func write(_ waiting: StateMachine.Numbered, on eventLoop: any EventLoop) -> Eventual<StateMachine.End> {
        let name = waiting.name
        // A claim that has expired looks like one that was never made.
        if let claim = name.claim, claim.end <= eventLoop.now { return .value(.givenUp(.expired)) }
        guard !waiting.isWritten else { return confirm(waiting, on: eventLoop) }
        return put(waiting, on: eventLoop)
    }

    /// Writes a name again that the store has, for its standbys, unless another replica stored a later one meanwhile.
    private func confirm(_ waiting: StateMachine.Numbered, on eventLoop: any EventLoop) -> Eventual<StateMachine.End> {
        store.read(waiting.name.key, on: eventLoop).flatMap(on: eventLoop) { value in
            guard value == nil || value == waiting.name.sealed else { return .value(.written) }
            // Not for long: another replica may store a later one.
            return self.put(waiting, within: Self.confirmationPatience, on: eventLoop)
        }.recover { _ in .failed }
    }

    private func put(
        _ waiting: StateMachine.Numbered, within patience: TimeAmount = SingleUseAccess.shortPatience,
        on eventLoop: any EventLoop
    ) -> Eventual<StateMachine.End> {
        let name = waiting.name
        return isFirst(name.claim, on: eventLoop).flatMap(on: eventLoop) {
            [store] isFirst -> Eventual<StateMachine.End> in
            guard isFirst else { return .value(.givenUp(.usedBefore)) }
            return store.within(patience).put(
                name.key, value: name.sealed, owner: name.owner, seconds: waiting.seconds, tellsUnconfirmed: true,
                on: eventLoop
            ).flatMapThrowing { put in
                switch put {
                case .stored: .written
                case .storedUnconfirmed: .unconfirmed
                case .tooManyOfOwner, .tooManyOfProvider: .givenUp(.refused)
                default: .failed
                }
            }
        }.recover { _ in .failed }
    }

    /// Returns whether no other request claimed what a name came with. What is unclaimed stays so, and may be presented
    /// again.
    private func isFirst(_ claim: ClaimInDoubt?, on eventLoop: any EventLoop) -> Eventual<Bool> {
        guard let claim else { return .value(true) }
        return store.isClaimed(claim.key, on: eventLoop).flatMap(on: eventLoop) { [store] isClaimed in
            isClaimed
                ? store.isClaimed(claim.key, byOneOf: claim.attempts[...], on: eventLoop) : .value(true)
        }
    }

    // MARK: Limits and the end

    private func giveUp(_ count: Int, _ reason: Reason, _ now: NIODeadline) {
        guard count > 0 else { return }
        dropped.add(count, reason.rawValue)
        // A credential that was presented again is no fault of the store.
        guard reason != .usedBefore, line.isDue(at: now) else { return }
        logger.warning(
            "names that waited for the store were given up: their people have to tell them to the apps",
            metadata: ["auth.detail": "\(reason.rawValue)"])
    }

    /// Waits until all names are written, two seconds at most. What is left then ends with the process.
    func writeLast(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        guard unwrittenCount > 0 else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        ends.withLock { $0.append(promise) }
        let timer = eventLoop.scheduleTask(in: Self.lastPatience) { [self] in
            giveUp(unwrittenCount, .ended, eventLoop.now)
            promise.succeed(())
        }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        // They may have been written meanwhile, or the event loop that wrote them has stopped.
        eventLoop.execute { [self] in
            if unwrittenCount == 0 { promise.succeed(()) } else { begin(on: eventLoop) }
        }
        return promise.futureResult
    }
}
