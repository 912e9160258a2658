// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import ServiceLifecycle
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// The service, which looks again and again and reads at a signal.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationReloadTests {
    /// Longer than any test.
    private static let never = Duration.seconds(86_400)

    /// Runs a body beside the service, which then ends by graceful shutdown.
    private static func run(
        trigger: ReloadTrigger, interval: Duration,
        _ body: (TemporaryDirectory, LogRecorder, AsyncStream<Void>.Continuation) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.use { directory in
            let location = ConfigurationLocation(
                environment: [:], configurationFile: try directory.write("broker.yaml", yaml(trigger, skew: 30).utf8))
            let loaded = try await location.load()
            let broker = try Broker(configuration: loaded.broker, transport: StubTransport(), logger: .quiet)
            let log = LogRecorder()
            let (signals, signal) = AsyncStream.makeStream(of: Void.self)
            let reload = ConfigurationReload(
                of: loaded, from: location, broker: broker, signals: signals, interval: interval, logger: log.logger)
            let services = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [reload], logger: .quiet))
            let running = Task { try await services.run() }
            try await attempt {
                try await body(directory, log, signal)
            } finally: {
                await services.triggerGracefulShutdown()
                try await running.value
            }
        }
    }

    private static func yaml(_ trigger: ReloadTrigger, skew: Int) -> String {
        SourcesFixture.yaml.replacing("clock-skew-seconds: 30", with: "clock-skew-seconds: \(skew)")
            + "\n  reload: \(trigger.rawValue)\n"
    }

    @Test(arguments: ReloadTrigger.allCases) func `a signal reads the configuration`(
        trigger: ReloadTrigger
    ) async throws {
        try await Self.run(trigger: trigger, interval: Self.never) { directory, log, signal in
            try directory.write("broker.yaml", Self.yaml(trigger, skew: 40).utf8)
            signal.yield()
            try await log.wait(forPrefix: ReloadFixture.reloaded)
            try directory.write("broker.yaml", "auth: {}".utf8)
            signal.yield()
            try await log.wait(forPrefix: ReloadFixture.refused)
        }
    }

    @Test func `looks find a change, also when there are no signals any more`() async throws {
        try await Self.run(trigger: .watch, interval: .milliseconds(20)) { directory, log, signal in
            signal.finish()
            try directory.write("broker.yaml", Self.yaml(.watch, skew: 40).utf8)
            try await log.wait(forPrefix: ReloadFixture.reloaded)
        }
    }

    @Test func `it ends when its task is canceled`() async throws {
        try await TemporaryDirectory.use { directory in
            let location = ConfigurationLocation(
                environment: [:], configurationFile: try directory.write("broker.yaml", SourcesFixture.yaml.utf8))
            let loaded = try await location.load()
            let broker = try Broker(configuration: loaded.broker, transport: StubTransport(), logger: .quiet)
            let (signals, signal) = AsyncStream.makeStream(of: Void.self)
            let reload = ConfigurationReload(
                of: loaded, from: location, broker: broker, signals: signals, logger: .quiet)
            let running = Task { await reload.run() }
            running.cancel()
            await running.value
            signal.finish()
        }
    }
}
