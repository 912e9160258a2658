// SPDX-License-Identifier: Apache-2.0

/// A sign-in under way, for a relying party used without the broker: keep it with the browser's session, never in a URL.
public struct PendingSignIn: Sendable, Hashable {
    /// `state`, which the callback must bring back.
    public let state: String
    /// The raw nonce, which the ID token must carry.
    public let nonce: Secret
    /// The PKCE verifier (RFC 7636).
    public let codeVerifier: Secret
    /// `max_age` as it was sent, seconds.
    public let maximumAge: Int64?

    /// A sign-in restored from a session.
    public init(state: String, nonce: Secret, codeVerifier: Secret, maximumAge: Int64?) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
        self.maximumAge = maximumAge
    }
}
