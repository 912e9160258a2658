// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDRelyingParty

extension DemoEnvironment {
    /// The parts of the demo that have been started and must be stopped.
    final class Parts: Sendable {
        /// The event loops of all parts. Shutting them down closes every remaining connection.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        /// The certificate of every listener.
        let certificate: DevelopmentCertificate
        /// The broker's transport to the provider.
        let transport: AsyncHTTPClientTransport

        private let providers = NIOLockedValueBox<[RunningDemoProvider]>([])
        private let brokerClient = NIOLockedValueBox<BrokerClient?>(nil)
        private let listener = NIOLockedValueBox<SampleAppListener?>(nil)
        private let folder = NIOLockedValueBox<TemporaryFolder?>(nil)

        /// Creates an environment in which nothing has been started.
        init(certificate: DevelopmentCertificate) {
            self.certificate = certificate
            transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        }

        /// Starts a provider with fictitious users and the broker as its client.
        ///
        /// - Parameter hasAccounts: Whether the sample app is a client of the provider too.
        func start(_ chosen: DemoProvider, hasAccounts: Bool) async throws -> RunningDemoProvider {
            let started = try await RunningDemoProvider.start(
                chosen, hasAccounts: hasAccounts, certificate: certificate, on: group)
            providers.withLockedValue { $0.append(started) }
            return started
        }

        /// Makes a folder that is removed when all parts have stopped, and returns its path.
        func makeFolder() throws -> String {
            let made = try TemporaryFolder.make()
            folder.withLockedValue { $0 = made }
            return made.path
        }

        /// Starts the sample app.
        ///
        /// - Parameter sdk: The files of the Firebase SDK for the web app; none for our own client.
        func startApp(
            port: Int, url: String, configuration: DemoConfiguration, provider: DemoProvider, sdk: [String]
        ) async throws {
            let client = try BrokerClient(
                issuer: configuration.brokerIssuer, clientID: DemoConfiguration.appClientID,
                redirectURI: url + SampleApp.callbackPath, certificatePEM: certificate.certificatePEM, group: group)
            brokerClient.withLockedValue { $0 = client }
            let app = SampleApp(
                client: client, provider: provider,
                accounts: configuration.hasAccounts
                    ? accounts(client, url: url, configuration: configuration) : nil,
                web: configuration.hasAccounts ? SampleAppWeb(configuration.webApp, sdk: sdk) : nil)
            let started = try await SampleAppListener.start(app, port: port, certificate: certificate, on: group)
            listener.withLockedValue { $0 = started }
        }

        private func accounts(
            _ client: BrokerClient, url: String, configuration: DemoConfiguration
        ) -> SampleAppAccounts {
            let wire = AccountsWire(
                client: client, origin: configuration.publicURL, projectID: DemoAccounts.projectID,
                apiKey: DemoAccounts.apiKey, bundleID: DemoAccounts.bundleID)
            return SampleAppAccounts(
                wire: wire, sheet: SignInSheet(providers.withLockedValue { $0 }), origin: url)
        }

        /// Stops the providers and the sample app. Further calls do nothing.
        func stopListeners() async {
            if let listener = listener.withLockedValue({ $0 }) { await listener.stop() }
            for provider in providers.withLockedValue({ $0 }) { try? await provider.shutdown() }
        }

        /// Stops all parts. A part that fails to stop ends with the event loops.
        func stop() async {
            await stopListeners()
            if let client = brokerClient.withLockedValue({ $0 }) { await client.stop() }
            try? await transport.shutdown()
            try? await group.shutdownGracefully()
            folder.withLockedValue { $0 }?.remove()
        }
    }
}
