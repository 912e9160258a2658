// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import oidc_broker_demo
@testable import OIDCBrokerConfiguration

/// A response in the URL's fragment, which only a script can submit. Only a real browser shows whether the page's
/// policy allows its script, and whether the browser sends what the broker expects.
@Suite(
    "Response mode fragment in headless Chromium", .serialized, .onSockets, .timeLimit(.minutes(10)),
    .enabled(if: ChromeDriver.isRequired, "needs chromedriver: apt-get install chromium chromium-driver"))
struct FragmentInBrowserTests {
    @Test(arguments: ["code id_token", "id_token"])
    func `The page brings the fragment by itself`(name: String) async throws {
        let type = try #require(ResponseType(name: name))
        try await withInstallation(type) { installation, window in
            try await window.go(to: installation.startURL)
            try await window.type(DemoConfiguration.user.email, into: "#email")
            try await window.type(DemoConfiguration.user.password, into: "#password")
            try await window.click("#sign-in")
            try await window.click("#allow")

            // No server listens at the app's redirect URI: a line of text says so, at the address the broker sent us to.
            _ = try await window.find("pre")
            let address = try await window.address()
            #expect(address.hasPrefix(installation.redirectURI + "?"))
            #expect(address.contains("code="))
            #expect(address.contains("state=the-app"))
            #expect(!address.contains("error="))
            #expect(!address.contains("id_token"))
            #expect(installation.provider.violations() == [])
            let exchanges = installation.provider.recordedRequests().filter { $0.path == "/token" }
            #expect(exchanges.count == (type == .codeIDToken ? 1 : 0))
        }
    }

    @Test func `Without a fragment the page says that the link has no sign-in`() async throws {
        try await withInstallation(.idToken) { installation, window in
            try await window.go(to: installation.callbackURL)
            let nothing = try await window.text(of: "#nothing")
            #expect(!nothing.isEmpty)
            let waiting = try await window.text(of: "#waiting")
            #expect(waiting.isEmpty)
            let address = try await window.address()
            #expect(address == installation.callbackURL)
        }
    }

    /// Broker and provider, on ports of their own.
    private struct Installation: Sendable {
        static let clientID = "broker"

        let provider: OpenIDProvider
        let origin: String

        var issuer: String { origin + BrokerConfiguration.defaultPathPrefix }
        var callbackURL: String { issuer + "/handler" }
        /// On the broker's own listener, so that the browser gets a response there, even if it is only a 404.
        var redirectURI: String { origin + "/app" }

        var startURL: String {
            issuer + "/authorize?"
                + FormURLEncoding.encode([
                    ("client_id", "app"), ("redirect_uri", redirectURI), ("response_type", "code"),
                    ("scope", "openid"), ("state", "the-app"), ("code_challenge_method", "S256"),
                    ("code_challenge", CodeVerifier(bytes: Array(repeating: 7, count: 32)).challenge),
                ])
        }

        /// The broker's configuration, for the public URL in ``origin``.
        func configuration(_ type: ResponseType, trusting certificate: DevelopmentCertificate) throws
            -> BrokerConfiguration
        {
            var acme = BrokerConfiguration.Provider(
                name: "acme", issuer: provider.issuer, clientID: Self.clientID, clientSecret: Secret("secret"))
            acme.configuration.certificateAuthorities = Array(certificate.certificatePEM.utf8)
            acme.configuration.responseType = type
            acme.configuration.responseMode = .fragment
            var configuration = BrokerConfiguration(
                publicURL: try #require(PublicURL(origin)), providers: [acme],
                apps: [
                    BrokerConfiguration.App(
                        name: "app", redirectURIs: [redirectURI])
                ])
            configuration.makeMissingKeys()
            return configuration
        }
    }

    private func withInstallation(
        _ type: ResponseType, _ body: (Installation, BrowserWindow) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let certificates = try CertificateStore.temporary()
        defer { certificates.removeIfTemporary() }
        let certificate = try certificates.certificate()
        var client = OpenIDProvider.Client(id: Installation.clientID, secret: "secret")
        client.responseTypes = [type]
        var configuration = OpenIDProvider.Configuration(clients: [client], certificate: certificate)
        configuration.issuerHost = "localhost"
        configuration.people = [DemoConfiguration.user]
        let provider = try await OpenIDProvider.start(configuration, on: group)
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        let logger = Logger(label: "oidc-brokerTests") { _ in SwiftLogNoOpLogHandler() }
        // The public URL has the port in it, which is known only when the server listens: a stand-in until then.
        let standIn = Installation(provider: provider, origin: "https://localhost:1")
        let broker = try Broker(
            configuration: standIn.configuration(type, trusting: certificate), transport: transport, logger: logger)
        let server = try BrokerServer(
            configuration: ServerConfiguration(
                host: "127.0.0.1", port: 0,
                tls: TLSFiles(certificateChain: certificates.certificatePath, privateKey: certificates.keyPath)),
            broker: broker, eventLoopGroup: group, logger: logger)
        let serving = Task { try await server.run() }
        try await attempt {
            let address = try await server.boundAddress()
            let installation = Installation(
                provider: provider, origin: "https://localhost:\(try #require(address.port))")
            try broker.reload(try installation.configuration(type, trusting: certificate))
            try #require(provider.allow(redirectURI: installation.callbackURL, forClient: Installation.clientID))
            try await withWindow { try await body(installation, $0) }
        } finally: {
            serving.cancel()
            _ = await serving.result
            try await provider.shutdown()
            try await transport.shutdown()
        }
    }

    private func withWindow(_ body: (BrowserWindow) async throws -> Void) async throws {
        let driver = try await ChromeDriver.start()
        defer { driver.stop() }
        let window = try await BrowserWindow.open(driver)
        try await attempt {
            try await body(window)
        } finally: {
            try await window.close()
        }
    }
}
