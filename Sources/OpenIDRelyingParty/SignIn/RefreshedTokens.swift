// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// What a refresh token was exchanged for (RFC 6749 section 6, OpenID Connect Core 1.0 section 12).
///
/// An ID token that came along has passed every check, and is of the issuer and the person of the sign-in.
public struct RefreshedTokens: Sendable {
    /// The new access token.
    public let accessToken: Secret
    /// The refresh token to use from now on; `nil` if the old one stays.
    public let refreshToken: Secret?
    /// Seconds the access token lives, as the provider said.
    public let expiresIn: Int64?
    /// The scopes of the access token, where the provider said so; an empty list is an empty list.
    public let scopes: [String]?
    /// The new ID token, where one came: the signed one, decrypted if it was encrypted.
    public let idToken: Secret?
    /// The new ID token's claims, where one came.
    public let claims: Claims?

    package init(
        accessToken: Secret,
        refreshToken: Secret?,
        expiresIn: Int64?,
        scopes: [String]?,
        idToken: Secret?,
        claims: Claims?
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.scopes = scopes
        self.idToken = idToken
        self.claims = claims
    }
}
