// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A token that authenticates a client (RFC 7523 section 3, OpenID Connect Core 1.0 section 9).
enum ClientAssertion {
    /// The `client_assertion_type` (RFC 7523 section 2.2).
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// The lifetime in seconds. An assertion is used for a single request.
    static let lifetime: Int64 = 60

    /// Returns the claims. The only audience should be the issuer, so that the endpoint of another provider cannot use the
    /// assertion elsewhere (RFC 10070, FAPI 2.0 section 5.3.3.1); some providers accept their token endpoint only.
    /// - Parameters:
    ///   - identifier: The `jti`, 16 random bytes.
    ///   - now: The current time, in seconds since 1970.
    static func claims(clientID: String, audience: String, identifier: [UInt8], now: Int64) -> JSONObject {
        [
            "iss": .string(clientID),
            "sub": .string(clientID),
            "aud": .string(audience),
            "jti": .string(Base64URL.encode(identifier)),
            "iat": .number(JSONNumber(IssuedAt.claim(now: now))),
            "exp": .number(JSONNumber(now + lifetime)),
        ]
    }

    /// Returns the parameters that carry an assertion.
    static func parameters(clientID: String, assertion: String) -> [(String, String)] {
        [("client_id", clientID), ("client_assertion_type", type), ("client_assertion", assertion)]
    }
}
