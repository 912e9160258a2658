// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import OIDCBrokerTesting

/// ID tokens.
extension TestProvider {
    /// The ID token of the token endpoint. One that comes with a refresh has no nonce.
    func backChannelToken(
        _ grant: Grant, accessToken: String, isRefresh: Bool, _ behavior: Behavior
    ) throws -> String {
        var claims = claims(grant, behavior)
        if isRefresh { claims["nonce"] = nil }
        if behavior.hashesAccessToken { claims["at_hash"] = .string(leftHalfOfHash(of: accessToken, behavior)) }
        claims.replaceMembers(behavior.claims)
        return try idToken(claims, isFront: false, behavior)
    }

    /// The ID token that stands in the authorization response; with a code beside it, it holds the code's hash.
    func frontChannelToken(_ grant: Grant, code: String?, _ behavior: Behavior) throws -> String {
        var claims = claims(grant, behavior)
        if let code { claims["c_hash"] = .string(leftHalfOfHash(of: code, behavior)) }
        claims.replaceMembers(behavior.claims)
        claims.replaceMembers(behavior.frontChannelClaims)
        return try idToken(claims, isFront: true, behavior)
    }

    private func claims(_ grant: Grant, _ behavior: Behavior) -> JSONObject {
        let now = clock.now()
        var claims: JSONObject = [
            "iss": .string(issuer),
            "aud": .string(client.id),
            "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 300)),
        ]
        if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        if behavior.fixed == nil {
            claims["auth_time"] = .number(JSONNumber(now - 5))
        } else if grant.hasMaximumAge {
            claims["auth_time"] = .number(JSONNumber(now))
        }
        claims.replaceMembers(behavior.person.claims)
        return claims
    }

    private func idToken(_ claims: JSONObject, isFront: Bool, _ behavior: Behavior) throws -> String {
        var claims = claims
        behavior.changeClaims(&claims, isFront)
        let key = signingKey(isFront: isFront, behavior)
        let token = try behavior.changeToken(key.sign(claims, type: "JWT", header: behavior.header), isFront)
        note(issued: token)
        return token
    }

    private func signingKey(isFront: Bool, _ behavior: Behavior) -> SigningKey {
        (isFront ? behavior.frontChannelKey : nil) ?? behavior.signingKey ?? key
    }

    /// OpenID Connect Core 1.0 sections 3.1.3.6 and 3.3.2.11, by Foundation and swift-crypto.
    private func leftHalfOfHash(of text: String, _ behavior: Behavior) -> String {
        let algorithm = (behavior.signingKey ?? key).algorithm.rawValue
        let bytes = Data(text.utf8)
        if algorithm.hasSuffix("256") { return ProofKey.base64url(Array(SHA256.hash(data: bytes).prefix(16))) }
        if algorithm.hasSuffix("384") { return ProofKey.base64url(Array(SHA384.hash(data: bytes).prefix(24))) }
        return ProofKey.base64url(Array(SHA512.hash(data: bytes).prefix(32)))
    }
}
