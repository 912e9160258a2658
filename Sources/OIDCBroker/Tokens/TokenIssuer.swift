// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// Mints the broker's own tokens.
struct TokenIssuer: Sendable {
    /// How long an ID token and an access token live, seconds.
    static let lifetime: Int64 = 300

    let signingKey: SigningKey

    /// The answer to a redeemed code (RFC 6749 section 5.1).
    func response(_ record: HandOffRecord, now: Int64) throws -> JSONObject {
        let accessToken = Base64URL.encode(SecureRandom.bytes(32))
        var claims = record.claims
        claims["iat"] = .number(JSONNumber(now))
        claims["exp"] = .number(JSONNumber(now + Self.lifetime))
        claims["at_hash"] = .string(TokenHash.leftHalf(of: accessToken, algorithm: signingKey.algorithm))
        var response: JSONObject = [
            "access_token": .string(accessToken),
            "token_type": "Bearer",
            "expires_in": .number(JSONNumber(Self.lifetime)),
            "scope": "openid",
            "id_token": .string(try signingKey.sign(claims, type: "JWT")),
        ]
        if let upstream = record.upstream { response["upstream"] = .object(upstream) }
        // Beside the ID token, never in it: nobody vouches for it.
        if let user = record.user { response["user"] = .object(user) }
        return response
    }
}
