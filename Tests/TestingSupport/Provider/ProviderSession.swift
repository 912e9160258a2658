// SPDX-License-Identifier: Apache-2.0

package import AsyncHTTPClient
package import NIOCore
import NIOPosix
package import OIDCBrokerTesting
package import OpenIDConnect
package import OpenIDRelyingParty
package import SignInWithAppleTesting

/// A provider with a socket of its own, which remembers what it was asked.
package protocol RecordingProvider: Sendable {
    func recordedRequests() -> [OpenIDProvider.RecordedRequest]
    func shutdown() async throws
}

extension OpenIDProvider: RecordingProvider {}
extension MockApple: RecordingProvider {}

/// A relying party, a provider over a real socket, and a browser that follows nothing by itself.
package struct ProviderSession<Provider: RecordingProvider>: Sendable {
    package let provider: Provider
    /// The relying party's clock.
    package let clock: TestClock
    package let relyingParty: RelyingParty
    package let transport: AsyncHTTPClientTransport
    private let browser: HTTPClient

    package static var group: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// Runs a test with a session and shuts everything down.
    package static func run(
        _ provider: Provider, _ configuration: ProviderConfiguration, clock: TestClock, policy: IDTokenPolicy? = nil,
        _ body: (ProviderSession) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        let session = ProviderSession(
            provider: provider, clock: clock,
            relyingParty: RelyingParty(
                configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed,
                policy: policy ?? configuration.profile.policy),
            transport: transport,
            browser: HTTPClient(
                eventLoopGroup: group, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)))
        try await attempt {
            try await body(session)
        } finally: {
            try await session.shutdown()
        }
    }

    private func shutdown() async throws {
        try await transport.shutdown()
        try await browser.shutdown()
        try await provider.shutdown()
    }

    /// Sends a request as the browser, and returns the response with its body.
    package func send(_ request: HTTPClientRequest) async throws -> (response: HTTPClientResponse, body: String) {
        let response = try await browser.execute(request, timeout: .seconds(30))
        return (response, String(buffer: try await response.body.collect(upTo: 4 << 20)))
    }

    /// The paths that were asked of the provider, in their order.
    package var paths: [String] { provider.recordedRequests().map(\.path) }

    /// The requests to one path.
    package func requests(to path: String) -> [OpenIDProvider.RecordedRequest] {
        provider.recordedRequests().filter { $0.path == path }
    }
}
