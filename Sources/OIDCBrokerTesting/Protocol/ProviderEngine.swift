// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOHTTP1
import OpenIDConnect
package import OpenIDRelyingParty
import Synchronization

/// A provider or mock without sockets: its state behind a lock, which answers requests on the calling thread. A listener
/// passes requests on to it, and it can be the transport of a relying party.
///
/// Only validation happens under the lock. Signing a token takes far longer and needs no state.
package final class ProviderEngine<State: ProviderEngineState>: RequestResponder, ProviderTransport {
    private let state: Mutex<State>

    package init(_ state: State) {
        self.state = Mutex(state)
    }

    /// Validates a request and returns its response.
    package func respond(to request: ReceivedRequest) -> SentResponse {
        let plan = update { state in
            state.record(request)
            return state.plan(for: request)
        }
        switch plan {
        case .response(let response): return response
        case .sign(let sign): return sign()
        }
    }

    /// Reads or changes the state.
    package func update<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// Binds a listener, which accepts no connection yet, and makes its origin the issuer, which contains the port.
    package func listen(on group: any EventLoopGroup) async throws -> (listener: ProviderListener, issuer: String) {
        let settings = update { $0.settings }
        if case .automatic = settings.interaction, settings.automaticPerson == nil {
            throw OpenIDProviderError.noSuchPerson
        }
        let listener = try await ProviderListener.bind(
            host: settings.host, port: settings.port, certificate: settings.certificate, responder: self, on: group)
        let issuer = settings.origin(port: listener.port)
        update { $0.issuer = issuer }
        return (listener, issuer)
    }

    /// Answers a request of a relying party, and reports of the response what the transports on sockets report, by their
    /// own initializer. Like them it follows no redirect.
    package func execute(
        _ request: ProviderRequest, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ProviderResponse> {
        eventLoop.makeCompletedFuture { try response(to: request) }
    }

    private func response(to request: ProviderRequest) throws -> ProviderResponse {
        var headers = [(name: "accept", value: request.accept), (name: "accept-encoding", value: "identity")]
        if let authorization = request.authorization { headers.append((name: "authorization", value: authorization)) }
        headers += request.additionalFields
        if request.form != nil {
            headers.append((name: "content-type", value: "application/x-www-form-urlencoded"))
        }
        let query = request.url.query.map { "?" + $0 } ?? ""
        let sent = respond(
            to: ReceivedRequest(
                method: request.content == nil ? "GET" : "POST", target: request.url.path + query, headers: headers,
                body: Array((request.form ?? "").utf8)))
        // What the listener would write, and what a transport would make of it.
        var fields = HTTPHeaders(sent.headers.map { ($0.name, $0.value) })
        fields.add(name: "content-length", value: String(sent.body.count))
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: sent.status), headers: fields)
        var response = try ProviderResponse(head, to: request)
        response.body = ByteBuffer(bytes: sent.body)
        return response
    }
}
