// SPDX-License-Identifier: Apache-2.0

import Admission
import Metrics
import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBroker
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerServer

/// Connections that are refused are counted once each, by the metrics system of the broker.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct RefusalMetricsTests {
    @Test func `a connection over a limit is one event of that limit`() throws {
        let metrics = TestMetrics()
        var configuration = ServerConfiguration()
        configuration.limits.connections = 2
        configuration.limits.connectionsPerAddress = 1
        let limits = ConnectionLimits(
            LiveServerConfiguration(configuration), memory: MemoryBudget(bytes: 1 << 24), capacity: 10,
            clock: TestClock().elapsed, logger: .quiet, metricsFactory: metrics)
        let channels = (0..<6).map { _ in EmbeddedChannel() }
        var held: [HeldConnection?] = []
        func admit(_ number: Int, from address: String) throws {
            held.append(try limits.admit(channels[number], from: IPAddress(address)))
        }
        try admit(0, from: "192.0.2.1")
        for number in 1...3 {
            #expect(throws: ConnectionRefusal.address) { try admit(number, from: "192.0.2.1") }
        }
        try admit(4, from: "192.0.2.2")
        #expect(throws: ConnectionRefusal.total) { try admit(5, from: "192.0.2.3") }
        func total(_ limit: String) throws -> Int64 {
            try metrics.expectCounter("auth_limits", [("limit", limit)]).totalValue
        }
        #expect(try total("connections-per-address") == 3)
        #expect(try total("connections") == 1)
        #expect(metrics.counterTotal(label: "auth_connections_refused") == 0)
        for channel in channels { _ = try channel.finish(acceptAlreadyClosed: true) }
    }

    @Test func `the loopback listener has places of its own, and a limit of its own`() throws {
        let metrics = TestMetrics()
        var configuration = ServerConfiguration()
        configuration.limits.connections = 1
        configuration.limits.connectionsPerAddress = 1
        let limits = ConnectionLimits(
            LiveServerConfiguration(configuration), memory: MemoryBudget(bytes: 1 << 24), capacity: 10,
            clock: TestClock().elapsed, logger: .quiet, metricsFactory: metrics)
        let loopback = ConnectionLimits(ofLoopback: 2, beside: limits)
        let channels = (0..<5).map { _ in EmbeddedChannel() }
        let first = try limits.admit(channels[0], from: nil)
        #expect(throws: ConnectionRefusal.total) { _ = try limits.admit(channels[1], from: nil) }
        var held = [first] + (try channels[2...3].map { try loopback.admit($0, from: nil) })
        #expect(throws: ConnectionRefusal.loopback) { _ = try loopback.admit(channels[4], from: nil) }
        func total(_ limit: String) throws -> Int64 {
            try metrics.expectCounter("auth_limits", [("limit", limit)]).totalValue
        }
        #expect(try total("connections") == 1)
        #expect(try total("connections-loopback") == 1)
        #expect(try total("connections-per-address") == 0)
        // A place that is free again is had.
        _ = try channels[2].finish(acceptAlreadyClosed: true)
        channels[2].embeddedEventLoop.run()
        held.append(try loopback.admit(channels[4], from: nil))
        for channel in channels { _ = try channel.finish(acceptAlreadyClosed: true) }
    }

    @Test func `every reason has a counter of its own, made once`() throws {
        let metrics = TestMetrics()
        let refusals = ConnectionRefusalCounters(factory: metrics)
        for refusal in ConnectionRefusal.allCases { refusals.count(refusal) }
        let counters = metrics.counters(label: "auth_limits") + metrics.counters(label: "auth_connections_refused")
        #expect(counters.map(\.totalValue) == [1, 1, 1, 1, 1, 1])
    }

    @Test func `the server counts where the broker does`() async throws {
        let metrics = TestMetrics()
        var options = RunningServer.Options()
        options.isSecure = false
        options.configureServer = { configuration, _ in
            configuration.trustedProxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
            configuration.forwarded = .xForwardedFor
        }
        options.making = RunningServer.Options.Making(
            make: { configuration, transport in
                try Broker(
                    configuration: configuration, transport: transport, logger: .quiet, metricsFactory: metrics)
            },
            reload: { broker, configuration in try broker.reload(configuration) })
        try await RunningServer.run(options) { server in
            try await RawConnection.open(port: server.port, from: "127.0.0.2") { connection in
                #expect(await connection.rest().isEmpty)
            }
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server, ["X-Forwarded-For: \""]))
                #expect(try await connection.response().status == 200)
            }
        }
        let refused = try metrics.expectCounter("auth_connections_refused", [("reason", "untrusted")])
        #expect(refused.totalValue == 1)
        #expect(try metrics.expectCounter("auth_forwarded_unreadable").totalValue == 1)
        // The listener's own counter is there before anything happens.
        #expect(try metrics.expectCounter("auth_limits", [("limit", "descriptors")]).totalValue == 0)
    }
}
