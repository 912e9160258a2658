// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle

/// Everything the demo consists of, running: broker, provider and sample app, each on a port of its own,
/// with one certificate.
final class DemoEnvironment: Sendable {
    /// Where the sample app is: the URL to open.
    let appURL: String
    /// The broker's issuer.
    let brokerIssuer: String
    /// Who signs people in.
    let provider: DemoProvider
    /// The provider's issuer.
    let providerIssuer: String
    /// The certificate, PEM: trust root for whoever plays the browser.
    let certificatePEM: String
    /// Where the certificate is kept.
    let certificates: CertificateStore

    private let parts: Parts
    private let serving: Task<Void, any Error>

    private init(
        appURL: String, provider: DemoProvider, configuration: DemoConfiguration, certificates: CertificateStore,
        parts: Parts, serving: Task<Void, any Error>
    ) {
        self.appURL = appURL
        self.provider = provider
        brokerIssuer = configuration.brokerIssuer
        providerIssuer = configuration.issuer
        certificatePEM = parts.certificate.certificatePEM
        self.certificates = certificates
        self.parts = parts
        self.serving = serving
    }

    /// Starts everything, and returns when all of it listens.
    ///
    /// - Parameters:
    ///   - port: the broker's port; 0 takes a free one.
    ///   - provider: who signs people in.
    ///   - certificates: where the certificate is kept.
    ///   - logger: what the broker logs to.
    /// - Throws: ``DemoError`` where the port is taken; whatever a part throws that cannot start. Nothing is left
    ///   running then.
    static func start(
        port: Int, provider: DemoProvider = .development, certificates: CertificateStore, logger: Logger
    ) async throws -> DemoEnvironment {
        // A port that the system chose may be taken by somebody else before it is listened on: then another is tried.
        var attempt = 1
        while true {
            do {
                return try await startOnce(port: port, provider: provider, certificates: certificates, logger: logger)
            } catch {
                let isTaken = error is IOError || (port == 0 && error is ListenerError)
                guard isTaken, attempt < attempts else {
                    certificates.removeIfTemporary()
                    throw error
                }
                attempt += 1
            }
        }
    }

    private static let attempts = 8

    private static func startOnce(
        port: Int, provider: DemoProvider, certificates: CertificateStore, logger: Logger
    ) async throws -> DemoEnvironment {
        let parts = try Parts(certificate: certificates.certificate())
        do {
            let brokerPort = try await ListeningPort.free(port, on: parts.group)
            let started = try await parts.start(provider)
            let appPort = try await ListeningPort.free(0, on: parts.group)
            let appURL = "https://localhost:\(appPort)"
            let configuration = DemoConfiguration(
                publicURL: "https://localhost:\(brokerPort)",
                issuer: started.issuer,
                client: started.client,
                redirectURI: appURL + SampleApp.callbackPath,
                certificatePath: certificates.certificatePath,
                certificatePEM: parts.certificate.certificatePEM)
            started.allow(redirectURI: configuration.callbackURL)
            try await parts.startApp(
                port: appPort, url: appURL, brokerIssuer: configuration.brokerIssuer, provider: provider)

            let broker = try Broker(
                configuration: try await configuration.brokerConfiguration(), transport: parts.transport,
                logger: logger)
            let server = try BrokerServer(
                configuration: ServerConfiguration(
                    host: "127.0.0.1", port: brokerPort,
                    tls: TLSFiles(
                        certificateChain: certificates.certificatePath, privateKey: certificates.keyPath)),
                broker: broker, eventLoopGroup: parts.group, logger: logger)
            let services = ServiceGroup(configuration: .init(services: [server], logger: logger))
            let serving = Task { try await services.run() }
            do {
                _ = try await server.boundAddress()
            } catch {
                serving.cancel()
                _ = await serving.result
                throw error
            }
            return DemoEnvironment(
                appURL: appURL, provider: provider, configuration: configuration, certificates: certificates,
                parts: parts, serving: serving)
        } catch {
            await parts.stop()
            throw error
        }
    }

    /// Returns when the broker has ended, by ``stop()`` or by itself.
    ///
    /// - Throws: what ended it.
    func untilEnded() async throws {
        try await serving.value
    }

    /// Stops everything. Returns when nothing runs any more.
    ///
    /// The broker is not drained: a browser keeps idle connections, and nobody at a terminal waits for those.
    func stop() async {
        serving.cancel()
        // Side by side: each may wait for browsers that do not answer the end of TLS.
        async let listeners: Void = parts.stopListeners()
        _ = await serving.result
        await listeners
        await parts.stop()
        certificates.removeIfTemporary()
    }
}
