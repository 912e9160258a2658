// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MetricsTestKit
import OIDCBroker
import OIDCBrokerOperations
import OpenIDRelyingParty
import Synchronization
import Testing

@testable import OIDCBrokerServer

/// A configuration in real files, and a broker and a server that were created with it.
struct ReloadFixture: Sendable {
    /// A level that is changed from elsewhere.
    final class Level: Sendable {
        private let level: Mutex<Logger.Level?> = Mutex(nil)

        var current: Logger.Level? { level.withLock { $0 } }
        func change(to next: Logger.Level) { level.withLock { $0 = next } }
    }

    static let reloaded = "configuration reloaded"
    static let refused = "configuration not reloaded because of errors; the old one stays active"
    static let again = "configuration valid again and unchanged"
    static let restart =
        "some configuration changes need a restart; until then the old values stay active"

    let directory: TemporaryDirectory
    let broker: Broker
    let server: BrokerServer
    let log = LineRecorder()
    let metrics = TestMetrics()
    let level = Level()
    /// The fingerprint of the configuration that was last read and is valid.
    let fingerprint = CurrentFingerprint()

    /// The path of the configuration file.
    var file: String { directory.file("broker.yaml") }

    /// Runs a body with a configuration in use.
    /// - Parameters:
    ///   - yaml: The configuration file.
    ///   - prepare: A closure that writes more files, and returns the environment.
    ///   - clock: The clock with which the ends of certificates are compared.
    static func run(
        _ yaml: @Sendable (TemporaryDirectory) -> String = { _ in SourcesFixture.yaml },
        prepare: (TemporaryDirectory) throws -> [String: String] = { _ in [:] },
        clock: any UnixClock = SystemUnixClock(),
        _ body: (ReloadFixture, inout RunningConfiguration) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try directory.write("broker.yaml", yaml(directory).utf8)
            let location = ConfigurationLocation(environment: try prepare(directory), configurationFile: file)
            let loaded = try await location.load()
            let fixture = try ReloadFixture(loaded, in: directory)
            var running = RunningConfiguration(
                loaded, from: location,
                target: ReloadTarget(
                    broker: fixture.broker, accounts: nil, server: fixture.server,
                    observer: ReloadObserver(
                        didApply: { [level = fixture.level] in level.change(to: $0.server.log.level) },
                        didUse: { [fingerprint = fixture.fingerprint] in fingerprint.update($0.fingerprint) })),
                logger: fixture.log.logger, metrics: ReloadMetrics(factory: fixture.metrics), clock: clock)
            // What is there at the start is read once more, and changes nothing.
            await running.look()
            await running.look()
            #expect(fixture.log.lines.isEmpty)
            #expect(running.inUse == loaded)
            try await body(fixture, &running)
        }
    }

    private init(_ loaded: LoadedConfiguration, in directory: TemporaryDirectory) throws {
        self.directory = directory
        broker = try Broker(configuration: loaded.broker, transport: StubTransport(), logger: .quiet)
        server = try BrokerServer(
            configuration: loaded.server, broker: broker, eventLoopGroup: RunningServer.eventLoops, logger: .quiet)
    }

    /// Replaces texts in the configuration file.
    func edit(_ old: String, _ new: String) throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        try #require(text.contains(old))
        try directory.write("broker.yaml", text.replacing(old, with: new).utf8)
    }

    /// The last value of a gauge.
    func gauge(_ label: String) throws -> Double? { try metrics.expectGauge(label).lastValue }

    /// How many configurations had an outcome.
    func reloads(_ outcome: String) -> Int64 {
        metrics.counterTotal(label: "auth_reloads", dimensions: [("outcome", outcome)])
    }
}

extension RunningConfiguration {
    /// Looks as often as a change needs to be taken.
    mutating func lookTwice() async {
        await look()
        await look()
    }
}
