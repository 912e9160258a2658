// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyError.Step {
    /// The media types of the responses that are taken in this step, as the value of the Accept field (RFC 9110 section
    /// 12.5.1). There is no wildcard: some servers answer it with a page.
    var accept: String {
        switch self {
        // The registered type of a key set (RFC 7517 section 8.5) is less usual than the general one.
        case .keySet: "application/json, application/jwk-set+json"
        // Plain, or signed (OpenID Connect Core 1.0 section 5.3.2).
        case .userInfo: "application/json, application/jwt"
        default: "application/json"
        }
    }
}
