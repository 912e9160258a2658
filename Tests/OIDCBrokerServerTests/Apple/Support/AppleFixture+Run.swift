// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

extension AppleFixture {
    /// Runs a body against all of it, then stops all of it.
    static func run<Value: Sendable>(
        _ options: Options = Options(), _ body: (AppleFixture) async throws -> Value
    ) async throws -> Value {
        try await TemporaryDirectory.use { directory in
            let clock = TestClock()
            let key = MockApple.DeveloperKey.make(teamID: teamID)
            let apple = try await MockApple.start(
                try options.apple(key: key, clock: clock), on: RunningServer.eventLoops)
            let transport = AsyncHTTPClientTransport(eventLoopGroup: RunningServer.eventLoops)
            return try await attempt {
                let http = try HTTPBrowser.makeHTTPClient(
                    trusting: try TestCertificate.shared().certificatePEM, version: options.version)
                return try await attempt {
                    let parts = Parts(apple: apple, key: key, directory: directory, clock: clock, http: http)
                    return try await serve(options, parts, transport, body)
                } finally: {
                    try await http.shutdown()
                }
            } finally: {
                try await transport.shutdown()
                try await apple.shutdown()
            }
        }
    }

    private struct Parts {
        let apple: MockApple
        let key: MockApple.DeveloperKey
        let directory: TemporaryDirectory
        let clock: TestClock
        let http: HTTPClient
    }

    /// As ``RunningServer``: the broker begins with a stand-in for its public URL, which has the port in it.
    private static func serve<Value: Sendable>(
        _ options: Options, _ parts: Parts, _ transport: AsyncHTTPClientTransport,
        _ body: (AppleFixture) async throws -> Value
    ) async throws -> Value {
        let standIn = try #require(PublicURL("https://localhost:1"))
        let provider = try options.provider(parts.apple, parts.key, parts.directory)
        let broker = try Broker(
            configuration: options.configuration(standIn, provider), transport: transport, clock: parts.clock,
            elapsed: parts.clock.elapsed, notificationHandler: options.notificationHandler,
            // A load comes from one address, and how much of it comes is up to the machine.
            requestLimits: .withoutRates, logger: options.logger)
        var limits = ListenerLimits()
        if let interval = options.keyFileInterval { limits.certificateRefreshInterval = interval }
        let server = try BrokerServer(
            configuration: ServerConfiguration(
                port: 0, tls: try parts.directory.write(try TestCertificate.shared())),
            broker: broker, eventLoopGroup: RunningServer.eventLoops, logger: options.logger, limits: limits)
        let serving = Task { try await server.run() }
        return try await attempt {
            let address = try await server.boundAddress()
            let port = try #require(address.port)
            let publicURL = try #require(PublicURL("https://localhost:\(port)"))
            try broker.reload(options.configuration(publicURL, provider))
            let fixture = AppleFixture(
                apple: parts.apple, key: parts.key, broker: broker, publicURL: publicURL, directory: parts.directory,
                clock: parts.clock, http: parts.http)
            try #require(parts.apple.allow(redirectURI: fixture.callbackURL, forClient: servicesID))
            return try await body(fixture)
        } finally: {
            serving.cancel()
            _ = await serving.result
        }
    }
}

extension AppleFixture.Options {
    /// What Apple knows of the team.
    fileprivate func apple(
        key: MockApple.DeveloperKey, clock: TestClock
    ) throws -> MockApple.Configuration {
        let team = AppleFixture.teamID
        var configuration = MockApple.Configuration(
            clients: [
                .servicesID(AppleFixture.servicesID, teamID: team), .bundleID(AppleFixture.bundleID, teamID: team),
                .bundleID(AppleFixture.otherBundleID, teamID: team),
            ],
            developerKeys: [key], certificate: try TestCertificate.shared(), interaction: interaction)
        configuration.signingAlgorithm = .es256
        configuration.writesBooleansAsText = writesBooleansAsText
        configuration.clock = clock
        return configuration
    }

    /// What the broker knows of Apple.
    fileprivate func provider(
        _ apple: MockApple, _ key: MockApple.DeveloperKey, _ directory: TemporaryDirectory
    ) throws -> BrokerConfiguration.Provider {
        var privateKey = key.privateKey
        if keyFileInterval != nil {
            try AppleFixture.write(key, to: directory)
            // As a configuration reads the file: what is in use must not look like another key than what is there.
            privateKey = Secret(ConfigurationValues.text(ofFile: Array(key.privateKey.exposed.utf8)))
        }
        var provider = BrokerConfiguration.Provider.apple(
            clientID: AppleFixture.servicesID, teamID: key.teamID, keyID: key.keyID, privateKey: privateKey)
        provider.configuration.responseType = responseType
        if keyFileInterval != nil {
            provider.apple?.privateKeyFile = directory.file(AppleFixture.keyFile)
            provider.apple?.keyIDFile = directory.file(AppleFixture.keyIDFile)
        }
        provider.replaceApple(
            by: AppleStandIn(
                issuer: apple.issuer, certificateAuthorities: apple.certificatePEM.map { Array($0.utf8) }))
        return provider
    }

    /// Apple as the only provider, and the two apps.
    fileprivate func configuration(
        _ publicURL: PublicURL, _ provider: BrokerConfiguration.Provider
    ) -> BrokerConfiguration {
        var shop = AppClient.publicApp.configuration
        shop.nativeAudiences = [.init(provider: provider.id, audience: AppleFixture.bundleID)]
        var desk = AppClient.basicApp.configuration
        desk.nativeAudiences = [.init(provider: provider.id, audience: AppleFixture.otherBundleID)]
        var configuration = BrokerConfiguration.test(publicURL: publicURL, provider: provider, apps: [shop, desk])
        configuration.appleDomainAssociation = domainAssociation
        configuration.webhook = webhook
        return configuration
    }
}
