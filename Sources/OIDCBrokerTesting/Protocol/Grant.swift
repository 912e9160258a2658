// SPDX-License-Identifier: Apache-2.0

/// The grant of a user to a client. Codes and tokens refer to it.
struct Grant: Sendable {
    let clientID: String
    let redirectURI: String
    let scopes: [String]
    var nonce: String?
    let codeChallenge: String?
    let person: OpenIDProvider.Person
    /// The time of the sign-in, in seconds since 1970.
    let authTime: Int64
    /// Whether `max_age` was requested, which makes `auth_time` required (OpenID Connect Core 1.0 section 2).
    let tellsAuthTime: Bool
    /// The first of the requested authentication contexts. The provider satisfies every one.
    let authenticationContext: String?
    /// The DER of the certificate that an access token is bound to (RFC 8705 section 3).
    var certificate: [UInt8]?
    /// The thumbprint of the key that the code and the access token are bound to (RFC 9449).
    var dpopThumbprint: String?
    /// The number of refreshes.
    var refreshes = 0
}
