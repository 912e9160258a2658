// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerState
import OpenIDConnect
import SingleUse

/// A client assertion of an app (RFC 7523 section 3, OpenID Connect Core 1.0 section 9, `private_key_jwt`).
struct AppAssertion: Sendable {
    /// The maximum length, in bytes.
    static let maximumLength = 8192
    /// The maximum lifetime, in seconds: that of MSAL, which cannot be told another one.
    static let maximumLifetime: Int64 = 600
    /// The maximum length of a `jti`, in bytes.
    static let maximumIdentifierLength = 256
    /// The `client_assertion_type` (RFC 7523 section 2.2).
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// The reason why an assertion is refused, for the log. Of the assertion it contains the audience, if the signature is
    /// verified.
    struct Refusal: Error, Hashable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// The signature, which is not verified yet.
    let signature: JSONWebSignature
    /// The client ID that the assertion names, which is not verified yet.
    let clientID: WireText

    /// Reads an assertion without verifying it.
    init(_ text: WireText) throws(Refusal) {
        guard let text = text.ascii(atMost: Self.maximumLength) else { throw Refusal("it is too long") }
        do {
            signature = try JSONWebSignature(compact: text)
        } catch {
            throw Refusal("it is not a signed token")
        }
        guard let subject = UnverifiedIDTokenPayload.claims(of: text)?["sub"]?.text else {
            throw Refusal("'sub' is missing")
        }
        clientID = subject
    }

    /// Validates the claims of the verified assertion.
    /// - Parameters:
    ///   - app: The client ID of the app whose key verified it.
    ///   - audience: The only audience that it may have.
    ///   - mayRepeat: Whether it may be used again, so that its whole lifetime matters, and not only what is left of it.
    /// - Returns: The key that its use claims, and the time until which the claim is needed.
    static func validate(
        _ payload: VerifiedPayload, of app: String, audience: String, mayRepeat: Bool, now: Int64
    ) throws(Refusal) -> (key: SingleUseKey, expiry: Int64) {
        let claims = payload.claims
        if let type = payload.type {
            guard ["jwt", "client-authentication+jwt"].contains(type.ascii(atMost: 64)?.lowercased()) else {
                throw Refusal("'typ' is another")
            }
        }
        for name in ["iss", "sub"] {
            guard claims[name]?.text?.hasSameBytes(as: app) == true else { throw Refusal("'\(name)' is not the app") }
        }
        guard Self.audience(of: claims)?.hasSameBytes(as: audience) == true else {
            let found = IDTokenFinding.describe(claims["aud"])
            throw Refusal("assertion-audience of the app expects '\(audience)' alone; 'aud' is \(found)")
        }
        guard let expiry = claims["exp"]?.secondsValue else { throw Refusal("'exp' is missing") }
        guard expiry > now - LoginState.clockSkew else { throw Refusal("it has expired") }
        guard expiry <= now + maximumLifetime + LoginState.clockSkew else { throw Refusal("'exp' is too far ahead") }
        for name in ["iat", "nbf"] {
            guard let value = claims.present(name) else { continue }
            guard let time = value.secondsValue, time <= now + LoginState.clockSkew else {
                throw Refusal("'\(name)' is ahead")
            }
        }
        if mayRepeat {
            guard let issued = claims["iat"]?.secondsValue, expiry - issued <= maximumLifetime + LoginState.clockSkew
            else { throw Refusal("with assertion-reuse 'iat' is required, and 'exp' at most ten minutes later") }
        }
        guard let identifier = claims["jti"]?.text, (1...maximumIdentifierLength).contains(identifier.utf8.count) else {
            throw Refusal("'jti' is missing or too long")
        }
        var name = ByteWriter()
        name.write(counted: app.utf8)
        name.write(raw: identifier.utf8)
        return (SingleUseKey(.clientAssertion, name.bytes), expiry + 2 * LoginState.clockSkew)
    }

    private static func audience(of claims: JSONObject) -> WireText? {
        switch claims["aud"] {
        case .text(let text): text
        case .array(let several) where several.count == 1: several[0].text
        default: nil
        }
    }
}
