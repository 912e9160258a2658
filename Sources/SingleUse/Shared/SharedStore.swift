// SPDX-License-Identifier: Apache-2.0

package import Admission
package import Logging
package import NIOCore
import OpenIDConnect
import Synchronization

/// A store outside of this process, and what is done while it does not answer: an operation is repeated as the same
/// attempt until its timeout. Once nothing has succeeded for five seconds, the store is away: operations fail at once,
/// and it is probed until it answers.
///
/// So a sign-in outlasts a failover of four seconds.
package final class SharedStore: Sendable {
    /// An operation, as in metrics.
    package enum Operation: String, Sendable {
        case claim, put, take, read, remove
        case isClaimed = "is_claimed"

        /// Whether it changes nothing.
        package var isRead: Bool { self == .read || self == .isClaimed }
    }

    /// The pauses between two tries, in milliseconds. They are random, so that operations do not all come back at once.
    static let pauses: ClosedRange<Int64> = 50...250

    private let base: any SingleUseStore
    /// The store, if it is one whose calls end by themselves within seconds.
    private let engine: (any SingleUseEngine)?
    /// The engine, for spans.
    private let kind: String
    private let metrics: SharedStoreMetrics
    private let logger: Logger
    private let unconfirmed: UnconfirmedLog
    private let fullLine = LogThrottle()
    private let budgetLine = LogThrottle()
    private let storeClock: StoreClock
    private let doubtful: AttemptsInDoubt
    private let state: Mutex<StateMachine>
    /// The calls of ``reach(on:)`` that wait for the first answer.
    private let firstAnswer = Mutex<[EventLoopPromise<Void>]>([])

    /// - Parameters:
    ///   - storeClock: What compares the clock of the store with that of this process.
    ///   - memory: The budget for waiting values and attempts in doubt.
    package init(
        _ base: any SingleUseStore, storeClock: StoreClock, memory: MemoryBudget, metrics: SharedStoreMetrics,
        logger: Logger
    ) {
        self.base = base
        doubtful = AttemptsInDoubt(in: memory)
        state = Mutex(StateMachine(values: HeldQueue(.values, in: memory)))
        engine = base as? any SingleUseEngine
        kind = engine.map { type(of: $0).kind } ?? "other"
        self.metrics = metrics
        self.logger = logger
        unconfirmed = UnconfirmedLog(logger)
        self.storeClock = storeClock
        engine?.serverTime.observe { storeClock.compare($0, at: $1) }
    }

    /// What is known of the store.
    package var status: SharedStoreStatus { state.withLock { $0.status } }
    /// Whether operations are refused until a probe succeeds.
    var isAway: Bool { state.withLock { $0.isAway } }
    /// The number of operations that wait for it.
    package var waiting: Int { state.withLock { $0.operations } }

    /// The time of the store's server less that of this process, in seconds; `nil` if it is not known.
    package var clockOffset: Int64? { storeClock.offset }

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
    ///   - bytes: The memory of its value until it ends, in bytes.
    ///   - patience: Its timeout.
    ///   - trace: What it is traced under; `nil` for none.
    ///   - claiming: The key that it claims, and for whom; `nil` if it claims none.
    ///   - confirmation: How it ends if standbys do not confirm it; `nil` if they are not asked.
    ///   - isFull: Whether an answer says that the store is full.
    ///   - call: One try.
    func run<Value: Sendable>(
        _ operation: Operation, bytes: Int = 0, patience: TimeAmount, trace: (any StoreTrace)? = nil,
        claiming: Claiming? = nil, confirmation: StandbyConfirmation<Value>? = nil,
        isFull: @escaping @Sendable (Value) -> Bool = { _ in false }, on eventLoop: any EventLoop,
        _ call: @escaping @Sendable (any SingleUseStore) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        let begin = eventLoop.now
        let span = trace?.begin(operation, kind: kind)
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
        let timer =
            engine != nil ? nil : eventLoop.scheduleTask(in: patience) { promise.fail(SharedStoreError.timedOut) }
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
            metrics.duration(operation.rawValue, now - begin)
            switch result {
            case .success(let value):
                let isFull = isFull(value)
                if isFull { reportFull(operation, now) }
                let outcome = isFull ? "full" : "done"
                metrics.operation(operation.rawValue, outcome)
                span?.end(outcome, isFailure: isFull)
            case .failure(let error):
                // It may have been claimed for this attempt without a reply.
                if let claiming { doubtful.keep(claiming, now: now) }
                if error as? SharedStoreError == .unconfirmed { countUnconfirmed(operation, now) }
                let reason = ((error as? SharedStoreError) ?? .timedOut).reason
                metrics.operation(operation.rawValue, reason)
                span?.end(reason, isFailure: true)
                if engine == nil, error as? SharedStoreError == .timedOut { failed(error, now, on: eventLoop) }
            }
        }
        return result
    }

    /// Keeps an attempt of an earlier request in doubt that this one could not continue. A new attempt that was never
    /// sent has claimed nothing.
    private func keepInDoubt(_ claiming: Claiming?, _ now: NIODeadline) {
        if let claiming, claiming.isInDoubt { doubtful.keep(claiming, now: now) }
    }

    private func refuse<Value>(
        _ operation: Operation, _ error: SharedStoreError, _ span: StoreSpan?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Value> {
        metrics.operation(operation.rawValue, error.reason)
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
        if engine != nil, silence.leavesRoom, let time = confirmation.valuePatience {
            again.deadline = max(tries.deadline, tries.begin + time)
        }
        let limit = confirmation.limit(since: since, before: again.deadline)
        if silence.isWorthWhile, repeats(again, before: limit, now) { return }
        guard let outcome = confirmation.outcome(value) else {
            return tries.promise.fail(SharedStoreError.unconfirmed)
        }
        guard confirmation.demandsPrimary, let engine, engine.asksAboutPrimary else {
            return goOn(outcome, tries.operation, tries.promise, now)
        }
        // Those that know the primary may not answer either. A try that is under way is not cut off: its answer may
        // remove the value.
        let next = again
        let question = next.eventLoop.makePromise(of: Bool.self)
        let timer = next.eventLoop.scheduleTask(deadline: next.deadline) { question.succeed(false) }
        engine.isStillPrimary(silentSince: silence.since, on: next.eventLoop).cascade(to: question)
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
            "store full: sign-ins fail until entries expire", metadata: ["auth.detail": "\(operation.rawValue)"])
    }

    /// Counts an operation that was not sent, since this process has as much in the store as it may, and logs that at most
    /// once a minute.
    func reportOverBudget(_ operation: Operation, _ now: NIODeadline) {
        metrics.operation(operation.rawValue, "over_budget")
        guard budgetLine.isDue(at: now) else { return }
        logger.error(
            "store limit of this process reached: sign-ins fail until entries expire; add replicas",
            metadata: ["auth.detail": "\(operation.rawValue)"])
    }

    private func countUnconfirmed(_ operation: Operation, _ now: NIODeadline) {
        metrics.unconfirmed(operation.rawValue)
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
        metrics.retry(tries.operation.rawValue)
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
            logger.info("store connected")
            let promises = firstAnswer.withLock { promises in
                defer { promises = [] }
                return promises
            }
            for promise in promises { promise.succeed(()) }
        case .back(let after):
            logger.notice("store available again", metadata: ["auth.seconds": "\(after.nanoseconds / 1_000_000_000)"])
        }
    }

    private func failed(_ error: any Error, _ now: NIODeadline, on eventLoop: any EventLoop) {
        guard state.withLock({ $0.failed(now) }) == .away else { return }
        // The description of an embedder's own error may contain anything.
        let detail =
            (error as? any SingleUseStoreFailure)?.reason ?? (error as? SharedStoreError)?.reason
            ?? "\(type(of: error))"
        logger.error(
            "store unavailable: sign-ins fail until it responds",
            metadata: ["auth.detail": "\(LogText.detail(detail))"])
        probe(on: eventLoop)
    }

    /// Asks the store until it answers for the first time since the start.
    /// - Throws: `CancellationError` when the task is canceled.
    package func reach(on eventLoop: any EventLoop) async throws {
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

    /// Looks at the store every second while the event loop runs, and asks it while nothing else does. Call it once.
    package func watch(on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: StateMachine.watchInterval) { [weak self] in
            guard let self else { return }
            look(on: eventLoop)
            watch(on: eventLoop)
        }
    }

    private func look(on eventLoop: any EventLoop) {
        let now = eventLoop.now
        switch state.withLock({ $0.look(now) }) {
        case .none: break
        case .ask: ask(on: eventLoop)
        case .unanswered: failed(SharedStoreError.timedOut, now, on: eventLoop)
        }
    }

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
