// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOPosix
import NIOSSL

/// Concurrent hostile clients at several addresses of this machine.
struct Attack: Sendable {
    /// The port of the target.
    let port: Int
    /// Whether the target uses TLS, and with it HTTP/2.
    let isTLS: Bool
    /// The kinds of input.
    let inputs: [HostileInput]
    /// The addresses of the target and of the clients.
    let clients: ClientAddresses
    /// The number of addresses of hostile clients.
    let addresses: Int
    /// The number of concurrent connections from each address.
    let connections: Int

    /// Sends all inputs until the time is up.
    func run(for duration: TimeAmount, on group: any EventLoopGroup) async throws -> [HostileInput: HostileCounts] {
        let attackers = try makeAttackers(on: group)
        let end = NIODeadline.now() + duration
        return await withTaskGroup(of: [HostileInput: HostileCounts].self) { tasks in
            for attacker in attackers { tasks.addTask { await attacker.run(until: end) } }
            var sum: [HostileInput: HostileCounts] = [:]
            for await counts in tasks {
                for (input, count) in counts { sum[input, default: HostileCounts()].add(count) }
            }
            return sum
        }
    }

    private func makeAttackers(on group: any EventLoopGroup) throws -> [Attacker] {
        let tls = try isTLS ? Self.context(protocols: ["http/1.1"]) : nil
        let http2TLS = try isTLS ? Self.context(protocols: ["h2"]) : nil
        let address = try SocketAddress(ipAddress: clients.target, port: port)
        let target = HostileTarget(port: port, addresses: clients)
        let plans = inputs.map { Attacker.Plan(input: $0, script: $0.script(for: target)) }
        let makingAccounts = clients.accountClients(of: addresses)
        return try (0..<addresses * connections).map { number in
            let client = number % addresses
            return Attacker(
                source: try SocketAddress(ipAddress: clients.hostile(client), port: 0), address: address,
                target: target, tls: tls, http2TLS: http2TLS,
                plans: plans.filter { $0.input != .newAccounts || client < makingAccounts }, first: number,
                eventLoop: group.next())
        }
    }

    /// Returns a context that trusts any certificate, since the target's was made for this run.
    private static func context(protocols: [String]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = protocols
        configuration.shutdownTimeout = .milliseconds(100)
        return try NIOSSLContext(configuration: configuration)
    }
}
