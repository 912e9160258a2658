// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The claims of an issuer's ID tokens as JSON. All common parts are written once.
struct ClaimsText: Sendable {
    /// The common claims, without the closing brace.
    private let shared: [UInt8]

    init(
        issuer: String, audience: String, accessTokenHash: String, email: String = "jane.doe@example.com"
    ) {
        let claims: JSONObject = [
            "iss": .string(issuer),
            "azp": .string(audience),
            "aud": .string(audience),
            "email": .string(email),
            "email_verified": .bool(true),
            "name": "Jane Doe",
            "given_name": "Jane",
            "family_name": "Doe",
            "picture": "https://images.example.com/a/picture-of-a-usual-length-AAcHTtdb0123456789=s96-c",
            "at_hash": .string(accessTokenHash),
        ]
        shared = claims.serialized().dropLast()
    }

    /// Returns the claims of a user.
    ///
    /// - Parameters:
    ///   - subject: The `sub`.
    ///   - nonce: The `nonce`; `nil` for none.
    ///   - issuedAt: The `iat` in seconds. The token is valid for an hour.
    func bytes(subject: String, nonce: String?, issuedAt: Int64) -> [UInt8] {
        var own: JSONObject = ["sub": .string(subject)]
        if let nonce { own["nonce"] = .string(nonce) }
        own["iat"] = .number(JSONNumber(issuedAt))
        own["exp"] = .number(JSONNumber(issuedAt + 3600))
        var text = shared
        text.append(UInt8(ascii: ","))
        text.append(contentsOf: own.serialized().dropFirst())
        return text
    }
}
