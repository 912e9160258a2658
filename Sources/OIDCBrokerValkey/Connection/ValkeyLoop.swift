// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The connection of one event loop, which is made when it is needed and again after it ended. Apart from the shutdown
/// and ``leave(unless:)`` it is used on that event loop only.
final class ValkeyLoop: Sendable {
    private enum State {
        case idle
        case connecting(EventLoopFuture<Void>)
        case connected(ValkeyConnection, to: ValkeyAddress)
        case shutDown
    }

    let eventLoop: any EventLoop
    private let connector: ValkeyConnector
    private let refusals: RefusalLog
    private let state: NIOLoopBoundBox<State>
    /// The primary that was announced since the connection is being made.
    private let announced: NIOLoopBoundBox<ValkeyAddress?>

    init(eventLoop: any EventLoop, connector: ValkeyConnector, refusals: RefusalLog) {
        self.eventLoop = eventLoop
        self.connector = connector
        self.refusals = refusals
        state = NIOLoopBoundBox.makeBoxSendingValue(State.idle, eventLoop: eventLoop)
        announced = NIOLoopBoundBox.makeBoxSendingValue(ValkeyAddress?.none, eventLoop: eventLoop)
    }

    /// Sends a command, after a connection is made if there is none.
    func send(_ command: RESPCommand) -> EventLoopFuture<RESPValue> {
        with { $0.send(command) }
    }

    /// Sends a command that writes, after a connection is made if there is none.
    func write(_ command: RESPCommand) -> EventLoopFuture<ConfirmedAnswer> {
        with { $0.write(command) }
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
