// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// A sign-in whose ID token passed every check.
public struct VerifiedSignIn: Sendable {
    /// The provider's issuer.
    public let issuer: String
    /// The person at that issuer: `sub` of the ID token. Issuer and subject together are the only account key.
    public let subject: String
    /// The ID token's claims and, where UserInfo was fetched, what it added.
    public let claims: Claims
    /// The ID token.
    public let idToken: Secret
    /// The access token, where there was one.
    public let accessToken: Secret?
    /// The refresh token, where there was one.
    public let refreshToken: Secret?
    /// Seconds the access token lives, as the provider said.
    public let expiresIn: Int64?
    /// The raw nonce the ID token was bound to, for apps that hand the ID token on to somebody who checks it.
    public let rawNonce: String

    package init(
        issuer: String,
        subject: String,
        claims: Claims,
        idToken: Secret,
        accessToken: Secret?,
        refreshToken: Secret?,
        expiresIn: Int64?,
        rawNonce: String
    ) {
        self.issuer = issuer
        self.subject = subject
        self.claims = claims
        self.idToken = idToken
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.rawNonce = rawNonce
    }
}
