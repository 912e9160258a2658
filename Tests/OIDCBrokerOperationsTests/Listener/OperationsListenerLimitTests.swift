// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// A client that keeps the listener busy: slow ones, many, and those that read nothing.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct OperationsListenerLimitTests {
    /// 16 MB, which is more than the buffers of two sockets hold.
    private struct LargeText: MetricsExposition {
        func exposition(_ format: ExpositionFormat, scraped: [MetricSample]) -> [UInt8] {
            [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20)
        }
    }

    private static func options(deadline: TimeAmount = .seconds(10)) -> RunningListener.Options {
        var options = RunningListener.Options()
        options.limits.deadline = deadline
        return options
    }

    @Test(arguments: ["", "GET /healthz HTTP/1.1\r\n"])
    func `a connection without a whole head ends at the deadline, even if bytes trickle in`(
        beginning: String
    ) async throws {
        try await RunningListener.run(Self.options(deadline: .seconds(1))) { listener in
            try await OperatorConnection.open(port: listener.port) { connection in
                if !beginning.isEmpty { try await connection.send(beginning) }
                connection.trickle(beginning.isEmpty ? "\r\n" : "X-A: 1\r\n", every: .milliseconds(50))
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func `beyond the limit the oldest connection is closed, and a health check gets in`() async throws {
        var options = Self.options(deadline: .hours(1))
        options.limits.connections = 2
        try await RunningListener.run(options) { listener in
            try await OperatorConnection.open(port: listener.port) { oldest in
                try await oldest.send("GET ")
                try await OperatorConnection.open(port: listener.port) { other in
                    try await other.send("GET ")
                    // This is the third.
                    #expect(try await listener.get("/healthz").status == 200)
                    #expect(await oldest.rest().isEmpty)
                    try await other.send("/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    #expect(OperatorResponse(await other.rest()).status == 200)
                }
            }
        }
    }

    @Test func `64 silent connections keep no client out`() async throws {
        try await RunningListener.run(Self.options(deadline: .hours(1))) { listener in
            let held = try await Self.connect(OperationsLimits().connections + 10, to: listener.port)
            #expect(try await listener.get("/healthz").status == 200)
            for channel in held { try? await channel.close() }
        }
    }

    @Test func `of metrics that are not read the oldest response is given up, and a scrape gets in`() async throws {
        let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let length = 16 << 20
        var options = Self.options(deadline: .hours(1))
        options.limits.metricsResponses = 2
        options.exposition = LargeText()
        try await RunningListener.run(options) { listener in
            try await OperatorConnection.open(port: listener.port) { oldest in
                try await oldest.send(request)
                // From here on nothing is read of it, so that its response stays.
                try await oldest.waitForBytes()
                try await OperatorConnection.open(port: listener.port) { other in
                    try await other.send(request)
                    try await other.waitForBytes()
                    #expect(try await listener.get("/healthz").status == 200)
                    let scrape = try await listener.get("/metrics")
                    #expect(scrape.status == 200)
                    #expect(scrape.body.utf8.count == length)
                    #expect(await oldest.rest().utf8.count < length)
                    #expect(await other.rest().utf8.count > length)
                }
            }
        }
    }

    @Test func `a port that is taken is an error with its number`() async throws {
        try await RunningListener.run { listener in
            let second = OperationsListener(
                host: "127.0.0.1", port: listener.port,
                endpoints: OperationsEndpoints(
                    readiness: ReadinessState(), loops: EventLoopWatch(MultiThreadedEventLoopGroup.singleton),
                    report: { HealthReport(version: "", uptimeSeconds: 0, configuration: nil, now: 0) },
                    metrics: listener.metrics), logger: WarningRecorder().logger)
            let error = await #expect(throws: OperationsListenerError.self) { try await second.run() }
            #expect(error?.description.contains("port \(listener.port)") == true)
            await #expect(throws: OperationsListenerError.self) { try await second.boundAddress() }
        }
    }

    @Test func `graceful shutdown closes what is open`() async throws {
        try await RunningListener.run(Self.options(deadline: .hours(1))) { listener in
            try await OperatorConnection.open(port: listener.port) { connection in
                try await connection.send("GET ")
                #expect(try await listener.get("/healthz").status == 200)
                await listener.beginGracefulShutdown()
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    private static func connect(_ count: Int, to port: Int) async throws -> [any Channel] {
        var channels: [any Channel] = []
        for _ in 0..<count {
            channels.append(
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: port).get())
        }
        return channels
    }
}
