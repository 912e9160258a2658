// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle

/// The running demo: broker, provider and sample app, each on a port of its own, with one certificate.
final class DemoEnvironment: Sendable {
    /// The URL of the sample app, which the user opens.
    let appURL: String
    /// The broker's issuer.
    let brokerIssuer: String
    /// The kind of provider.
    let provider: DemoProvider
    /// The provider's issuer.
    let providerIssuer: String
    /// The certificate (PEM), the trust root for the browser.
    let certificatePEM: String
    /// The store of the certificate.
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

    /// Starts all parts, and returns when all of them listen.
    ///
    /// - Parameters:
    ///   - port: The broker's port; 0 for any free one.
    ///   - provider: The kind of provider.
    ///   - certificates: The store of the certificate.
    ///   - logger: The logger of the broker.
    /// - Throws: ``DemoError`` if the port is taken, or the error of a part that cannot start. In that case nothing
    ///   remains running.
    static func start(
        port: Int, provider: DemoProvider = .development, certificates: CertificateStore, logger: Logger
    ) async throws -> DemoEnvironment {
        // Another process may take a port that the system chose before the demo listens on it. Then another port is
        // tried.
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

    /// Returns when the broker has ended, after ``stop()`` or on its own.
    ///
    /// - Throws: The error that ended it.
    func untilEnded() async throws {
        try await serving.value
    }

    /// Stops all parts, and returns when none is running.
    ///
    /// The broker is not drained, because that would wait for the idle connections of a browser.
    func stop() async {
        serving.cancel()
        // Concurrently, since each part may wait for browsers that do not respond to close_notify.
        async let listeners: Void = parts.stopListeners()
        _ = await serving.result
        await listeners
        await parts.stop()
        certificates.removeIfTemporary()
    }
}
