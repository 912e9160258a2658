// SPDX-License-Identifier: Apache-2.0

/// What a person allowed a client: stands behind an authorization code, and then behind the tokens.
struct Grant: Sendable {
    let clientID: String
    let redirectURI: String
    let scopes: [String]
    var nonce: String?
    let codeChallenge: String?
    let person: OpenIDProvider.Person
    /// When the person signed in, in seconds since 1970.
    let authTime: Int64
    /// Whether `max_age` was asked for, which makes `auth_time` required (OpenID Connect Core 1.0 section 2).
    let tellsAuthTime: Bool
    /// The first of the authentication contexts that were asked for; the provider meets every one.
    let authenticationContext: String?
    /// The certificate that an access token is bound to, DER (RFC 8705 section 3).
    var certificate: [UInt8]?
    /// How often it was refreshed.
    var refreshes = 0
}

/// A sign-in whose person has still to allow or deny.
struct PendingConsent: Sendable {
    let requested: RequestedAuthorization
    let person: OpenIDProvider.Person
}
