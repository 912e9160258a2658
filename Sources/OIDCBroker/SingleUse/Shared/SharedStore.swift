// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

/// A store outside of this process, and what is done while it does not answer: an operation is repeated as the same
/// attempt until its timeout. Once nothing has succeeded for five seconds, the store is away: operations fail at once,
/// and it is probed until it answers.
///
/// So a sign-in outlasts a failover of four seconds.
final class SharedStore: Sendable {
    /// An operation, as in metrics.
    enum Operation: String, Sendable {
        case claim, put, take, read, remove
        case isClaimed = "is_claimed"

        /// Whether it changes nothing.
        var isRead: Bool { self == .read || self == .isClaimed }
    }

    /// The pauses between two tries, in milliseconds. They are random, so that operations do not all come back at once.
    static let pauses: ClosedRange<Int64> = 50...250

    private let base: any SingleUseStore
    /// The store, if it can say whether a server that standbys do not confirm is the primary.
    private let primaryChecking: (any PrimaryCheckingStore)?
    /// The engine, for spans.
    private let kind: String
    /// Whether every call of the store ends by itself within seconds.
    private let isBounded: Bool
    private let metrics: SharedStoreMetrics
    private let logger: Logger
    private let unconfirmed: UnconfirmedLog
    private let fullLine = RareLine()
    private let budgetLine = RareLine()
    private let storeClock: StoreClock
    private let doubtful = AttemptsInDoubt()
    private let takes = TakesInDoubt()
    private let state = Mutex(StateMachine())
    /// The calls of ``reach(on:)`` that wait for the first answer.
    private let firstAnswer = Mutex<[EventLoopPromise<Void>]>([])

    /// - Parameter clock: The wall clock of this process, with which that of the store is compared.
    init(_ base: any SingleUseStore, clock: any UnixClock, metrics: SharedStoreMetrics, logger: Logger) {
        self.base = base
        kind = (base as? any NamedSingleUseStore).map { type(of: $0).kind } ?? "other"
        isBounded = base is any BoundedSingleUseStore
        let checking = base as? any PrimaryCheckingStore
        primaryChecking = checking?.asksAboutPrimary == true ? checking : nil
        self.metrics = metrics
        self.logger = logger
        unconfirmed = UnconfirmedLog(logger)
        let storeClock = StoreClock(clock: clock, logger: logger)
        self.storeClock = storeClock
        (base as? any TimeTellingStore)?.serverTime.observe { storeClock.compare($0, at: $1) }
    }

    /// What is known of the store.
    var status: SharedStoreStatus { state.withLock { $0.status } }
    /// Whether operations are refused until a probe succeeds.
    var isAway: Bool { state.withLock { $0.isAway } }
    /// The number of operations that wait for it.
    var waiting: Int { state.withLock { $0.operations } }

    /// The time of the store's server less that of this process, in seconds; `nil` if it is not known.
    var clockOffset: Int64? { storeClock.offset }

    /// An operation that is tried.
    private struct Tries<Value: Sendable>: Sendable {
        let operation: Operation
        let begin: NIODeadline
        /// When it ends. It is moved once if a value was received that would be lost otherwise.
        var deadline: NIODeadline
        let eventLoop: any EventLoop
        let confirmation: StandbyConfirmation<Value>?
        let call: @Sendable (any SingleUseStore) -> EventLoopFuture<Value>
        let promise: EventLoopPromise<Value>
        /// The key that it claims, and for whom; `nil` if it claims none.
        let claiming: Claiming?
        /// Its span; `nil` if it is not traced.
        let span: StoreSpan?
        /// When it was answered first without being confirmed.
        var unconfirmedSince: NIODeadline?
    }

    /// Runs an operation until it succeeds or its time is over.
    /// - Parameters:
    ///   - bytes: The size of its value.
    ///   - patience: Its timeout.
    ///   - span: The span of the request, under which the operation gets its own; `nil` for none.
    ///   - claiming: The key that it claims, and for whom; `nil` if it claims none.
    ///   - confirmation: How it ends if standbys do not confirm it; `nil` if they are not asked.
    ///   - isFull: Whether an answer says that the store is full.
    ///   - call: One try.
    func run<Value: Sendable>(
        _ operation: Operation, bytes: Int = 0, patience: TimeAmount, span: RequestSpan? = nil,
        claiming: Claiming? = nil, confirmation: StandbyConfirmation<Value>? = nil,
        isFull: @escaping @Sendable (Value) -> Bool = { _ in false }, on eventLoop: any EventLoop,
        _ call: @escaping @Sendable (any SingleUseStore) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        let begin = eventLoop.now
        let span = span?.begin(operation, kind: kind)
        switch state.withLock({ $0.begin(bytes: bytes, isRead: operation.isRead, now: begin) }) {
        case .proceed: break
        case .tooMany:
            keepInDoubt(claiming, begin)
            return refuse(operation, .tooMany, span, on: eventLoop)
        case .away:
            keepInDoubt(claiming, begin)
            probe(on: eventLoop)
            return refuse(operation, .away, span, on: eventLoop)
        }
        let promise = eventLoop.makePromise(of: Value.self)
        // A store whose calls end by themselves needs no timer for each of them.
        let timer = isBounded ? nil : eventLoop.scheduleTask(in: patience) { promise.fail(SharedStoreError.timedOut) }
        attempt(
            Tries(
                operation: operation, begin: begin, deadline: begin + patience, eventLoop: eventLoop,
                confirmation: confirmation,
                call: call, promise: promise, claiming: claiming, span: span))
        let result = promise.futureResult
        result.whenComplete { [self] result in
            timer?.cancel()
            let now = eventLoop.now
            state.withLock { $0.end(bytes: bytes) }
            metrics.duration.record(now - begin, operation.rawValue)
            switch result {
            case .success(let value):
                let isFull = isFull(value)
                if isFull { reportFull(operation, now) }
                let outcome = isFull ? "full" : "done"
                metrics.operations.increment(operation.rawValue, outcome)
                span?.end(outcome, isFailure: isFull)
            case .failure(let error):
                // It may have been claimed for this attempt, and nobody was told.
                if let claiming { doubtful.keep(claiming, now: now) }
                if error as? SharedStoreError == .unconfirmed { countUnconfirmed(operation, now) }
                let reason = ((error as? SharedStoreError) ?? .timedOut).reason
                metrics.operations.increment(operation.rawValue, reason)
                span?.end(reason, isFailure: true)
                if !isBounded, error as? SharedStoreError == .timedOut { failed(error, now, on: eventLoop) }
            }
        }
        return result
    }

    /// Keeps an attempt of an earlier request in doubt that this one could not continue. A new attempt that was never
    /// sent has claimed nothing.
    func keepInDoubt(_ claiming: Claiming?, _ now: NIODeadline) {
        if let claiming, claiming.isInDoubt { doubtful.keep(claiming, now: now) }
    }

    private func refuse<Value>(
        _ operation: Operation, _ error: SharedStoreError, _ span: StoreSpan?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Value> {
        metrics.operations.increment(operation.rawValue, error.reason)
        span?.end(error.reason, isFailure: true)
        return eventLoop.makeFailedFuture(error)
    }

    private func attempt<Value: Sendable>(_ tries: Tries<Value>) {
        let eventLoop = tries.eventLoop
        tries.call(base).whenComplete { [self] result in
            let now = eventLoop.now
            switch result {
            case .success(let value):
                succeeded(now, isRead: tries.operation.isRead)
                answered(value, tries, now)
            case .failure(let error):
                failed(error, now, on: eventLoop)
                guard !repeats(tries, before: tries.deadline, now) else { return }
                tries.promise.fail(tries.unconfirmedSince == nil ? error : SharedStoreError.unconfirmed)
            }
        }
    }

    private func answered<Value: Sendable>(_ value: Value, _ tries: Tries<Value>, _ now: NIODeadline) {
        guard let confirmation = tries.confirmation else { return tries.promise.succeed(value) }
        guard !confirmation.isConfirmed(value) else {
            state.withLock { $0.confirmed() }
            return tries.promise.succeed(value)
        }
        let silence = state.withLock { $0.unconfirmed(now) }
        var again = tries
        let since = tries.unconfirmedSince ?? now
        again.unconfirmedSince = since
        // A timer ends what a store without bounds does not answer.
        if isBounded, silence.leavesRoom, let time = confirmation.valuePatience {
            again.deadline = max(tries.deadline, tries.begin + time)
        }
        let limit = confirmation.limit(since: since, before: again.deadline)
        if silence.isWorthWhile, repeats(again, before: limit, now) { return }
        guard let outcome = confirmation.outcome(value) else {
            return tries.promise.fail(SharedStoreError.unconfirmed)
        }
        guard confirmation.demandsPrimary, let primaryChecking else {
            return goOn(outcome, tries.operation, tries.promise, now)
        }
        // Those that know the primary may not answer either. A try that is under way is not cut off: its answer may
        // remove the value.
        let next = again
        let question = next.eventLoop.makePromise(of: Bool.self)
        let timer = next.eventLoop.scheduleTask(deadline: next.deadline) { question.succeed(false) }
        primaryChecking.isStillPrimary(silentSince: silence.since, on: next.eventLoop).cascade(to: question)
        question.futureResult.whenComplete { [self] result in
            timer.cancel()
            let now = next.eventLoop.now
            if case .success(true) = result, now < next.deadline {
                return goOn(outcome, next.operation, next.promise, now)
            }
            if !repeats(next, before: next.deadline, now) { next.promise.fail(SharedStoreError.unconfirmed) }
        }
    }

    /// Completes an operation that standbys did not confirm.
    private func goOn<Value: Sendable>(
        _ outcome: Value, _ operation: Operation, _ promise: EventLoopPromise<Value>, _ now: NIODeadline
    ) {
        countUnconfirmed(operation, now)
        promise.succeed(outcome)
    }

    /// Logs that the store refused an operation since it is full, at most once a minute.
    private func reportFull(_ operation: Operation, _ now: NIODeadline) {
        guard fullLine.isDue(at: now) else { return }
        logger.error(
            "the store is full: sign-ins fail until it has room", metadata: ["auth.detail": "\(operation.rawValue)"])
    }

    /// Counts an operation that was not sent, since this process has as much in the store as it may, and logs that at most
    /// once a minute.
    func reportOverBudget(_ operation: Operation, _ now: NIODeadline) {
        metrics.operations.increment(operation.rawValue, "over_budget")
        guard budgetLine.isDue(at: now) else { return }
        logger.error(
            "this process has as much in the store as it may: sign-ins fail until some of it has expired",
            metadata: ["auth.detail": "\(operation.rawValue)"])
    }

    private func countUnconfirmed(_ operation: Operation, _ now: NIODeadline) {
        metrics.unconfirmed.increment(operation.rawValue)
        unconfirmed.record(operation, at: now)
    }

    /// Schedules another try after a pause; returns `false` if there is no time for one.
    private func repeats<Value: Sendable>(
        _ tries: Tries<Value>, before limit: NIODeadline, _ now: NIODeadline
    ) -> Bool {
        let pause = TimeAmount.milliseconds(Int64.random(in: Self.pauses))
        let hasValue = tries.unconfirmedSince != nil && tries.confirmation?.valuePatience != nil
        let next = state.withLock { $0.retry(before: limit, pause: pause, hasValue: hasValue, now: now) }
        guard let next else { return false }
        metrics.retries.increment(tries.operation.rawValue)
        tries.span?.countRetry()
        // On an event loop that ends, nothing scheduled runs any more.
        tries.eventLoop.scheduleTask(deadline: next) { self.attempt(tries) }
            .futureResult.whenFailure { tries.promise.fail($0) }
        return true
    }

    // MARK: Away and back

    private func succeeded(_ now: NIODeadline, isRead: Bool = false) {
        switch state.withLock({ $0.succeeded(now, isRead: isRead) }) {
        case .none, .away: break
        case .reached:
            logger.info("the store was reached")
            let promises = firstAnswer.withLock { promises in
                defer { promises = [] }
                return promises
            }
            for promise in promises { promise.succeed(()) }
        case .back(let after):
            logger.notice("the store is back", metadata: ["auth.seconds": "\(after.nanoseconds / 1_000_000_000)"])
        }
    }

    private func failed(_ error: any Error, _ now: NIODeadline, on eventLoop: any EventLoop) {
        guard state.withLock({ $0.failed(now) }) == .away else { return }
        // The description of an embedder's own error may contain anything.
        let detail = (error as? any SingleUseStoreFailure)?.reason ?? "\(type(of: error))"
        logger.error(
            "the store is away: sign-ins fail until it is back",
            metadata: ["auth.detail": "\(LogText.detail(detail))"])
        probe(on: eventLoop)
    }

    /// Asks the store until it answers for the first time since the start.
    /// - Throws: `CancellationError` when the task is canceled.
    func reach(on eventLoop: any EventLoop) async throws {
        let promise = eventLoop.makePromise(of: Void.self)
        firstAnswer.withLock { $0.append(promise) }
        if status == .notReached {
            eventLoop.execute { self.probe(on: eventLoop) }
        } else {
            promise.succeed(())
        }
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    /// Returns the attempt for an operation that claims a key: one of an earlier request that is in doubt, or a new
    /// one.
    func claiming(_ key: SingleUseKey, now: NIODeadline) -> Claiming { doubtful.take(key, now: now) }

    /// Continues a failed take in the background, unless it was never sent.
    func goOn(as claiming: Claiming, claimSeconds: Int64, on eventLoop: any EventLoop) {
        guard doubtful.contains(claiming) else { return }
        let known = Claiming(key: claiming.key, attempt: claiming.attempt, isInDoubt: true)
        takes.add(
            TakeInDoubt(claiming: known, claimSeconds: claimSeconds, begin: eventLoop.now), of: self, on: eventLoop)
    }

    /// Removes an attempt from those in doubt, so that only the caller continues it; returns `false` if it is none of
    /// them, since another request may have it.
    func withdraw(_ claiming: Claiming) -> Bool { doubtful.remove(claiming) }

    /// Asks the store every quarter of a second until it answers.
    func probe(on eventLoop: any EventLoop) {
        if state.withLock({ $0.beginsProbing(eventLoop.now) }) { nextProbe(on: eventLoop) }
    }

    private func nextProbe(on eventLoop: any EventLoop) {
        guard let (asks, next) = state.withLock({ $0.probe(eventLoop.now) }) else { return }
        if asks { ask(on: eventLoop) }
        eventLoop.scheduleTask(deadline: next) { [weak self] in self?.nextProbe(on: eventLoop) }
    }

    private func ask(on eventLoop: any EventLoop) {
        // A write: a primary whose replicas are cut off still answers reads.
        let attempt = SingleUseAttempt()
        base.claim(
            SingleUseKey(.probe, attempt.bytes), attempt: attempt, owner: nil, lifetime: .seconds(1), on: eventLoop
        ).whenComplete { [self] result in
            state.withLock { $0.endProbe() }
            switch result {
            case .success: succeeded(eventLoop.now)
            case .failure(let error): failed(error, eventLoop.now, on: eventLoop)
            }
        }
    }
}

/// A store each of whose calls ends by itself within seconds, and so needs no timer.
package protocol BoundedSingleUseStore: SingleUseStore {}
