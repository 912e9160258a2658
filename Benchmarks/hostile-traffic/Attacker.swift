// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import LatencyMeasurement
import NIOCore
import NIOPosix
import NIOSSL

/// A hostile client, which makes one connection at a time from an address of its own, with one kind of input after
/// another.
struct Attacker: Sendable {
    /// A kind of input with its script, which is created once for all connections.
    struct Plan: Sendable {
        let input: HostileInput
        let script: HostileScript
    }

    /// The source address of its connections.
    let source: SocketAddress
    /// The address of the target.
    let address: SocketAddress
    let target: HostileTarget
    /// The TLS context for HTTP/1.1; `nil` for plain HTTP.
    let tls: NIOSSLContext?
    /// The TLS context for HTTP/2.
    let http2TLS: NIOSSLContext?
    /// The inputs, in turn.
    let plans: [Plan]
    /// The index of its first kind, which differs between attackers.
    let first: Int
    let eventLoop: any EventLoop

    /// The duration of a turn of one kind.
    private static let turn = TimeAmount.seconds(2)
    /// The maximum number of connections in a turn, besides answered handshakes.
    private static let connectionsATurn = 200
    /// The maximum duration of a connection, longer than the broker's deadlines.
    private static let patience = TimeAmount.seconds(15)
    /// The pause between two connections, so that not only refused connections are measured.
    private static let pause = Duration.milliseconds(5)

    /// Sends inputs until the time is up.
    func run(until end: NIODeadline) async -> [HostileInput: HostileCounts] {
        var counts: [HostileInput: HostileCounts] = [:]
        var number = first
        while NIODeadline.now() < end, !plans.isEmpty, !Task.isCancelled {
            let plan = plans[number % plans.count]
            number += 1
            let turnEnd = min(NIODeadline.now() + Self.turn, end)
            var connections = 0
            while connections < Self.connectionsATurn, NIODeadline.now() < turnEnd, !Task.isCancelled {
                let count = await connect(plan.script, until: end)
                counts[plan.input, default: HostileCounts()].add(count)
                // Handshakes go on as fast as they are answered.
                if count.responses[.flight] != nil { continue }
                connections += 1
                try? await Task.sleep(for: Self.pause)
            }
        }
        return counts
    }

    /// Executes a script on one connection.
    private func connect(_ script: HostileScript, until end: NIODeadline) async -> HostileCounts {
        let patience = NIODeadline.now() + Self.patience
        let tls = script.isHandshake ? nil : script.isHTTP2 ? http2TLS : tls
        let target = target
        let promise = eventLoop.makePromise(of: HostileCounts.self)
        ClientBootstrap(group: eventLoop)
            .from(source)
            .connectTimeout(.seconds(5))
            .channelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            // Small, so that unread responses accumulate at the target and not here.
            .channelOption(ChannelOptions.socketOption(.so_rcvbuf), value: 16_384)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    let run = HostileScriptRun(script, target: target)
                    try pipeline.addHandler(
                        AttackHandler(run, isTLS: tls != nil, patience: patience, end: end, ended: promise))
                }
            }
            .connect(to: address)
            .whenFailure { _ in
                var counts = HostileCounts()
                counts.add(.notConnected)
                promise.succeed(counts)
            }
        var counts = (try? await promise.futureResult.get()) ?? HostileCounts()
        counts.connections += 1
        return counts
    }
}
