// SPDX-License-Identifier: Apache-2.0

/// A sign-in in progress, for a relying party used without the broker. Keep it in the user agent's session, never in a
/// URL.
///
/// It is `Codable` for a session that is stored. What is encoded holds the code verifier and the nonce in plain text:
/// keep it where the user agent and others cannot read it.
public struct PendingSignIn: Sendable, Hashable, Codable {
    /// The `state` that the callback must have.
    public var state: String
    /// The raw nonce to which the ID token must be bound.
    public var nonce: Secret
    /// The PKCE code verifier (RFC 7636).
    public var codeVerifier: Secret
    /// The `max_age` that was sent; only whole seconds count.
    public var maximumAge: Duration?
    /// What the key of this sign-in is derived from, with ``ProviderConfiguration/dpop``.
    public var dpopSeed: Secret?

    private enum CodingKeys: String, CodingKey {
        case state
        case nonce
        case codeVerifier = "code_verifier"
        case maximumAge = "max_age"
        case dpopSeed = "dpop_seed"
    }

    /// Creates a pending sign-in from the values in a session.
    public init(
        state: String, nonce: Secret, codeVerifier: Secret, maximumAge: Duration? = nil, dpopSeed: Secret? = nil
    ) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
        self.maximumAge = maximumAge
        self.dpopSeed = dpopSeed
    }

    /// Reads a pending sign-in that a session kept.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        state = try values.decode(String.self, forKey: .state)
        nonce = Secret(try values.decode(String.self, forKey: .nonce))
        codeVerifier = Secret(try values.decode(String.self, forKey: .codeVerifier))
        maximumAge = try values.decodeIfPresent(Int64.self, forKey: .maximumAge).map { .seconds($0) }
        dpopSeed = try values.decodeIfPresent(String.self, forKey: .dpopSeed).map { Secret($0) }
    }

    /// Writes the sign-in for a session, its secrets in plain text.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(state, forKey: .state)
        try values.encode(nonce.exposed, forKey: .nonce)
        try values.encode(codeVerifier.exposed, forKey: .codeVerifier)
        try values.encodeIfPresent(maximumAge?.components.seconds, forKey: .maximumAge)
        try values.encodeIfPresent(dpopSeed?.exposed, forKey: .dpopSeed)
    }
}

/// What ``RelyingParty/begin(parameters:maximumAge:on:)`` gives: where to send the user agent, and what to keep for its
/// callback.
public struct SignInStart: Sendable, Hashable {
    /// The URL of the authorization request.
    public let url: String
    /// What to keep in the user agent's session until the callback.
    public let pending: PendingSignIn
}
