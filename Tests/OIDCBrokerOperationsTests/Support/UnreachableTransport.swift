// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

/// The transport to a provider that cannot be reached.
struct UnreachableTransport: ProviderTransport {
    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
    }
}
