// SPDX-License-Identifier: Apache-2.0

import NIOCore
import SingleUse

/// The connection of one event loop, which is made when it is needed and again after it ended. Apart from the shutdown
/// and ``leave(unless:)`` it is used on that event loop only.
final class ValkeyLoop: Sendable {
    private enum State {
        case idle
        case connecting(EventLoopFuture<Void>)
        case connected(ValkeyConnection, to: ValkeyAddress)
        case shutDown
    }

    /// How long the answers of the sentinels are reused: less than `down-after-milliseconds`, before which they elect
    /// no other primary.
    private static let surveyTime = TimeAmount.milliseconds(500)

    /// What most sentinels said about an address.
    private struct Survey {
        let address: ValkeyAddress
        let begin: NIODeadline
        let verdict: EventLoopFuture<PrimaryReach.Verdict>
    }

    let eventLoop: any EventLoop
    private let connector: ValkeyConnector
    private let refusals: RefusalLog
    private let state: NIOLoopBoundBox<State>
    /// The primary that was announced since the connection is being made.
    private let announced: NIOLoopBoundBox<ValkeyAddress?>
    private let lastSurvey: NIOLoopBoundBox<Survey?>

    init(eventLoop: any EventLoop, connector: ValkeyConnector, refusals: RefusalLog) {
        self.eventLoop = eventLoop
        self.connector = connector
        self.refusals = refusals
        state = NIOLoopBoundBox.makeBoxSendingValue(State.idle, eventLoop: eventLoop)
        announced = NIOLoopBoundBox.makeBoxSendingValue(ValkeyAddress?.none, eventLoop: eventLoop)
        lastSurvey = NIOLoopBoundBox.makeBoxSendingValue(Survey?.none, eventLoop: eventLoop)
    }

    /// Sends a command, after a connection is made if there is none.
    func send(_ command: RESPCommand) -> EventLoopFuture<RESPValue> {
        with { $0.send(command) }
    }

    /// Sends a command that writes, after a connection is made if there is none.
    ///
    /// An unconfirmed answer is returned only while more than half of the sentinels name this server as the primary.
    /// Otherwise a primary that is cut off together with this process could grant the same claims as the new primary.
    func write(_ command: RESPCommand) -> EventLoopFuture<ConfirmedAnswer> {
        let answer = with { $0.write(command) }
        guard connector.asksAboutPrimary else { return answer }
        return answer.flatMap { answer in
            answer.isConfirmed ? self.eventLoop.makeSucceededFuture(answer) : self.whilePrimary(answer)
        }
    }

    private func whilePrimary(_ answer: ConfirmedAnswer) -> EventLoopFuture<ConfirmedAnswer> {
        guard case .connected(let connection, let address) = state.value else {
            return eventLoop.makeFailedFuture(ValkeyStoreError.closed)
        }
        let bound = NIOLoopBound(connection, eventLoop: eventLoop)
        return survey(of: address).verdict.flatMapThrowing { verdict in
            guard verdict != .notNamed else {
                let error = ValkeyStoreError.notPrimary.with("it has lost its standbys and most sentinels")
                bound.value.close(error)
                throw error
            }
            // A new connection may be one to another server, which the next check would be about.
            guard case .connected(let current, _) = self.state.value, current === bound.value else {
                throw ValkeyStoreError.closed
            }
            return answer
        }
    }

    /// Returns whether more than half of the sentinels reach the server of the connection, asked so long after the
    /// standbys fell silent that they would have noticed a server that was cut off at that time. Call it on the event
    /// loop. It does not fail.
    func isStillPrimary(silentSince silence: NIODeadline) -> EventLoopFuture<Bool> {
        guard case .connected(_, let address) = state.value else { return eventLoop.makeSucceededFuture(false) }
        let first = survey(of: address)
        return first.verdict.flatMap { verdict -> EventLoopFuture<Bool> in
            guard case .reached(let noticedWithin) = verdict else { return self.eventLoop.makeSucceededFuture(false) }
            let end = silence + noticedWithin
            guard first.begin < end else { return self.eventLoop.makeSucceededFuture(true) }
            guard self.eventLoop.now >= end else { return self.eventLoop.makeSucceededFuture(false) }
            let second = self.survey(of: address, notBefore: end)
            return second.verdict.map { verdict -> Bool in
                guard case .reached(let noticedWithin) = verdict else { return false }
                return second.begin >= silence + noticedWithin
            }
        }
    }

    private func survey(of address: ValkeyAddress, notBefore earliest: NIODeadline? = nil) -> Survey {
        if let known = lastSurvey.value, known.address == address, eventLoop.now - known.begin < Self.surveyTime,
            earliest.map({ known.begin >= $0 }) ?? true
        {
            return known
        }
        let begin = eventLoop.now
        let new = Survey(address: address, begin: begin, verdict: connector.reach(of: address, on: eventLoop))
        lastSurvey.value = new
        return new
    }

    private func with<Answer: Sendable>(
        _ body: @escaping @Sendable (ValkeyConnection) -> EventLoopFuture<Answer>
    ) -> EventLoopFuture<Answer> {
        switch state.value {
        case .connected(let connection, _): body(connection)
        case .connecting(let ready): ready.flatMap { self.withConnected(body) }
        case .idle: connect().flatMap { self.withConnected(body) }
        case .shutDown: eventLoop.makeFailedFuture(ValkeyStoreError.closed)
        }
    }

    private func withConnected<Answer: Sendable>(
        _ body: @Sendable (ValkeyConnection) -> EventLoopFuture<Answer>
    ) -> EventLoopFuture<Answer> {
        guard case .connected(let connection, _) = state.value else {
            return eventLoop.makeFailedFuture(ValkeyStoreError.closed)
        }
        return body(connection)
    }

    /// Closes a connection that does not go to the primary that was announced. It may be called from any thread.
    func leave(unless address: ValkeyAddress) {
        eventLoop.execute {
            switch self.state.value {
            case .connecting: self.announced.value = address
            case .connected(let connection, let known) where known != address:
                connection.close(.closed.with("another primary was announced"))
            case .idle, .connected, .shutDown: break
            }
        }
    }

    /// Closes the connection and makes none any more.
    func shutdown() -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            let before = self.state.value
            self.state.value = .shutDown
            switch before {
            case .idle, .shutDown:
                break
            case .connecting(let ready):
                return ready.flatMapErrorThrowing { _ in }
            case .connected(let connection, _):
                connection.close(.closed)
            }
            return self.eventLoop.makeSucceededVoidFuture()
        }
    }

    private func connect() -> EventLoopFuture<Void> {
        let ready = eventLoop.makePromise(of: Void.self)
        state.value = .connecting(ready.futureResult)
        announced.value = nil
        connector.connect(on: eventLoop).whenComplete { result in
            switch result {
            case .success(let connected): self.connected(connected.connection.value, to: connected.address, ready)
            case .failure(let error): self.failed(error, ready)
            }
        }
        return ready.futureResult
    }

    private func connected(
        _ connection: ValkeyConnection, to address: ValkeyAddress, _ ready: EventLoopPromise<Void>
    ) {
        guard case .connecting = state.value else {
            connection.close(.closed)
            return ready.fail(ValkeyStoreError.closed)
        }
        guard connection.isOpen else { return failed(ValkeyStoreError.unreachable, ready) }
        if let announced = announced.value, announced != address {
            connection.close(.closed)
            return failed(ValkeyStoreError.closed.with("another primary was announced"), ready)
        }
        state.value = .connected(connection, to: address)
        connection.onEnd = { self.ended() }
        ready.succeed(())
    }

    private func failed(_ error: any Error, _ ready: EventLoopPromise<Void>) {
        if case .connecting = state.value { state.value = .idle }
        if let error = error as? ValkeyStoreError { refusals.record(error, at: eventLoop.now) }
        ready.fail(error)
    }

    private func ended() {
        if case .connected = state.value { state.value = .idle }
    }
}
