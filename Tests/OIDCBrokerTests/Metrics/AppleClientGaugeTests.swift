// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The gauge of Apple's client secrets when clients come and go with a reload. One that stayed at 0 would be an alert
/// without an end.
struct AppleClientGaugeTests {
    /// A broker at Apple, with metrics of its own.
    private struct Setup {
        private static let label = "auth_apple_client_secret_usable"

        let metrics: TestMetrics
        let installation: Installation

        init() throws {
            let (metrics, clock) = (TestMetrics(), TestClock())
            installation = try Installation(apple: StubApple(clock: clock), clock: clock, metrics: metrics)
            self.metrics = metrics
        }

        /// The source of client secrets that requests use from now on.
        func source() throws -> AppleClientSecret {
            let entry = try #require(installation.broker.current.provider(name: "apple"))
            return try #require(entry.behavior.clientSecret)
        }

        /// Asks for a secret of a client, which is then used.
        func ask(_ clientID: String) throws {
            _ = try source().clientSecret(forClientID: clientID, now: installation.clock.now())
        }

        /// Everything that the gauge of a client was set to.
        func values(_ clientID: String) throws -> [Double] {
            try metrics.expectGauge(Self.label, [("client_id", clientID)]).values
        }

        /// The clients that have a gauge.
        var clients: Set<String> {
            Set(metrics.recorders(label: Self.label).flatMap { gauge in gauge.dimensions.map { $0.1 } })
        }

        func reload(_ change: (inout BrokerConfiguration) -> Void) throws {
            var next = installation.broker.configuration
            change(&next)
            try installation.broker.reload(next)
        }

        /// Changes Apple, which is behind another provider.
        func reloadApple(_ change: (inout BrokerConfiguration.Provider) -> Void) throws {
            try reload { change(&$0.providers[1]) }
        }
    }

    @Test func `a native app that is gone has none, also by what is under way, and those of others go on`() throws {
        let setup = try Setup()
        let source = try setup.source()
        for clientID in [StubApple.servicesID, StubApple.bundleID] {
            try setup.ask(clientID)
            source.clientSecret(forClientID: clientID, wasAccepted: false)
        }
        #expect(setup.clients == [StubApple.servicesID, StubApple.bundleID])
        try setup.reload { $0.apps[0].nativeAudiences = [] }
        let same = try setup.source()
        #expect(same === source)
        #expect(setup.clients == [StubApple.servicesID])
        source.clientSecret(forClientID: StubApple.bundleID, wasAccepted: false)
        try setup.ask(StubApple.bundleID)
        #expect(setup.clients == [StubApple.servicesID])
        source.clientSecret(forClientID: StubApple.servicesID, wasAccepted: true)
        #expect(try setup.values(StubApple.servicesID) == [1, 0, 1])
        // It comes back.
        try setup.reload { $0.apps[0].nativeAudiences = [.init(provider: "apple.com", audience: StubApple.bundleID)] }
        source.clientSecret(forClientID: StubApple.bundleID, wasAccepted: false)
        #expect(try setup.values(StubApple.bundleID) == [0])
    }

    @Test func `a provider that is gone has none, also where another source had set it`() throws {
        let setup = try Setup()
        let first = try setup.source()
        try setup.ask(StubApple.servicesID)
        first.clientSecret(forClientID: StubApple.servicesID, wasAccepted: false)
        // The source is made anew, and has set nothing yet.
        try setup.reloadApple { $0.title = "Another title" }
        let second = try setup.source()
        #expect(second !== first)
        #expect(setup.clients == [StubApple.servicesID])
        try setup.reload { configuration in
            configuration.providers.remove(at: 1)
            for index in configuration.apps.indices { configuration.apps[index].nativeAudiences = [] }
        }
        #expect(setup.clients.isEmpty)
        for source in [first, second] { source.clientSecret(forClientID: StubApple.servicesID, wasAccepted: false) }
        #expect(setup.clients.isEmpty)
    }

    @Test func `another Services ID takes its place`() throws {
        let setup = try Setup()
        try setup.ask(StubApple.servicesID)
        try setup.source().clientSecret(forClientID: StubApple.servicesID, wasAccepted: false)
        try setup.reloadApple { $0.configuration.clientID = "com.example.web2" }
        #expect(setup.clients.isEmpty)
        try setup.ask("com.example.web2")
        #expect(try setup.values("com.example.web2") == [1])
    }

    @Test func `without a key no secret is made, so that none is unusable`() throws {
        let setup = try Setup()
        try setup.ask(StubApple.bundleID)
        try setup.source().clientSecret(forClientID: StubApple.bundleID, wasAccepted: false)
        #expect(setup.clients == [StubApple.bundleID])
        try setup.reloadApple { $0 = .apple(clientID: "", teamID: nil, keyID: nil, privateKey: nil) }
        #expect(setup.clients.isEmpty)
    }

    @Test func `a key that is replaced takes no gauge along`() throws {
        let setup = try Setup()
        try setup.ask(StubApple.servicesID)
        let key = MockApple.DeveloperKey.make(teamID: StubApple.teamID)
        try setup.installation.broker.replaceAppleKey(
            provider: "apple", keyID: key.keyID, privateKey: key.privateKey)
        #expect(try setup.values(StubApple.servicesID) == [1])
        try setup.source().clientSecret(forClientID: StubApple.servicesID, wasAccepted: false)
        #expect(try setup.values(StubApple.servicesID) == [1, 0])
    }

    @Test func `the apps of an SDK have theirs for as long as they are configured`() throws {
        let setup = try Setup()
        let clientID = "com.example.sdk"
        try setup.reload { $0.sdkAppAudiences = [.init(provider: "apple", audience: clientID)] }
        try setup.ask(clientID)
        try setup.reload { $0.apps.removeLast() }
        #expect(setup.clients == [clientID])
        try setup.reload { $0.sdkAppAudiences = [] }
        #expect(setup.clients.isEmpty)
    }
}
