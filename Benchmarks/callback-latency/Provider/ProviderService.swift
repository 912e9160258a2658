// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import Synchronization

/// The responses of the provider, which are looked up.
final class ProviderService: Sendable {
    /// A response.
    struct Response: Sendable {
        var status: String
        var body: [UInt8]
        /// Whether the provider's latency is added.
        var isDelayed = false
        var isCacheable = false

        static func error(_ status: String, _ code: String) -> Response {
            Response(status: status, body: Array("{\"error\":\"\(code)\"}".utf8))
        }
    }

    /// The latency of a token request.
    let latency: TimeAmount

    private let documents: ProviderDocuments
    private let signIns: PreparedSignIns
    private let tokenPaths: Set<String>
    private let tokens = Atomic<UInt64>(0)
    private let connections = Atomic<UInt64>(0)

    init(documents: ProviderDocuments, signIns: PreparedSignIns, issuerPaths: [String], latency: TimeAmount) {
        self.documents = documents
        self.signIns = signIns
        self.latency = latency
        tokenPaths = Set(issuerPaths.map { $0 + "/token" })
    }

    /// The number of token requests that were answered with tokens.
    var tokenCount: UInt64 { tokens.load(ordering: .relaxed) }

    /// The number of opened connections.
    var connectionCount: UInt64 { connections.load(ordering: .relaxed) }

    func connectionOpened() { connections.wrappingAdd(1, ordering: .relaxed) }

    func answer(to request: HTTP1Message) -> Response {
        let words = request.startLine.utf8.split(separator: UInt8(ascii: " "))
        guard words.count == 3 else { return .error("400 Bad Request", "invalid_request") }
        let path = String(Substring(words[1].prefix { $0 != UInt8(ascii: "?") }))
        if words[0].elementsEqual("POST".utf8), tokenPaths.contains(path) { return tokenResponse(request) }
        guard words[0].elementsEqual("GET".utf8), let document = documents.document(at: path) else {
            return .error("404 Not Found", "not_found")
        }
        return Response(status: "200 OK", body: document, isCacheable: true)
    }

    private func tokenResponse(_ request: HTTP1Message) -> Response {
        let form = URLParameters(form: request.body)
        guard ProviderClient.isAuthenticated(authorization: request.first("authorization"), form: form) else {
            return .error("401 Unauthorized", "invalid_client")
        }
        guard form["grant_type"] == "authorization_code", let code = form["code"] else {
            return .error("400 Bad Request", "unsupported_grant_type")
        }
        guard var body = signIns.redeem(code: code, verifier: form["code_verifier"]) else {
            return .error("400 Bad Request", "invalid_grant")
        }
        // A proof (RFC 9449) is not looked at: what counts is what it costs the client.
        if request.first("dpop") != nil { PreparedSignIns.bind(&body) }
        tokens.wrappingAdd(1, ordering: .relaxed)
        return Response(status: "200 OK", body: body, isDelayed: true)
    }
}
