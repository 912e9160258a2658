// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

/// A receiver of webhooks without a socket: it records every request and responds with a status.
final class StubWebhook: Sendable {
    /// A webhook that was received.
    struct Request: Sendable {
        let url: AbsoluteURL
        let fields: [(name: String, value: String)]
        let body: [UInt8]
    }

    private struct State {
        var requests: [Request] = []
        /// `nil` if there is no response.
        var status: Int? = 200
    }

    private let state = Mutex(State())

    var requests: [Request] { state.withLock { $0.requests } }

    /// Chooses the response; `nil` for none.
    func answer(_ status: Int?) { state.withLock { $0.status = status } }

    func execute(_ request: Request, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        let status = state.withLock { state in
            state.requests.append(request)
            return state.status
        }
        guard let status else { return eventLoop.makeFailedFuture(ProviderTransportError.timedOut) }
        return eventLoop.makeSucceededFuture(
            ProviderResponse(status: status, contentType: nil, body: ByteBuffer()))
    }
}
