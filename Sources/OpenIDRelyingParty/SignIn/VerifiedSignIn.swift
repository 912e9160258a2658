// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// A sign-in whose ID token was validated in full.
public struct VerifiedSignIn: Sendable {
    /// The issuer of the provider.
    public let issuer: String
    /// The subject: the `sub` of the ID token. Issuer and subject together are the only account key.
    public let subject: String
    /// The claims of the ID token and, if UserInfo was fetched, those that it added.
    public let claims: Claims
    /// The ID token.
    public let idToken: Secret
    /// The access token, if there is one; `nil` also for one that is bound to the key of the login (DPoP) and, for apps of
    /// the broker, for one that is bound to its certificate: they could not use it.
    public let accessToken: Secret?
    /// The refresh token, if there is one.
    public let refreshToken: Secret?
    /// The lifetime of the access token, in whole seconds, if the provider specified it.
    public let expiresIn: Duration?
    /// The raw nonce to which the ID token is bound, for apps that pass the ID token to another party that validates
    /// it.
    public let rawNonce: String

    package init(
        issuer: String,
        subject: String,
        claims: Claims,
        idToken: Secret,
        accessToken: Secret?,
        refreshToken: Secret?,
        expiresIn: Duration?,
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

    /// The same sign-in without its access token.
    var withoutAccessToken: VerifiedSignIn {
        VerifiedSignIn(
            issuer: issuer, subject: subject, claims: claims, idToken: idToken, accessToken: nil,
            refreshToken: refreshToken, expiresIn: nil, rawNonce: rawNonce)
    }
}
