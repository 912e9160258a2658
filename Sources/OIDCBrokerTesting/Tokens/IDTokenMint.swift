// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A creator of an ID token: its claims, its signature and, if the client uses it, its encryption.
struct IDTokenMint: Sendable {
    /// The endpoint that issues the token.
    enum Place: Sendable, Hashable {
        /// With the authorization response, through the browser.
        case authorizationEndpoint
        /// For a code.
        case tokenEndpoint
        /// For a refresh token.
        case refresh
    }

    /// The lifetime of an ID token, in seconds.
    static let lifetime: Int64 = 300

    let place: Place
    let grant: Grant
    /// The client; `nil` if it no longer exists.
    let client: OpenIDProvider.Client?
    let issuer: String
    let keys: ProviderKeys
    /// The current time, in seconds since 1970.
    let now: Int64
    /// The access token that is issued with it; `nil` if there is none.
    let accessToken: String?
    /// The code that is issued with it; `nil` if there is none.
    let code: String?
    /// The `state` of the request, for a token that is sent through the browser.
    let state: String?
    let misbehavior: Misbehavior

    /// Returns the token in compact form.
    func token() throws -> String {
        let signed = try signed(payload())
        guard let encryption = client?.idTokenEncryption else { return signed }
        return try EncryptedIDToken(encryption: encryption, misbehavior: misbehavior)
            .token(signed: signed, payload: payload())
    }

    /// Returns the claims as bytes, so that their syntax can be wrong too.
    private func payload() -> [UInt8] {
        let bytes = claims().serialized()
        switch misbehavior {
        case .duplicateClaim: return bytes.appendingMember("iss", .string(issuer))
        case .deepClaims:
            let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
            return Array(bytes.dropLast()) + Array(",\"deep\":\(deep)}".utf8)
        case .claimsNotUTF8:
            return Array(bytes.dropLast()) + Array(",\"odd\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        default: return bytes
        }
    }

    /// Returns the claims of OpenID Connect Core 1.0 section 2 and those that the scopes of section 5.4 request. Many
    /// providers include the latter in the ID token, where the broker looks first.
    private func claims() -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(grant.person.subject),
            "aud": .string(grant.clientID),
            "exp": .number(JSONNumber(now + Self.lifetime)),
            "iat": .number(JSONNumber(now)),
        ]
        if let accessToken { claims["at_hash"] = .string(leftHalf(of: accessToken)) }
        if let code { claims["c_hash"] = .string(leftHalf(of: code)) }
        if let state { claims["s_hash"] = .string(leftHalf(of: state)) }
        if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        if grant.tellsAuthTime { claims["auth_time"] = .number(JSONNumber(grant.authTime)) }
        if let context = grant.authenticationContext { claims["acr"] = .string(context) }
        for claim in grant.personClaims.members { claims[claim.name] = claim.value }
        bendIdentity(&claims)
        bendTimes(&claims)
        bendBindings(&claims)
        return claims
    }

    /// Applies a misbehavior to the claims of identity: issuer, audience and subject.
    private func bendIdentity(_ claims: inout JSONObject) {
        let client = grant.clientID
        switch misbehavior {
        case .wrongIssuer: claims["iss"] = .string(issuer + "1")
        case .issuerWithSlash: claims["iss"] = .string(issuer + "/")
        case .missingIssuer: claims["iss"] = nil
        case .wrongAudience: claims["aud"] = .string(client + "1")
        case .missingAudience: claims["aud"] = nil
        case .emptyAudience: claims["aud"] = []
        case .audienceAsArray: claims["aud"] = [.string(client)]
        case .multipleAudiencesNoAzp: claims["aud"] = [.string(client), .string(client + "1")]
        case .multipleAudiencesWithAzp:
            claims["aud"] = [.string(client), .string(client + "1")]
            claims["azp"] = .string(client)
        case .wrongAzp: claims["azp"] = .string(client + "1")
        case .missingSubject: claims["sub"] = nil
        case .emptySubject: claims["sub"] = ""
        case .oversizedSubject: claims["sub"] = .string(String(repeating: "s", count: 256))
        case .numericSubject: claims["sub"] = 7
        case .subjectIsClient: claims["sub"] = .string(client)
        case .secondTokenWrongSubject where place == .tokenEndpoint,
            .refreshedWrongSubject where place == .refresh:
            claims["sub"] = .string(grant.person.subject + "-other")
        case .secondTokenWrongIssuer where place == .tokenEndpoint,
            .refreshedWrongIssuer where place == .refresh:
            claims["iss"] = .string(issuer + "1")
        case .logoutTokenEvents:
            claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        default: break
        }
    }

    private func bendTimes(_ claims: inout JSONObject) {
        func seconds(_ seconds: Int64) -> JSONValue { .number(JSONNumber(seconds)) }
        switch misbehavior {
        case .missingIssuedAt: claims["iat"] = nil
        case .issuedInFuture: claims["iat"] = seconds(now + 660)
        case .issuedAWeekAgo: claims["iat"] = seconds(now - 7 * 86400)
        case .negativeIssuedAt: claims["iat"] = seconds(-1)
        case .notYetValid: claims["nbf"] = seconds(now + 660)
        case .missingExpiry: claims["exp"] = nil
        case .expired:
            claims["exp"] = seconds(now - 360)
            claims["iat"] = seconds(now - 360 - Self.lifetime)
        case .expiryAsText: claims["exp"] = .string(String(now + Self.lifetime))
        case .expiryOutOfRange: claims["exp"] = Self.number("1e300")
        case .expiryWithFraction: claims["exp"] = Self.number("\(now + Self.lifetime).5")
        case .staleAuthenticationTime: claims["auth_time"] = seconds(grant.authTime - 86400)
        case .missingAuthenticationTime: claims["auth_time"] = nil
        default: break
        }
    }

    private static func number(_ text: String) -> JSONValue? {
        JSONNumber(text: text).map { .number($0) }
    }

    /// Applies a misbehavior to the claims that bind the token to the request and to what is issued with it.
    private func bendBindings(_ claims: inout JSONObject) {
        switch misbehavior {
        case .wrongNonce: claims["nonce"] = .string((grant.nonce ?? "") + "1")
        case .missingNonce: claims["nonce"] = nil
        case .nonceAsArray: claims["nonce"] = grant.nonce.map { [.string($0)] }
        case .wrongAtHash: claims["at_hash"] = accessToken.map { .string(leftHalf(of: $0 + "1")) }
        case .wholeAtHash: claims["at_hash"] = accessToken.map { .string(Base64URL.encode(Hash.sha256($0.utf8))) }
        case .wrongCodeHash: claims["c_hash"] = code.map { .string(leftHalf(of: $0 + "1")) }
        case .missingCodeHash: claims["c_hash"] = nil
        case .wrongStateHash: claims["s_hash"] = state.map { .string(leftHalf(of: $0 + "1")) }
        case .wrongAuthenticationContext: claims["acr"] = "urn:example:another"
        case .oversizedToken: claims["padding"] = .string(String(repeating: "x", count: 64 * 1024))
        default: break
        }
    }

    /// Returns the left half of the hash of the signature algorithm (OpenID Connect Core 1.0 section 3.1.3.6), which is
    /// SHA-512 for Ed25519. Implemented here independently of the relying party under test.
    private func leftHalf(of text: String) -> String {
        let isEdDSA = client?.usesSymmetricIDTokens != true && keys.current.algorithm.isSame(as: .eddsa)
        let hash = isEdDSA ? Hash.sha512(text.utf8) : Hash.sha256(text.utf8)
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }
}
