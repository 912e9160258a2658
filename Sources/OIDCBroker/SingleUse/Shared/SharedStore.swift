// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OpenIDConnect
import Synchronization

/// A store outside of this process, with what is done while it is away: an operation is repeated as the same attempt
/// until its time is over, and once nothing has succeeded for five seconds, nobody waits any more and the store is probed.
///
/// So a failover of four seconds costs four seconds, and nothing else.
final class SharedStore: Sendable {
    /// An operation, as in metrics.
    enum Operation: String, Sendable {
        case claim, put, take, read, remove
        case isClaimed = "is_claimed"

        /// Whether it changes nothing.
        var isRead: Bool { self == .read || self == .isClaimed }
    }

    /// The pauses between two tries. They are random, so that many who wait do not come at once.
    static let pauses: ClosedRange<Int64> = 50...250

    private let base: any SingleUseStore
    /// Whether every call of the store ends by itself within seconds.
    private let isBounded: Bool
    private let metrics: SharedStoreMetrics
    private let logger: Logger
    private let unconfirmed: UnconfirmedLog
    private let doubtful = AttemptsInDoubt()
    private let state = Mutex(StateMachine())
    /// Those who wait for the first answer.
    private let firstAnswer = Mutex<[EventLoopPromise<Void>]>([])

    init(_ base: any SingleUseStore, metrics: SharedStoreMetrics, logger: Logger) {
        self.base = base
        isBounded = base is any BoundedSingleUseStore
        self.metrics = metrics
        self.logger = logger
        unconfirmed = UnconfirmedLog(logger)
    }

    /// What is known of the store.
    var status: SharedStoreStatus { state.withLock { $0.status } }
    /// The number of operations that wait for it.
    var waiting: Int { state.withLock { $0.operations } }

    /// An operation that is tried.
    private struct Tries<Value: Sendable>: Sendable {
        let operation: Operation
        let deadline: NIODeadline
        let eventLoop: any EventLoop
        let confirmation: StandbyConfirmation<Value>?
        let call: @Sendable (any SingleUseStore) -> EventLoopFuture<Value>
        let promise: EventLoopPromise<Value>
        /// The key that it claims, and for whom; `nil` if it claims none.
        let claiming: Claiming?
        /// When it was answered first without being confirmed.
        var unconfirmedSince: NIODeadline?
    }

    /// Runs an operation until it succeeds or its time is over.
    /// - Parameters:
    ///   - bytes: The size of its value.
    ///   - patience: Its time.
    ///   - claiming: The key that it claims, and for whom; `nil` if it claims none.
    ///   - confirmation: What becomes of it where standbys do not confirm it; `nil` if they are not asked.
    ///   - call: One try.
    func run<Value: Sendable>(
        _ operation: Operation, bytes: Int = 0, patience: TimeAmount, claiming: Claiming? = nil,
        confirmation: StandbyConfirmation<Value>? = nil, on eventLoop: any EventLoop,
        _ call: @escaping @Sendable (any SingleUseStore) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        let begin = eventLoop.now
        switch state.withLock({ $0.begin(bytes: bytes, isRead: operation.isRead, now: begin) }) {
        case .proceed: break
        case .tooMany:
            metrics.operations.increment(operation.rawValue, SharedStoreError.tooMany.reason)
            return eventLoop.makeFailedFuture(SharedStoreError.tooMany)
        case .away:
            probe(on: eventLoop)
            metrics.operations.increment(operation.rawValue, SharedStoreError.away.reason)
            return eventLoop.makeFailedFuture(SharedStoreError.away)
        }
        let promise = eventLoop.makePromise(of: Value.self)
        // A store whose calls end by themselves needs no timer for each of them.
        let timer = isBounded ? nil : eventLoop.scheduleTask(in: patience) { promise.fail(SharedStoreError.timedOut) }
        attempt(
            Tries(
                operation: operation, deadline: begin + patience, eventLoop: eventLoop, confirmation: confirmation,
                call: call, promise: promise, claiming: claiming))
        let result = promise.futureResult
        result.whenComplete { [self] result in
            timer?.cancel()
            let now = eventLoop.now
            state.withLock { $0.end(bytes: bytes) }
            metrics.duration.record(now - begin, operation.rawValue)
            switch result {
            case .success: metrics.operations.increment(operation.rawValue, "done")
            case .failure(let error):
                // It may have been claimed for this attempt, and nobody was told.
                if let claiming { doubtful.keep(claiming, now: now) }
                metrics.operations.increment(
                    operation.rawValue, (error as? SharedStoreError)?.reason ?? SharedStoreError.timedOut.reason)
                if !isBounded, error as? SharedStoreError == .timedOut { failed(error, now, on: eventLoop) }
            }
        }
        return result
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
                if !repeats(tries, before: tries.deadline, now) { tries.promise.fail(error) }
            }
        }
    }

    private func answered<Value: Sendable>(_ value: Value, _ tries: Tries<Value>, _ now: NIODeadline) {
        guard let confirmation = tries.confirmation else { return tries.promise.succeed(value) }
        let isConfirmed = confirmation.isConfirmed(value)
        let isWorthWhile = state.withLock { $0.confirmed(isConfirmed, now) }
        guard !isConfirmed else { return tries.promise.succeed(value) }
        let since = tries.unconfirmedSince ?? now
        var again = tries
        again.unconfirmedSince = since
        let limit = confirmation.limit(since: since, before: tries.deadline)
        if isWorthWhile, repeats(again, before: limit, now) { return }
        metrics.unconfirmed.increment(tries.operation.rawValue)
        unconfirmed.record(tries.operation, at: now)
        guard let outcome = confirmation.outcome(value) else {
            return tries.promise.fail(SharedStoreError.unconfirmed)
        }
        tries.promise.succeed(outcome)
    }

    /// Tries once more after a pause; returns whether it does.
    private func repeats<Value: Sendable>(
        _ tries: Tries<Value>, before limit: NIODeadline, _ now: NIODeadline
    ) -> Bool {
        let pause = TimeAmount.milliseconds(Int64.random(in: Self.pauses))
        guard let next = state.withLock({ $0.retry(before: limit, pause: pause, now: now) }) else { return false }
        metrics.retries.increment(tries.operation.rawValue)
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

    /// The attempt of an operation that claims a key: that of an earlier one of which nobody knows how it ended, or a new
    /// one.
    func attempt(for key: SingleUseKey, now: NIODeadline) -> SingleUseAttempt { doubtful.take(key, now: now) }

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

/// A store each of whose calls ends by itself within seconds, so that nobody has to set a timer for it.
package protocol BoundedSingleUseStore: SingleUseStore {}

/// An error of a store that says in words without secrets what is wrong.
package protocol SingleUseStoreFailure: Error {
    /// What is wrong, for a log.
    var reason: String { get }
}
