// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// The way to the providers, without a socket.
struct StubTransport: ProviderTransport {
    let providers: [StubProvider]

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        guard let provider = providers.first(where: { $0.issuer == request.url.origin }) else {
            return eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
        }
        return provider.execute(request, on: eventLoop)
    }
}
