// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Makes the answer of the token endpoint. A pure value: it signs where and when its owner wants.
struct TokenMint: Sendable {
    /// How long an access token is good for, in seconds.
    static let accessTokenLifetime: Int64 = 3600
    /// How long an ID token is good for, in seconds.
    static let idTokenLifetime: Int64 = 300

    let grant: Grant
    let issuer: String
    let key: SigningKey
    /// Seconds since 1970.
    let now: Int64
    let accessToken: String
    let refreshToken: String?
    let misbehaviour: Misbehaviour

    /// Signs the ID token and answers (OpenID Connect Core 1.0 section 3.1.3.3).
    func response() -> SentResponse {
        var answer: JSONObject = [
            "access_token": .string(accessToken),
            "token_type": "Bearer",
            "expires_in": .number(JSONNumber(Self.accessTokenLifetime)),
            "scope": .string(grant.scopes.joined(separator: " ")),
        ]
        if let refreshToken { answer["refresh_token"] = .string(refreshToken) }
        do {
            answer["id_token"] = .string(try idToken())
        } catch {
            return .error("server_error", "the ID token could not be signed", status: 500)
        }
        if misbehaviour == .missingIDToken { answer["id_token"] = nil }
        if misbehaviour == .oversizedTokenAnswer {
            answer["padding"] = .string(String(repeating: "x", count: 512 * 1024))
        }
        var response = SentResponse.json(answer)
        if misbehaviour == .contentEncodingGzip {
            response.headers.append(("content-encoding", "gzip"))
            response.body = GzipEncoding.encode(response.body)
        }
        return response
    }

    private func idToken() throws -> String {
        let claims = claims()
        switch misbehaviour {
        case .algorithmNone:
            let header: JSONObject = ["alg": "none", "typ": "JWT"]
            return Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized()) + "."
        case .wrongSignature: return Self.withWrongSignature(try key.sign(claims))
        case .unknownKeyID: return try key.sign(claims, header: ["kid": .string("unknown-" + key.keyID)])
        default: return try key.sign(claims)
        }
    }

    /// OpenID Connect Core 1.0 section 2, and what the scopes of section 5.4 ask for: many providers have that in the
    /// ID token, and it is where the broker looks first.
    private func claims() -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(grant.person.subject),
            "aud": .string(grant.clientID),
            "exp": .number(JSONNumber(now + Self.idTokenLifetime)),
            "iat": .number(JSONNumber(now)),
            "at_hash": .string(hash(of: accessToken)),
        ]
        if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        if grant.tellsAuthTime { claims["auth_time"] = .number(JSONNumber(grant.authTime)) }
        for claim in grant.personClaims.members { claims[claim.name] = claim.value }
        switch misbehaviour {
        case .wrongIssuer: claims["iss"] = .string(issuer + "1")
        case .wrongAudience: claims["aud"] = .string(grant.clientID + "1")
        case .missingAudience: claims["aud"] = nil
        case .multipleAudiencesNoAzp: claims["aud"] = [.string(grant.clientID), .string(grant.clientID + "1")]
        case .wrongAzp: claims["azp"] = .string(grant.clientID + "1")
        case .missingSubject: claims["sub"] = nil
        case .missingIssuedAt: claims["iat"] = nil
        case .missingExpiry: claims["exp"] = nil
        case .expired:
            claims["exp"] = .number(JSONNumber(now - 360))
            claims["iat"] = .number(JSONNumber(now - 360 - Self.idTokenLifetime))
        case .wrongNonce: claims["nonce"] = .string((grant.nonce ?? "") + "1")
        case .missingNonce: claims["nonce"] = nil
        case .wrongAtHash: claims["at_hash"] = .string(hash(of: accessToken + "1"))
        default: break
        }
        return claims
    }

    /// The left half of the hash that goes with the signature's algorithm (OpenID Connect Core 1.0 section 3.1.3.6);
    /// for Ed25519 that is SHA-512.
    private func hash(of token: String) -> String {
        let hash = key.algorithm == .eddsa ? Hash.sha512(token.utf8) : Hash.sha256(token.utf8)
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }

    /// As the conformance suite does it: every byte of the signature XOR 0x5A.
    private static func withWrongSignature(_ token: String) -> String {
        let segments = token.split(separator: ".")
        guard segments.count == 3, let signature = Base64URL.decode(segments[2].utf8) else { return token }
        return "\(segments[0]).\(segments[1])." + Base64URL.encode(signature.map { $0 ^ 0x5A })
    }
}
