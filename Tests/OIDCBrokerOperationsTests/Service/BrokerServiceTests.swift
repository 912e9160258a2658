// SPDX-License-Identifier: Apache-2.0

import Logging
import MetricsTestKit
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerOperations
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle
import SignInWithAppleTesting
import Testing
import TestingSupport

/// The broker's background work in a server of another kind, which hands it configurations.
@Suite(.timeLimit(.minutes(10))) struct BrokerServiceTests {
    private static let applied = "configuration reloaded"
    private static let refused = "configuration not reloaded because of errors; the old one stays active"

    /// Configurations as a server reads them anew each time; the keys of a loopback public URL are made each time.
    private static func configuration(
        apps: [String] = ["shop"], apple: BrokerConfiguration.Provider? = nil
    ) throws -> BrokerConfiguration {
        let acme = BrokerConfiguration.Provider(
            name: "acme", issuer: "https://provider.invalid", clientID: "broker", clientSecret: Secret("secret"))
        var configuration = BrokerConfiguration(
            publicURL: try #require(PublicURL("http://localhost:1")), providers: [acme],
            apps: apps.map { BrokerConfiguration.App(name: $0, redirectURIs: ["https://\($0).example/callback"]) })
        if let apple { configuration.providers.append(apple) }
        configuration.makeMissingKeys()
        return configuration
    }

    /// A logger whose lines are not read.
    private static var quiet: Logger { WarningRecorder().logger }

    /// A broker with its service, which runs.
    private struct Running {
        let broker: Broker
        let log: LogRecorder
        let metrics: TestMetrics
        let services: ServiceGroup
        let running: Task<Void, any Error>

        /// How many configurations had an outcome.
        func reloads(_ outcome: String) -> Int64 {
            metrics.counterTotal(label: "auth_reloads", dimensions: [("outcome", outcome)])
        }

        /// Whether the last configuration was valid.
        func isValid() throws -> Bool { try metrics.expectGauge("auth_configuration_valid").lastValue == 1 }
    }

    private static func run<Configurations: AsyncSequence & Sendable>(
        _ first: BrokerConfiguration, then configurations: Configurations, _ body: (Running) async throws -> Void
    ) async throws where Configurations.Element == BrokerConfiguration {
        let (log, metrics) = (LogRecorder(), TestMetrics())
        let broker = try Broker(configuration: first, transport: UnreachableTransport(), logger: Self.quiet)
        let service = BrokerService(
            broker, configurations: configurations, keyInterval: .milliseconds(20), logger: log.logger,
            metricsFactory: metrics)
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: Self.quiet))
        let running = Task { try await services.run() }
        try await attempt {
            try await body(
                Running(broker: broker, log: log, metrics: metrics, services: services, running: running))
        } finally: {
            await services.triggerGracefulShutdown()
            try await running.value
        }
    }

    @Test func `a configuration is used, one that changes nothing is passed over`() async throws {
        let (configurations, next) = AsyncStream.makeStream(of: BrokerConfiguration.self)
        let first = try Self.configuration()
        try await Self.run(first, then: configurations) { service in
            next.yield(try Self.configuration())
            next.yield(try Self.configuration(apps: ["shop", "desk"]))
            try await service.log.wait(forPrefix: Self.applied)
            #expect(service.broker.configuration.apps.map(\.name) == ["shop", "desk"])
            // What was made at the start stays, or every login under way would end.
            #expect(service.broker.configuration.sealingKeys == first.sealingKeys)
            #expect(service.broker.configuration.signingKeys == first.signingKeys)
            #expect(service.reloads("applied") == 1)
            #expect(service.reloads("refused") == 0)
        }
    }

    @Test func `a configuration with an error changes nothing, and is counted`() async throws {
        let (configurations, next) = AsyncStream.makeStream(of: BrokerConfiguration.self)
        let first = try Self.configuration()
        try await Self.run(first, then: configurations) { service in
            var broken = try Self.configuration(apps: ["shop", "desk"])
            broken.pathPrefix = "broken"
            next.yield(broken)
            try await service.log.wait(forPrefix: "auth.path-prefix")
            try await service.log.wait(forPrefix: Self.refused)
            #expect(service.broker.configuration.behaves(as: first))
            #expect(service.reloads("refused") == 1)
            #expect(try !service.isValid())

            // The one in use is valid again, which is no reload.
            next.yield(try Self.configuration())
            next.yield(try Self.configuration(apps: ["desk"]))
            try await service.log.wait(forPrefix: Self.applied)
            #expect(service.reloads("applied") == 1)
            #expect(try service.isValid())
        }
    }

    @Test func `Apple's keys are watched, even when no more configurations can be read`() async throws {
        struct Unreadable: Error {}
        let (old, new) = (
            MockApple.DeveloperKey.make(teamID: "TEAM123456"), MockApple.DeveloperKey.make(teamID: "TEAM123456")
        )
        let files = try LogFolder()
        defer { files.remove() }
        try files.write("apple.p8", old.privateKey.exposed)
        var apple = BrokerConfiguration.Provider.apple(
            clientID: "com.example.web", teamID: old.teamID, keyID: old.keyID,
            privateKey: Secret(ConfigurationValues.text(ofFile: Array(old.privateKey.exposed.utf8))))
        apple.apple?.privateKeyFile = files.file("apple.p8")
        let failing = AsyncThrowingStream<BrokerConfiguration, any Error>(unfolding: { throw Unreadable() })
        try await Self.run(Self.configuration(apple: apple), then: failing) { service in
            try await service.log.wait(forPrefix: "configuration reload stopped")
            try files.write("apple.p8", new.privateKey.exposed)
            try await service.log.wait(forPrefix: "provider key reloaded")
            let inUse = service.broker.watchedAppleKeys.first?.privateKey.exposed
            #expect(inUse == ConfigurationValues.text(ofFile: Array(new.privateKey.exposed.utf8)))
        }
    }

    @Test func `it ends with the server, not with the configurations`() async throws {
        // Graceful shutdown is what every other test ends by; this one waits for it at once.
        let (configurations, next) = AsyncStream.makeStream(of: BrokerConfiguration.self)
        next.yield(try Self.configuration(apps: ["desk"]))
        next.finish()
        try await Self.run(Self.configuration(), then: configurations) { service in
            try await service.log.wait(forPrefix: Self.applied)
            // A service that returned by itself would have canceled the group, whose task would throw.
            await service.services.triggerGracefulShutdown()
            try await service.running.value
        }
    }

    @Test func `it ends when it is canceled`() async throws {
        let broker = try Broker(
            configuration: Self.configuration(), transport: UnreachableTransport(), logger: Self.quiet)
        let service = BrokerService(
            broker, keyInterval: .seconds(3_600), logger: Self.quiet, metricsFactory: TestMetrics())
        let running = Task { await service.run() }
        running.cancel()
        await running.value
    }
}
