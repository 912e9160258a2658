// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The claims of an ID token whose signature is not verified here, because the token was verified before or came from
/// the token endpoint itself (OpenID Connect Core 1.0 section 3.1.3.7). They identify the user of a token, but do not
/// prove a sign-in.
package enum UnverifiedIDTokenPayload {
    /// Returns the claims; `nil` if the text is not a signed token, or not of this issuer.
    package static func claims(of compact: String, issuer: String) -> JSONObject? {
        guard let claims = claims(of: compact), claims["iss"]?.text?.hasSameBytes(as: issuer) == true else {
            return nil
        }
        return claims
    }

    /// Returns the claims of any signed token; `nil` if the text is not one.
    package static func claims(of compact: String) -> JSONObject? {
        let segments = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(String(segments[1])) else { return nil }
        return try? JSONParser.object(payload, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
    }

    /// Returns the signed part: the token without its signature. An ECDSA signature, and thus the token, can be written
    /// in two ways; the signed part cannot.
    package static func signedPart(of compact: String) -> [UInt8] {
        guard let dot = compact.utf8.lastIndex(of: UInt8(ascii: ".")) else { return Array(compact.utf8) }
        return Array(compact.utf8[..<dot])
    }
}
