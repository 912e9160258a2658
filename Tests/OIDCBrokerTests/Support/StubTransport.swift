// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization
import TestingSupport

/// A transport to the providers without sockets. Requests to other hosts are recorded and get no response.
final class StubTransport: ProviderTransport {
    let providers: [TestProvider]
    let apple: StubApple?
    /// Where webhooks go.
    let webhook = StubWebhook()
    private let strayOrigins = Mutex<[String]>([])

    init(providers: [TestProvider], apple: StubApple? = nil) {
        self.providers = providers
        self.apple = apple
    }

    /// The origins of the requests that went to no provider.
    var strays: [String] { strayOrigins.withLock { $0 } }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        if case .bytes(let body, let fields)? = request.content {
            return webhook.execute(StubWebhook.Request(url: request.url, fields: fields, body: body), on: eventLoop)
        }
        if let apple, request.url.origin == StubApple.issuer { return apple.execute(request, on: eventLoop) }
        guard let provider = providers.first(where: { $0.issuer == request.url.origin }) else {
            strayOrigins.withLock { $0.append(request.url.origin) }
            return eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
        }
        return provider.execute(request, on: eventLoop)
    }
}
