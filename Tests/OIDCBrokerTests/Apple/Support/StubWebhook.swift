// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OpenIDRelyingParty
import Synchronization

/// Whoever takes webhooks, without a socket: notes every request and answers with a status.
final class StubWebhook: Sendable {
    private struct State {
        var requests: [WebhookRequest] = []
        /// Nil: nothing answers.
        var status: Int? = 200
    }

    private let state = Mutex(State())

    var requests: [WebhookRequest] { state.withLock { $0.requests } }

    /// Chooses the response; nil for none.
    func answer(_ status: Int?) { state.withLock { $0.status = status } }

    func send(_ request: WebhookRequest, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        let status = state.withLock { state in
            state.requests.append(request)
            return state.status
        }
        guard let status else { return eventLoop.makeFailedFuture(ProviderTransportError.timedOut) }
        return eventLoop.makeSucceededFuture(status)
    }
}

extension StubTransport: WebhookTransport {
    func send(_ request: WebhookRequest, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        webhook.send(request, on: eventLoop)
    }
}
