// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The claims of an ID token whose signature is not looked at here: of one that was verified already, or that came from
/// the token endpoint itself (OpenID Connect Core 1.0 section 3.1.3.7). Good for telling whose it is, not for a
/// sign-in.
enum UnverifiedIDTokenPayload {
    /// `nil` if it is no signed token, or not of this issuer.
    static func claims(of compact: String, issuer: String) -> JSONObject? {
        let segments = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(String(segments[1])),
            let claims = try? JSONParser.object(
                payload, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken)),
            claims["iss"]?.text?.hasSameBytes(as: issuer) == true
        else { return nil }
        return claims
    }

    /// What the signature is over: the token without it. A signature of an elliptic curve can be written in two ways,
    /// and so the token; what was signed cannot.
    static func signedPart(of compact: String) -> [UInt8] {
        guard let dot = compact.utf8.lastIndex(of: UInt8(ascii: ".")) else { return Array(compact.utf8) }
        return Array(compact.utf8[..<dot])
    }
}
