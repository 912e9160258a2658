// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import oidc_broker_demo
@testable import OIDCBrokerConfiguration

/// Broker, mock Apple and an app, on ports of their own. Apple is at 127.0.0.1, the broker at `localhost`: to a
/// browser two sites.
struct AppleInstallation: Sendable {
    /// What is different about it.
    struct Options: Sendable {
        /// Without TLS a browser takes no `SameSite=None`: the broker's cookies are Lax then.
        var isSecure = true
        var interaction = OpenIDProvider.Interaction.page
        /// Nil leaves it to the browser.
        var blocksThirdPartyCookies: Bool?
    }

    static let account = MockApple.Person.mock[0]
    private static let servicesID = "com.example.web"
    private static let teamID = "TEAM123456"
    private static let clientID = "app"

    let apple: MockApple
    /// The broker's origin.
    let origin: String
    /// The app, as an OpenID client of the broker.
    let client: BrokerClient

    var issuer: String { Self.issuer(origin) }
    var callbackURL: String { issuer + "/handler" }
    /// On the broker's own listener, so that the browser gets a response there, even if it is only a 404.
    var redirectURI: String { Self.redirectURI(origin) }

    private static func issuer(_ origin: String) -> String { origin + BrokerConfiguration.defaultPathPrefix }
    private static func redirectURI(_ origin: String) -> String { origin + "/app" }

    // MARK: Steps

    /// Through Apple's pages, up to the one that takes the response back.
    ///
    /// - Returns: whether Apple asked for a name.
    func signInAtApple(_ window: BrowserWindow) async throws -> Bool {
        try await window.type(Self.account.email, into: "#email")
        try await window.type(Self.account.password, into: "#password")
        try await window.click("#sign-in")
        _ = try await window.find("#allow")
        let asksForName = try await window.has("#given_name")
        try await window.click("#allow")
        _ = try await window.find("#form-post")
        return asksForName
    }

    /// What the app gets for the code in the address bar.
    func redeem(_ window: BrowserWindow, _ attempt: SignInAttempt) async throws -> JSONObject {
        // No server listens at the redirect URI: a line of text says so.
        _ = try await window.find("pre")
        let address = try await window.address()
        try #require(address.hasPrefix(redirectURI + "?"), "\(address.prefix { $0 != "?" })")
        let parameters = try FormURLEncoding.parse(address.dropFirst(redirectURI.count + 1).utf8)
        #expect(try parameters.value("state") == WireText(attempt.state))
        #expect(try parameters.value("iss") == WireText(issuer))
        let code = try #require(try parameters.nonEmptyValue("code"))
        return try await client.redeem(code.makeString(), verifier: attempt.verifier)
    }

    // MARK: Start and stop

    /// Runs a body against all of it and a window, then stops all of it.
    static func run(
        _ options: Options = Options(), _ body: (AppleInstallation, BrowserWindow) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let certificates = try CertificateStore.temporary()
        defer { certificates.removeIfTemporary() }
        let certificate = try certificates.certificate()
        let key = MockApple.DeveloperKey.make(teamID: teamID)
        let apple = try await MockApple.start(
            MockApple.Configuration(
                clients: [.servicesID(servicesID, teamID: teamID)], developerKeys: [key],
                certificate: options.isSecure ? certificate : nil, interaction: options.interaction),
            on: group)
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        try await attempt {
            var provider = BrokerConfiguration.Provider.apple(
                clientID: servicesID, teamID: key.teamID, keyID: key.keyID, privateKey: key.privateKey)
            provider.replaceApple(
                by: AppleStandIn(
                    issuer: apple.issuer, certificateAuthorities: apple.certificatePEM.map { Array($0.utf8) }))
            let tls =
                options.isSecure
                ? TLSFiles(certificateChain: certificates.certificatePath, privateKey: certificates.keyPath) : nil
            try await serve(provider, tls, apple, transport, certificate, on: group) { installation in
                try await withWindow(options) { try await body(installation, $0) }
            }
        } finally: {
            try await apple.shutdown()
            try await transport.shutdown()
        }
    }

    private static func serve(
        _ provider: BrokerConfiguration.Provider, _ tls: TLSFiles?, _ apple: MockApple,
        _ transport: AsyncHTTPClientTransport, _ certificate: DevelopmentCertificate,
        on group: MultiThreadedEventLoopGroup, _ body: (AppleInstallation) async throws -> Void
    ) async throws {
        let scheme = tls == nil ? "http" : "https"
        let logger = Logger(label: "oidc-brokerTests") { _ in SwiftLogNoOpLogHandler() }
        // The public URL has the port in it, which is known only when the server listens: a stand-in until then.
        let broker = try Broker(
            configuration: configuration("\(scheme)://localhost:1", provider), transport: transport, logger: logger)
        let server = try BrokerServer(
            configuration: ServerConfiguration(host: "127.0.0.1", port: 0, tls: tls), broker: broker,
            eventLoopGroup: group, logger: logger)
        let serving = Task { try await server.run() }
        try await attempt {
            let address = try await server.boundAddress()
            let origin = "\(scheme)://localhost:\(try #require(address.port))"
            try broker.reload(try configuration(origin, provider))
            let client = try BrokerClient(
                issuer: issuer(origin), clientID: clientID, redirectURI: redirectURI(origin),
                certificatePEM: certificate.certificatePEM, group: group)
            try await attempt {
                let installation = AppleInstallation(apple: apple, origin: origin, client: client)
                try #require(apple.allow(redirectURI: installation.callbackURL, forClient: servicesID))
                try await body(installation)
            } finally: {
                await client.stop()
            }
        } finally: {
            serving.cancel()
            _ = await serving.result
        }
    }

    private static func configuration(
        _ origin: String, _ provider: BrokerConfiguration.Provider
    ) throws -> BrokerConfiguration {
        var configuration = BrokerConfiguration(
            publicURL: try #require(PublicURL(origin)), providers: [provider],
            apps: [
                BrokerConfiguration.App(
                    name: clientID, redirectURIs: [redirectURI(origin)])
            ])
        configuration.makeMissingKeys()
        return configuration
    }

    private static func withWindow(
        _ options: Options, _ body: (BrowserWindow) async throws -> Void
    ) async throws {
        let driver = try await ChromeDriver.start()
        defer { driver.stop() }
        let window = try await BrowserWindow.open(
            driver, blocksThirdPartyCookies: options.blocksThirdPartyCookies)
        try await attempt {
            try await body(window)
        } finally: {
            try await window.close()
        }
    }
}
