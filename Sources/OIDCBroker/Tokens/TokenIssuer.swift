// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// Mints the broker's own tokens.
struct TokenIssuer: Sendable {
    /// How long an ID token and an access token live, seconds.
    static let lifetime: Int64 = 300

    /// The longest ID token that is minted, bytes. ``HandedClaims/bounded(_:)`` keeps claims below what fits.
    static let maximumTokenLength = 8192

    /// Says that an ID token would be longer than ``maximumTokenLength``.
    struct TokenTooLong: Error {}

    let signingKey: SigningKey

    /// The answer to a redeemed code (RFC 6749 section 5.1).
    /// - Throws: ``TokenTooLong``, or what signing throws.
    func response(_ record: HandOffRecord, now: Int64) throws -> JSONObjectText {
        let accessToken = Base64URL.encode(SecureRandom.bytes(32))
        // The record's claims have none of these: see `HandedClaims`.
        var claims = record.claims
        claims.append([
            "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + Self.lifetime)),
            "at_hash": .string(TokenHash.leftHalf(of: accessToken, algorithm: signingKey.algorithm)),
        ])
        let idToken = try signingKey.signToken(claims)
        guard idToken.utf8.count <= Self.maximumTokenLength else { throw TokenTooLong() }
        var response: JSONObjectText = [
            "access_token": .string(accessToken),
            "token_type": "Bearer",
            "expires_in": .number(JSONNumber(Self.lifetime)),
            "scope": "openid",
            "id_token": .string(idToken),
        ]
        if let upstream = record.upstream { response.append("upstream", upstream) }
        // Beside the ID token, never in it: nobody vouches for it.
        if let user = record.user { response.append("user", JSONObjectText(user)) }
        return response
    }
}
