// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// The response to a refresh request (RFC 6749 section 6, OpenID Connect Core 1.0 section 12).
///
/// An ID token in it was validated in full, and has the issuer and the subject of the sign-in.
public struct RefreshedTokens: Sendable {
    /// The new access token.
    public let accessToken: Secret
    /// The refresh token to use from now on; `nil` if the old one stays valid.
    public let refreshToken: Secret?
    /// The lifetime of the access token, in whole seconds, if the provider specified it.
    public let expiresIn: Duration?
    /// The scopes of the access token; `nil` if the provider did not specify them, which differs from an empty list.
    public let scopes: [String]?
    /// The new ID token, if there is one: the signed token, decrypted if it was encrypted.
    public let idToken: Secret?
    /// The claims of the new ID token, if there is one.
    public let claims: Claims?
}
