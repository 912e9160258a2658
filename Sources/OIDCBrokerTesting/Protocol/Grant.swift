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
}

/// A sign-in whose person has still to allow or deny.
struct PendingConsent: Sendable {
    let requested: RequestedAuthorization
    let person: OpenIDProvider.Person
}
