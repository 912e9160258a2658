// SPDX-License-Identifier: Apache-2.0

/// The thumbprint of a key (RFC 7638), an identifier that is computed from the key itself.
package enum JSONWebKeyThumbprint {
    /// The base64url of the SHA-256 hash of the key's required members in lexicographic order.
    ///
    /// - Returns: `nil` if `kty` is unknown, or a required member is missing or not a string.
    package static func sha256(of jwk: JSONObject) -> String? {
        let names: [String]
        switch jwk["kty"]?.text {
        case "RSA": names = ["e", "kty", "n"]
        case "EC": names = ["crv", "kty", "x", "y"]
        case "OKP": names = ["crv", "kty", "x"]  // RFC 8037 section 2
        default: return nil
        }
        var required = JSONObject()
        for name in names {
            guard let value = jwk[name], value.text != nil else { return nil }
            required[name] = value
        }
        return Base64URL.encode(Hash.sha256(required.serialized()))
    }
}
