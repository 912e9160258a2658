// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import Metrics
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import OpenIDRelyingParty
import Synchronization

/// The limits on connections: of all clients, of each address, IPv6 of each /64, and on how fast it opens them.
///
/// A connection over a limit is closed before a byte is read. Where nearly all places are taken, idle connections of the
/// largest holders are closed; others are not touched for new ones.
final class ConnectionLimits: Sendable {
    private enum Maximum {
        /// That of the configuration, and no more than the limit on open files leaves.
        case configured(capacity: Int)
        /// A number of places for the loopback listener.
        case ofLoopback(Int)
    }

    private let state = Mutex(StateMachine())
    private let memory: MemoryBudget
    private let live: LiveServerConfiguration
    /// The maximum number of connections.
    private let maximum: Maximum
    private let clock: any ElapsedClock
    private let logger: Logger
    /// The counters of refusals, also of those for another reason than a limit.
    let refusals: ConnectionRefusalCounters

    /// - Parameters:
    ///   - live: The configuration with the limits.
    ///   - memory: The memory for connections.
    ///   - capacity: The number of connections that the limit on open files leaves.
    ///   - clock: The clock of the log. One line a second is written.
    ///   - logger: The logger of refusals.
    ///   - metricsFactory: What makes the counters.
    init(
        _ live: LiveServerConfiguration, memory: MemoryBudget, capacity: Int,
        clock: any ElapsedClock = SystemElapsedClock(), logger: Logger,
        metricsFactory: any MetricsFactory
    ) {
        self.live = live
        self.memory = memory
        maximum = .configured(capacity: capacity)
        self.clock = clock
        self.logger = logger
        refusals = ConnectionRefusalCounters(factory: metricsFactory)
    }

    /// Creates the limits of the loopback listener, separate from those of other listeners.
    /// - Parameters:
    ///   - places: The maximum number of connections.
    ///   - others: The limits of the other listeners, whose log and counters it has.
    init(ofLoopback places: Int, beside others: ConnectionLimits) {
        live = others.live
        memory = others.memory
        maximum = .ofLoopback(places)
        clock = others.clock
        logger = others.logger
        refusals = others.refusals
    }

    /// Counts a connection until it closes. The peer has a limit of its own only if it is the client, and no proxy.
    /// - Returns: What counts its memory; `nil` for one to the loopback listener, which takes nothing of what clients have.
    /// - Throws: The reason if it is over a limit.
    func admit(
        _ channel: any Channel, with addressing: ClientAddressing
    ) throws(ConnectionRefusal) -> HeldConnection? {
        guard case .client(let client?) = addressing.peer(channel.remoteAddress),
            !live.rules.proxies.contains(client)
        else { return try admit(channel, from: nil) }
        return try admit(channel, from: client)
    }

    /// Counts a connection until it closes.
    /// - Parameters:
    ///   - channel: The channel of the connection.
    ///   - client: The address of the client; `nil` if it is not known, or the peer is a proxy that speaks for others.
    /// - Returns: What counts its memory; `nil` for one to the loopback listener, which takes nothing of what clients have.
    /// - Throws: The reason if it is over a limit. Nothing was counted then, and the caller closes it.
    func admit(_ channel: any Channel, from client: IPAddress?) throws(ConnectionRefusal) -> HeldConnection? {
        let limits = live.current.limits
        let (places, over): (Int, ConnectionRefusal) =
            switch maximum {
            case .configured(let capacity): (min(limits.connections, capacity), .total)
            case .ofLoopback(let places): (places, .loopback)
            }
        let now = clock.now()
        let (opening, looks) = state.withLock { state in
            let opening = state.open(
                from: client, atMost: places, over: over, ofAddress: limits.connectionsPerAddress, now: now)
            // There is still a sixteenth for those who come before the idle ones are gone.
            return (opening, over == .total && state.open.total > places - places / 16 && state.mayLook(now: now))
        }
        if looks { memory.closeIdleOfLargestHolders(atMost: max(16, places / 16)) }
        if case .refused(let refusal, let line) = opening {
            refusals.count(refusal)
            note(refusal, line, of: client)
            throw refusal
        }
        guard over == .total else {
            channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.close(from: client) } }
            return nil
        }
        let held = memory.open(from: client) { cut in
            channel.eventLoop.execute {
                try? channel.pipeline.syncOperations.handler(type: UnreadResponseHandler.self).cut(cut)
            }
        }
        guard let held else {
            let line = state.withLock { state in
                state.close(from: client)
                return state.line(.memory, now: now)
            }
            refusals.count(.memory)
            note(.memory, line, of: client)
            throw .memory
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.close(from: client) } }
        return held
    }

    private func note(_ refusal: ConnectionRefusal, _ line: StateMachine.Line, of client: IPAddress?) {
        guard case .write(let leftOut) = line else { return }
        var metadata: Logger.Metadata = ["auth.limit": "\(refusal.rawValue)"]
        if leftOut > 0 { metadata["auth.repeated"] = "\(leftOut)" }
        if let client { metadata["auth.client"] = "\(client)" }
        // One address over its limit affects only itself; with the total at its limit, no other client gets in.
        logger.log(
            level: refusal == .address || refusal == .rate ? .info : .warning,
            "\(refusal.reason)",
            metadata: metadata)
    }
}
