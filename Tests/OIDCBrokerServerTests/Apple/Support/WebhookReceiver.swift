// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import Synchronization

/// An app's server for webhooks, with plain http on loopback, which records each and responds as configured.
final class WebhookReceiver: Sendable {
    /// A request, whole.
    struct Received: Sendable {
        let head: HTTPRequestHead
        let body: [UInt8]
    }

    private struct State {
        var received: [Received] = []
        var statuses: [HTTPResponseStatus] = []
    }

    private let state = Mutex(State())

    /// What came so far.
    var received: [Received] { state.withLock { $0.received } }

    /// Answers the next requests like this, in this order, then by 204.
    func answer(_ statuses: [HTTPResponseStatus]) {
        state.withLock { $0.statuses = statuses }
    }

    /// Runs a body against one; gives it the address of its root.
    static func run(_ body: (WebhookReceiver, String) async throws -> Void) async throws {
        let receiver = WebhookReceiver()
        try await AnsweringServer.run { head, bytes in
            // Elsewhere an honest response would wait: a redirect that is followed is found out.
            AnsweringServer.Answer(
                status: receiver.take(Received(head: head, body: bytes)), headers: ["location": "/elsewhere"])
        } body: { root in
            try await body(receiver, root)
        }
    }

    private func take(_ received: Received) -> HTTPResponseStatus {
        state.withLock { state in
            state.received.append(received)
            return state.statuses.isEmpty ? .noContent : state.statuses.removeFirst()
        }
    }
}
