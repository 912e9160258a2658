// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OpenIDRelyingParty
import OpenIDRelyingPartyNIO

/// The implementations of ``ProviderTransport``: what every one of them must do is tested with each.
enum TransportKind: String, CaseIterable, Sendable {
    case asyncHTTPClient
    case nio

    /// A transport on these event loops, and what shuts it down.
    func make(
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) -> (transport: any ProviderTransport, shutdown: @Sendable () async throws -> Void) {
        switch self {
        case .asyncHTTPClient:
            let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
            return (transport, { try await transport.shutdown() })
        case .nio:
            let transport = NIOTransport(eventLoopGroup: group)
            return (transport, { try await transport.shutdown() })
        }
    }
}
