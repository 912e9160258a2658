// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// What a callback is held against: what only this side and this browser knew.
package struct SignInExpectation: Sendable {
    /// The raw nonce.
    package var rawNonce: String
    /// The PKCE verifier.
    package var codeVerifier: CodeVerifier
    /// `max_age` as it was sent, seconds.
    package var maximumAge: Int64?
    /// What the ID token from the token endpoint must agree with, where one came through the browser before it.
    package var continuity: IDTokenContinuity?

    package init(rawNonce: String, codeVerifier: CodeVerifier, maximumAge: Int64? = nil) {
        self.rawNonce = rawNonce
        self.codeVerifier = codeVerifier
        self.maximumAge = maximumAge
    }
}
