// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

@testable import OIDCBrokerTesting

/// The OpenID Provider of `OIDCBrokerTesting` without its listener: a transport that hands each request directly to
/// the provider's state, and reports of a response what the transports on sockets report, by their own initializer.
///
/// Like them it follows no redirect, which is theirs to prove: `ProviderTransportTests`.
final class InMemoryProvider: ProviderTransport {
    /// A loopback issuer, to which plain http is allowed, so that plain http to another host stands out.
    let issuer = "http://127.0.0.1:8080"
    private let responder: StateResponder<ProviderState>
    private let strayRequests = Mutex<[String]>([])

    /// - Throws: An error of key generation.
    init(_ configuration: OpenIDProvider.Configuration) throws {
        responder = StateResponder(
            ProviderState(
                configuration: configuration,
                keys: try ProviderKeys(configuration.signingAlgorithm.algorithm, isShared: configuration.sharesKeys)))
        responder.update { $0.issuer = issuer }
    }

    /// Selects the misbehavior from the next request on.
    func set(_ misbehavior: Misbehavior) { responder.update { $0.misbehavior = misbehavior } }

    /// The requests so far, the browser's among them, in their order.
    func recordedRequests() -> [OpenIDProvider.RecordedRequest] { responder.update { $0.recorded } }

    /// The requests to other origins, which got no response.
    var strays: [String] { strayRequests.withLock { $0 } }

    /// A browser opens a URL of the provider.
    ///
    /// - Returns: the target of the redirect; `nil` if the response is none.
    func visit(_ url: String) -> String? {
        guard url.hasPrefix(issuer + "/") else { return nil }
        let request = ReceivedRequest(
            method: "GET", target: String(url.dropFirst(issuer.count)), headers: [], body: [])
        return responder.respond(to: request).headers.first { $0.name == "location" }?.value
    }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        guard request.url.origin == issuer else {
            strayRequests.withLock { $0.append(request.description) }
            return eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
        }
        return eventLoop.makeCompletedFuture { try response(to: request) }
    }

    private func response(to request: ProviderRequest) throws -> ProviderResponse {
        var headers = [(name: "accept", value: "application/json"), (name: "accept-encoding", value: "identity")]
        if let authorization = request.authorization { headers.append((name: "authorization", value: authorization)) }
        if request.form != nil {
            headers.append((name: "content-type", value: "application/x-www-form-urlencoded"))
        }
        let query = request.url.query.map { "?" + $0 } ?? ""
        let sent = responder.respond(
            to: ReceivedRequest(
                method: request.content == nil ? "GET" : "POST", target: request.url.path + query, headers: headers,
                body: Array((request.form ?? "").utf8)))
        // What the listener would write, and what a transport would make of it.
        var fields = HTTPHeaders(sent.headers.map { ($0.name, $0.value) })
        fields.add(name: "content-length", value: String(sent.body.count))
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: sent.status), headers: fields)
        var response = try ProviderResponse(
            head, isDocument: request.content == nil, maximumBytes: request.maximumResponseBytes)
        response.body = ByteBuffer(bytes: sent.body)
        return response
    }
}
