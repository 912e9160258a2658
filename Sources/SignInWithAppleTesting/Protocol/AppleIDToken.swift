// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect

/// An ID token with Apple's claims before it is signed.
struct AppleIDToken: Sendable {
    /// The lifetime of an ID token, in seconds.
    static let lifetime: Int64 = 86_400

    let grant: AppleGrant
    let issuer: String
    let key: SigningKey
    /// The current time, in seconds since 1970.
    let now: Int64
    /// The code that it is returned with; `nil` at the token endpoint.
    let code: String?
    /// The access token that it is returned with; `nil` if it is returned with a code.
    let accessToken: String?
    let writesBooleansAsText: Bool
    let misbehavior: MockApple.Misbehavior

    /// Returns the signed token.
    func text() throws -> String {
        guard misbehavior == .wrongSignature else { return try key.sign(claims) }
        return try SigningKey.generate(key.algorithm).sign(claims, header: ["kid": .string(key.keyID)])
    }

    private var claims: JSONObject {
        var claims: JSONObject = [
            "iss": .string(misbehavior == .wrongIssuer ? issuer + "1" : issuer),
            "aud": .string(misbehavior == .wrongAudience ? grant.client.id + "1" : grant.client.id),
            "exp": .number(JSONNumber(now + Self.lifetime)),
            "iat": .number(JSONNumber(now)),
            "sub": .string(subject),
        ]
        nonce(&claims)
        if let code, misbehavior != .missingCodeHash {
            claims["c_hash"] = .string(hash(of: misbehavior == .wrongCodeHash ? code + "1" : code))
        }
        if let accessToken { claims["at_hash"] = .string(hash(of: accessToken)) }
        if grant.scopes.contains("email") {
            claims["email"] = .string(grant.email)
            claims["email_verified"] = boolean(true)
            if grant.hidesEmail { claims["is_private_email"] = boolean(true) }
        }
        claims["auth_time"] = .number(JSONNumber(grant.authTime))
        if let status = grant.realUserStatus { claims["real_user_status"] = .number(JSONNumber(Int64(status))) }
        if let transfer = grant.transferSubject { claims["transfer_sub"] = .string(transfer) }
        return claims
    }

    private var subject: String {
        guard misbehavior == .otherSubjectFromTokenEndpoint, accessToken != nil else { return grant.subject }
        return "000999." + String(repeating: "f", count: 32) + ".9999"
    }

    private func nonce(_ claims: inout JSONObject) {
        switch misbehavior {
        case .nonceUnsupported: claims["nonce_supported"] = boolean(false)
        case .missingNonce: claims["nonce_supported"] = boolean(true)
        default:
            if let nonce = grant.nonce { claims["nonce"] = .string(misbehavior == .wrongNonce ? nonce + "1" : nonce) }
            claims["nonce_supported"] = boolean(true)
        }
    }

    private func boolean(_ flag: Bool) -> JSONValue {
        writesBooleansAsText ? .string(flag ? "true" : "false") : .bool(flag)
    }

    /// Returns the left half of the hash of the signature algorithm (OpenID Connect Core 1.0 section 3.3.2.10).
    private func hash(of text: String) -> String {
        let hash = key.algorithm.isSame(as: .eddsa) ? Hash.sha512(text.utf8) : Hash.sha256(text.utf8)
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }
}
