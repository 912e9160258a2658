// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OpenIDConnect

/// The issuer of the broker's own tokens.
package struct TokenIssuer: Sendable {
    /// The maximum length of a token, in bytes. `HandedClaims.Bounded` keeps claims short enough.
    package static let maximumTokenLength = 8192

    /// An error for claims that cannot be read.
    struct UnreadableClaims: Error {}

    /// An error for a token that would be longer than ``maximumTokenLength``.
    struct TokenTooLong: Error {}

    let signingKey: SigningKey
    /// The lifetime of ID tokens, in seconds.
    let idTokenLifetime: Int64
    /// Whether UserInfo alone has the claims of the user.
    let isMinimal: Bool

    /// Creates an issuer.
    /// - Parameters:
    ///   - signingKey: The key that signs ID tokens.
    ///   - idTokenLifetime: The lifetime of ID tokens, in seconds.
    ///   - isMinimal: Whether UserInfo alone has the claims of the user.
    package init(signingKey: SigningKey, idTokenLifetime: Int64, isMinimal: Bool = false) {
        self.isMinimal = isMinimal
        self.signingKey = signingKey
        self.idTokenLifetime = idTokenLifetime
    }

    /// Returns the response to a redeemed code (RFC 6749 section 5.1).
    /// - Parameters:
    ///   - lifetime: The lifetime of the access token, in seconds.
    ///   - account: The member `account` of the response; `nil` if there is none.
    ///   - refreshToken: The refresh token for the app; `nil` if it gets none.
    ///   - sessionID: The session for the `sid` of the ID token (OpenID Connect Back-Channel Logout 1.0 section 2.1), 16
    ///     bytes; `nil` for none.
    /// - Throws: ``TokenTooLong``, ``UnreadableClaims``, or an error of signing.
    package func response(
        _ record: HandOffRecord, accessToken: String, lifetime: Int64, account: String? = nil,
        refreshToken: String? = nil, sessionID: [UInt8]? = nil, now: Int64
    ) throws -> JSONObjectText {
        // The record's claims do not contain these; see `HandedClaims`.
        guard var claims = isMinimal ? HandedClaims.minimal(record.claims) : record.claims else {
            throw UnreadableClaims()
        }
        claims.reserveCapacity(128)
        claims.append("iat", IssuedAt.claim(now: now))
        claims.append("exp", now + idTokenLifetime)
        claims.append("at_hash", TokenHash.leftHalf(of: accessToken, algorithm: signingKey.algorithm))
        if let sessionID { claims.append(AccessToken.sessionClaim, Base64URL.encode(sessionID)) }
        let idToken = try signingKey.signToken(claims)
        guard idToken.utf8.count <= Self.maximumTokenLength else { throw TokenTooLong() }
        var response: JSONObjectText = [:]
        response.reserveCapacity(accessToken.utf8.count + idToken.utf8.count + 256)
        response.append("access_token", accessToken)
        response.append("token_type", "Bearer")
        response.append("expires_in", lifetime)
        response.append("scope", record.scopes.text)
        response.append("id_token", idToken)
        if let refreshToken { response.append("refresh_token", refreshToken) }
        if let account { response.append("account", account) }
        if let upstream = record.upstream { response.append("upstream", upstream) }
        // Next to the ID token and never in it, because no signature of the provider covers it.
        if let user = record.user { response.append("user", JSONObjectText(user)) }
        return response
    }
}
