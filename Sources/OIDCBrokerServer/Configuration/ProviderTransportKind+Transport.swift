// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty
import OpenIDRelyingPartyNIO

extension ProviderTransportKind {
    /// Runs a closure with a transport of this kind and shuts the transport down after the closure returned or threw.
    ///
    /// - Parameters:
    ///   - eventLoopGroup: The event loop group of the server, so that requests stay on their event loop.
    ///   - body: The closure that uses the transport.
    /// - Throws: The error of the closure, or else that of the shutdown.
    public func withTransport<Value: Sendable>(
        on eventLoopGroup: any EventLoopGroup, _ body: (any ProviderTransport) async throws -> Value
    ) async throws -> Value {
        let (transport, shutdown) = make(on: eventLoopGroup)
        let value: Value
        do {
            value = try await body(transport)
        } catch {
            try? await shutdown()
            throw error
        }
        try await shutdown()
        return value
    }

    private func make(
        on eventLoopGroup: any EventLoopGroup
    ) -> (transport: any ProviderTransport, shutdown: @Sendable () async throws -> Void) {
        switch self {
        case .asyncHTTPClient:
            let transport = AsyncHTTPClientTransport(eventLoopGroup: eventLoopGroup)
            return (transport, { try await transport.shutdown() })
        case .nio:
            let transport = NIOTransport(eventLoopGroup: eventLoopGroup)
            return (transport, { try await transport.shutdown() })
        }
    }
}
