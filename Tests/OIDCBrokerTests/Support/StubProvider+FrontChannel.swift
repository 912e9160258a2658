// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import OpenIDRelyingParty
import Testing

/// What travels with the browser, and what is pushed before it.
extension StubProvider {
    /// The ID token that stands in the authorization response; with a code beside it, it holds the code's hash.
    func frontChannelToken(_ grant: Grant, code: String?) throws -> String {
        let behavior = behavior
        var members = claims(grant, behavior)
        if let code {
            // OpenID Connect Core 1.0 section 3.3.2.11, by Foundation and swift-crypto.
            let hash = Array(SHA256.hash(data: Data(code.utf8)).prefix(16))
            members["c_hash"] = .string(ProofKey.base64url(hash))
        }
        for (name, value) in behavior.frontChannelClaims.members { members[name] = value == .null ? nil : value }
        let token = try (behavior.usesStrangeKeyInFront ? strangeKey : key).sign(members, type: "JWT")
        note(issued: token)
        return token
    }

    /// What an authorization request asks for: in its URL, or pushed before (RFC 9126).
    func parameters(of request: Location, sourceLocation: SourceLocation = #_sourceLocation) throws -> Query {
        guard let reference = request["request_uri"] else { return request.query }
        #expect(request.query.names.sorted() == ["client_id", "request_uri"], sourceLocation: sourceLocation)
        return try #require(pushed(reference), sourceLocation: sourceLocation)
    }

    /// The pushed authorization request endpoint.
    func push(_ request: ProviderRequest, _ behavior: Behavior) -> ProviderResponse {
        if let response = behavior.pushResponse { return Self.json(response.json, status: response.status) }
        let form = Query(request.form ?? "")
        guard isClient(request, form, behavior) else { return Self.json(["error": "invalid_client"], status: 401) }
        let reference = "urn:ietf:params:oauth:request_uri:" + Base64URL.encode(SecureRandom.bytes(24))
        push(reference, form)
        return Self.json(["request_uri": .string(reference), "expires_in": 60], status: 201)
    }
}
