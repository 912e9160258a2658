// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty

/// The running demo: broker, provider and sample app, each on a port of its own, with one certificate. With accounts
/// there are both providers.
final class DemoEnvironment: Sendable {
    /// The URL of the sample app, which the user opens.
    let appURL: String
    /// The broker's issuer.
    let brokerIssuer: String
    /// The kind of provider; with accounts that of the first one.
    let provider: DemoProvider
    /// The provider's issuer.
    let providerIssuer: String
    /// The path of the database of accounts; `nil` if there are none.
    let accountsDatabase: String?
    /// The certificate (PEM), the trust root for the browser.
    let certificatePEM: String
    /// The store of the certificate.
    let certificates: CertificateStore

    private let parts: Parts
    private let serving: Task<Void, any Error>

    private init(
        appURL: String, provider: DemoProvider, configuration: DemoConfiguration, accountsDatabase: String?,
        certificates: CertificateStore, parts: Parts, serving: Task<Void, any Error>
    ) {
        self.appURL = appURL
        self.provider = provider
        brokerIssuer = configuration.brokerIssuer
        providerIssuer = configuration.provider.issuer
        self.accountsDatabase = accountsDatabase
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
    ///   - hasAccounts: Whether the broker has accounts. Both providers run then, and `provider` is not used.
    ///   - sdk: The files of the Firebase SDK that the web app loads; none for our own client.
    ///   - certificates: The store of the certificate.
    ///   - logger: The logger of the broker.
    /// - Throws: ``DemoError`` if the port is taken, or the error of a part that cannot start. In that case nothing
    ///   remains running.
    static func start(
        port: Int, provider: DemoProvider = .development, hasAccounts: Bool = false, sdk: [String] = [],
        certificates: CertificateStore, logger: Logger
    ) async throws -> DemoEnvironment {
        // Another process may take a port that the system chose before the demo listens on it. Then another port is
        // tried.
        var attempt = 1
        while true {
            do {
                return try await startOnce(
                    port: port, provider: hasAccounts ? .development : provider, hasAccounts: hasAccounts, sdk: sdk,
                    certificates: certificates, logger: logger)
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
        port: Int, provider: DemoProvider, hasAccounts: Bool, sdk: [String], certificates: CertificateStore,
        logger: Logger
    ) async throws -> DemoEnvironment {
        let parts = try Parts(certificate: certificates.certificate())
        do {
            let brokerPort = try await ListeningPort.free(port, on: parts.group)
            let started = try await parts.start(provider, hasAccounts: hasAccounts)
            let linked = try await hasAccounts ? parts.start(.apple, hasAccounts: true) : nil
            let database: String? = try hasAccounts ? parts.makeFolder() + "/accounts.sqlite" : nil
            let appPort = try await ListeningPort.free(0, on: parts.group)
            let appAuthority = "localhost:\(appPort)"
            let appURL = "https://\(appAuthority)"
            let configuration = DemoConfiguration(
                publicURL: "https://localhost:\(brokerPort)",
                provider: started.configuration,
                linkedProvider: linked?.configuration,
                redirectURI: appURL + SampleApp.callbackPath,
                appAuthority: appAuthority,
                certificatePath: certificates.certificatePath,
                certificatePEM: parts.certificate.certificatePEM)
            started.allow(redirectURI: configuration.callbackURL)
            linked?.allow(redirectURI: configuration.callbackURL)
            try await parts.startApp(
                port: appPort, url: appURL, configuration: configuration, provider: provider, sdk: sdk)
            let serving = try await startBroker(
                configuration, port: brokerPort, accountsDatabase: database, certificates: certificates, parts: parts,
                logger: logger)
            return DemoEnvironment(
                appURL: appURL, provider: provider, configuration: configuration, accountsDatabase: database,
                certificates: certificates, parts: parts, serving: serving)
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
