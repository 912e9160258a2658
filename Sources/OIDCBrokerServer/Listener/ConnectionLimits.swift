// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import NIOCore
import OIDCBroker
import OIDCBrokerNIO
import OpenIDRelyingParty
import Synchronization

/// The limits on open connections: of all clients, and of each address, IPv6 of each /64.
///
/// A connection over a limit is closed before a byte is read, and those that are open are not touched: closing them for
/// new ones would close those of people for those of a flood.
final class ConnectionLimits: Sendable {
    private enum Maximum {
        /// That of the configuration, and no more than the limit on open files leaves.
        case configured(capacity: Int)
        /// A number of places for the loopback listener.
        case ofLoopback(Int)
    }

    private let state = Mutex(StateMachine())
    private let live: LiveServerConfiguration
    /// The maximum number of connections.
    private let maximum: Maximum
    private let clock: any ElapsedClock
    private let logger: Logger
    /// The counters of refusals, also of those for another reason than a limit.
    let refusals: ConnectionRefusalCounters

    /// - Parameters:
    ///   - live: The configuration with the limits.
    ///   - capacity: The number of connections that the limit on open files leaves.
    ///   - clock: The clock of the log, of which one line is written a second.
    ///   - logger: The logger of refusals.
    ///   - metricsFactory: What makes the counters.
    init(
        _ live: LiveServerConfiguration, capacity: Int, clock: any ElapsedClock = SystemElapsedClock(), logger: Logger,
        metricsFactory: any MetricsFactory
    ) {
        self.live = live
        maximum = .configured(capacity: capacity)
        self.clock = clock
        self.logger = logger
        refusals = ConnectionRefusalCounters(factory: metricsFactory)
    }

    /// Creates the limits of the loopback listener, of which the connections to other listeners take nothing.
    /// - Parameters:
    ///   - places: The maximum number of connections.
    ///   - others: The limits of the other listeners, whose log and counters it has.
    init(ofLoopback places: Int, beside others: ConnectionLimits) {
        live = others.live
        maximum = .ofLoopback(places)
        clock = others.clock
        logger = others.logger
        refusals = others.refusals
    }

    /// Counts a connection until it closes. The peer has a limit of its own only if it is the client, and no proxy.
    /// - Throws: The reason if it is over a limit.
    func admit(_ channel: any Channel, with addressing: ClientAddressing) throws(ConnectionRefusal) {
        guard case .client(let client?) = addressing.peer(channel.remoteAddress),
            !live.rules.proxies.contains(client)
        else { return try admit(channel, from: nil) }
        try admit(channel, from: client)
    }

    /// Counts a connection until it closes.
    /// - Parameters:
    ///   - channel: The channel of the connection.
    ///   - client: The address of the client; `nil` if it is not known, or the peer is a proxy that speaks for others.
    /// - Throws: The reason if it is over a limit. Nothing was counted then, and the caller closes it.
    func admit(_ channel: any Channel, from client: IPAddress?) throws(ConnectionRefusal) {
        let limits = live.current.limits
        let (places, over): (Int, ConnectionRefusal) =
            switch maximum {
            case .configured(let capacity): (min(limits.connections, capacity), .total)
            case .ofLoopback(let places): (places, .loopback)
            }
        let now = clock.now()
        let admission = state.withLock { state in
            state.open(
                from: client, atMost: places, over: over, ofAddress: limits.connectionsPerAddress, now: now)
        }
        switch admission {
        case .admitted:
            channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.close(from: client) } }
        case .refused(let refusal, let line):
            refusals.count(refusal)
            note(refusal, line, of: client)
            throw refusal
        }
    }

    private func note(_ refusal: ConnectionRefusal, _ line: StateMachine.Line, of client: IPAddress?) {
        guard case .write(let leftOut) = line else { return }
        var metadata: Logger.Metadata = ["auth.limit": "\(refusal.rawValue)"]
        if leftOut > 0 { metadata["auth.repeated"] = "\(leftOut)" }
        if let client { metadata["auth.client"] = "\(client)" }
        // One address over its limit is its own trouble; with all of them at the limit nobody else gets in.
        logger.log(
            level: refusal != .address ? .warning : .info, "a connection was refused: there are too many",
            metadata: metadata)
    }
}
