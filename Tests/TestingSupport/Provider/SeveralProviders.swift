// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OpenIDConnect
package import OpenIDRelyingParty

/// Providers in memory, each reached at its issuer, which must be an origin. Nothing else is reached.
package struct SeveralProviders: ProviderTransport {
    private let providers: [TestProvider]

    package init(_ providers: [TestProvider]) { self.providers = providers }

    package func execute(
        _ request: ProviderRequest, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ProviderResponse> {
        guard let provider = providers.first(where: { $0.issuer == request.url.origin }) else {
            return eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
        }
        return provider.execute(request, on: eventLoop)
    }
}
