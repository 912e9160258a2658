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

        private let provider = NIOLockedValueBox<RunningDemoProvider?>(nil)
        private let brokerClient = NIOLockedValueBox<BrokerClient?>(nil)
        private let listener = NIOLockedValueBox<SampleAppListener?>(nil)

        /// Creates an environment in which nothing has been started.
        init(certificate: DevelopmentCertificate) {
            self.certificate = certificate
            transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        }

        /// Starts the provider with one fictitious person and the broker as its client.
        func start(_ chosen: DemoProvider) async throws -> RunningDemoProvider {
            let started = try await RunningDemoProvider.start(chosen, certificate: certificate, on: group)
            provider.withLockedValue { $0 = started }
            return started
        }

        /// Starts the sample app.
        func startApp(port: Int, url: String, brokerIssuer: String, provider: DemoProvider) async throws {
            let client = try BrokerClient(
                issuer: brokerIssuer, clientID: DemoConfiguration.appClientID,
                redirectURI: url + SampleApp.callbackPath, certificatePEM: certificate.certificatePEM, group: group)
            brokerClient.withLockedValue { $0 = client }
            let started = try await SampleAppListener.start(
                SampleApp(client: client, provider: provider), port: port, certificate: certificate, on: group)
            listener.withLockedValue { $0 = started }
        }

        /// Stops the provider and the sample app. Further calls do nothing.
        func stopListeners() async {
            if let listener = listener.withLockedValue({ $0 }) { await listener.stop() }
            if let provider = provider.withLockedValue({ $0 }) { try? await provider.shutdown() }
        }

        /// Stops all parts. A part that fails to stop ends with the event loops.
        func stop() async {
            await stopListeners()
            if let client = brokerClient.withLockedValue({ $0 }) { await client.stop() }
            try? await transport.shutdown()
            try? await group.shutdownGracefully()
        }
    }
}
