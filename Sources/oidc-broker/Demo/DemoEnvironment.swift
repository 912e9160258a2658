// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle

/// Everything the demo consists of, running: broker, development provider and sample app, each on a port of its own,
/// with one certificate.
final class DemoEnvironment: Sendable {
    /// Where the sample app is: the URL to open.
    let appURL: String
    /// The broker's issuer.
    let brokerIssuer: String
    /// The provider's issuer.
    let providerIssuer: String
    /// The certificate, PEM: trust root for whoever plays the browser.
    let certificatePEM: String
    /// Where the certificate is kept.
    let certificates: CertificateStore

    private let parts: Parts
    private let serving: Task<Void, any Error>

    private init(
        appURL: String, configuration: DemoConfiguration, certificates: CertificateStore, parts: Parts,
        serving: Task<Void, any Error>
    ) {
        self.appURL = appURL
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
    ///   - certificates: where the certificate is kept.
    ///   - logger: what the broker logs to.
    /// - Throws: ``DemoError`` where the port is taken; whatever a part throws that cannot start. Nothing is left
    ///   running then.
    static func start(port: Int, certificates: CertificateStore, logger: Logger) async throws -> DemoEnvironment {
        // A port that the system chose may be taken by somebody else before it is listened on: then another is tried.
        var attempt = 1
        while true {
            do {
                return try await startOnce(port: port, certificates: certificates, logger: logger)
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
        port: Int, certificates: CertificateStore, logger: Logger
    ) async throws -> DemoEnvironment {
        let parts = try Parts(certificate: certificates.certificate())
        do {
            let brokerPort = try await ListeningPort.free(port, on: parts.group)
            let clientSecret = Base64URL.encode(SecureRandom.bytes(32))
            let provider = try await parts.startProvider(clientSecret: clientSecret)
            let appPort = try await ListeningPort.free(0, on: parts.group)
            let appURL = "https://localhost:\(appPort)"
            let configuration = DemoConfiguration(
                publicURL: "https://localhost:\(brokerPort)",
                issuer: provider.issuer,
                clientSecret: clientSecret,
                redirectURI: appURL + SampleApp.callbackPath,
                certificatePath: certificates.certificatePath)
            provider.allow(redirectURI: configuration.returnURL, forClient: DemoConfiguration.clientID)
            try await parts.startApp(port: appPort, url: appURL, brokerIssuer: configuration.brokerIssuer)

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
                appURL: appURL, configuration: configuration, certificates: certificates, parts: parts,
                serving: serving)
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
