// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import ExampleServing
import Logging
import MetricsTestKit
import NIOCore
import NIOPosix
import NIOSSL
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle
import Testing
import TestingSupport

/// An example server on a port of its own, a provider, and a browser, all on real sockets.
///
/// The public URL has the port, which is known when the server listens. The server therefore starts with another one, and
/// gets the right configuration as a reload.
struct RunningExample: Sendable {
    /// Who signs in.
    static let person = OpenIDProvider.Person.mock[0]

    private static let clientID = "broker"
    private static let clientSecret = "secret-of-the-broker"
    private static var eventLoops: MultiThreadedEventLoopGroup { .singleton }
    private static var quiet: Logger { Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() } }
    private static let certificate = Result { try DevelopmentCertificate.make(hosts: ["localhost"]) }

    /// `https://localhost:PORT`.
    let origin: String
    let provider: OpenIDProvider
    let audit: AuditRecorder
    let metrics: TestMetrics
    let http: HTTPClient

    /// The broker's issuer.
    var issuer: String { origin + BrokerConfiguration.defaultPathPrefix }

    /// A browser without cookies.
    func visitor() -> HTTPBrowser { HTTPBrowser(http) }

    /// Runs a body against an example, then ends it by graceful shutdown.
    static func run(
        _ example: Example, over version: HTTPClient.Configuration.HTTPVersion,
        limits: RequestLimits = RequestLimits(), _ body: (RunningExample) async throws -> Void
    ) async throws {
        let provider = try await OpenIDProvider.start(
            OpenIDProvider.Configuration(
                clients: [OpenIDProvider.Client(id: clientID, secret: clientSecret)], interaction: .automatic(0)),
            on: eventLoops)
        let transport = AsyncHTTPClientTransport(eventLoopGroup: eventLoops)
        let http = try HTTPBrowser.makeHTTPClient(trusting: try certificate.get().certificatePEM, version: version)
        try await attempt {
            try await serve(example, provider, transport, http, limits, body)
        } finally: {
            try await http.shutdown()
            try await transport.shutdown()
            try await provider.shutdown()
        }
    }

    private static func serve(
        _ example: Example, _ provider: OpenIDProvider, _ transport: AsyncHTTPClientTransport, _ http: HTTPClient,
        _ limits: RequestLimits, _ body: (RunningExample) async throws -> Void
    ) async throws {
        let (audit, metrics) = (AuditRecorder(), TestMetrics())
        let (configurations, reloading) = AsyncStream.makeStream(of: BrokerConfiguration.self)
        let (addresses, listening) = AsyncStream.makeStream(of: SocketAddress?.self)
        let parts = ExampleParts(
            eventLoopGroup: eventLoops, transport: transport, logger: quiet, auditLogger: audit.logger,
            metrics: metrics, requestLimits: limits, tls: try serverTLS(), port: 0, configurations: configurations,
            onListening: { listening.yield($0) })
        let server = try example.server.init(
            configuration: configuration("https://localhost:1", provider), parts: parts)
        let services = parts.makeServiceGroup(server)
        let running = Task {
            // Who waits for the address does so no longer than the server runs.
            defer { listening.finish() }
            try await services.run()
        }
        try await attempt {
            var address: SocketAddress?
            for await next in addresses {
                address = next
                break
            }
            let origin = "https://localhost:\(try #require(address?.port))"
            let fixture = RunningExample(
                origin: origin, provider: provider, audit: audit, metrics: metrics, http: http)
            try #require(provider.allow(redirectURI: fixture.issuer + "/handler", forClient: clientID))
            reloading.yield(try configuration(origin, provider))
            try await audit.wait(for: "reload")
            try await body(fixture)
        } finally: {
            await services.triggerGracefulShutdown()
            try await running.value
        }
    }

    private static func configuration(_ origin: String, _ provider: OpenIDProvider) throws -> BrokerConfiguration {
        var acme = BrokerConfiguration.Provider(
            name: "acme", issuer: provider.issuer, clientID: clientID, clientSecret: Secret(clientSecret))
        acme.configuration.insecureLoopbackIssuer = true
        acme.configuration.scopes = ["openid", "email", "profile"]
        var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
        site.kind = .inProcess
        var configuration = BrokerConfiguration(
            publicURL: try #require(PublicURL(origin)), providers: [acme], apps: [site])
        configuration.makeMissingKeys()
        return configuration
    }

    private static func serverTLS() throws -> TLSConfiguration {
        let made = try certificate.get()
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(made.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(made.privateKeyPEM.utf8), format: .pem)
        return .makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    }
}
