// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// The values against which a callback is validated, known only to this server and this user agent.
package struct SignInExpectation: Sendable {
    /// The raw nonce.
    package var rawNonce: String
    /// The PKCE code verifier.
    package var codeVerifier: CodeVerifier
    /// The `max_age` that was sent, in seconds.
    package var maximumAge: Int64?
    /// Whether `iss` is required even if the provider does not announce it, as on a redirect URI that several providers
    /// share (RFC 9207).
    package var requiresIssuer: Bool
    /// The proofs of the login's key; `nil` without DPoP.
    package var dpop: DPoPLogin?
    /// The issuer and subject that the token endpoint's ID token must have, if they are already known.
    package var continuity: IDTokenContinuity?

    package init(
        rawNonce: String, codeVerifier: CodeVerifier, maximumAge: Int64? = nil, requiresIssuer: Bool = false,
        dpop: DPoPLogin? = nil
    ) {
        self.rawNonce = rawNonce
        self.codeVerifier = codeVerifier
        self.maximumAge = maximumAge
        self.requiresIssuer = requiresIssuer
        self.dpop = dpop
    }
}
