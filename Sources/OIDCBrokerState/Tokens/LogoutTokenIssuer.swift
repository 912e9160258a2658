// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OpenIDConnect

/// The issuer of an app's logout tokens, which say that a session ended (OpenID Connect Back-Channel Logout 1.0 section 2.4).
package struct LogoutTokenIssuer: Sendable {
    /// The `typ`, which no other token of the broker has.
    package static let type = "logout+jwt"
    /// The lifetime of a token, in seconds. The specification recommends two minutes at most.
    package static let lifetime: Int64 = 120

    private let issuer: String
    private let clientID: String
    private let key: SigningKey

    /// Creates an issuer.
    /// - Parameters:
    ///   - issuer: The issuer of the app's ID tokens.
    ///   - clientID: The client ID of the app.
    ///   - key: The key that signs the app's ID tokens.
    package init(issuer: String, clientID: String, key: SigningKey) {
        self.issuer = issuer
        self.clientID = clientID
        self.key = key
    }

    /// Makes a token with an identifier of its own.
    /// - Parameters:
    ///   - session: The `sub` and the `sid` of the session.
    ///   - now: The current time, in seconds since 1970.
    /// - Throws: An error of signing.
    package func token(of session: JSONObject, now: Int64) throws -> String {
        var claims = session
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(clientID)
        claims["iat"] = .number(JSONNumber(IssuedAt.claim(now: now)))
        claims["exp"] = .number(JSONNumber(now + Self.lifetime))
        claims["jti"] = .string(Base64URL.encode(SecureRandom.bytes(16)))
        claims["events"] = .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])])
        return try key.sign(claims, type: Self.type)
    }
}
