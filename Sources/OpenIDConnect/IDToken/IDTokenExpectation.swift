// SPDX-License-Identifier: Apache-2.0

/// The values that an ID token must match. The client knew all of them before it received the token.
///
/// One list of checks serves the front channel, the token endpoint and refreshes. Their different requirements are
/// expressed here.
package struct IDTokenExpectation: Sendable {
    /// The issuer in the provider's metadata. It is compared exactly unless there is an ``issuerRule``.
    package var issuer: String
    /// The rule for accepted issuers; `nil` if only ``issuer`` is accepted.
    package var issuerRule: IssuerRule?
    /// The client ID of this client.
    package var clientID: String
    /// Audiences that are allowed in addition to this client if the token names this client as the authorized party.
    package var trustedAudiences: [String] = []
    /// The expected subject: that of the front channel's token, or that of the sign-in that is refreshed; `nil` if it
    /// is not known yet.
    package var subject: String?
    /// The nonce that was sent; `nil` only if none was sent.
    package var nonce: String?
    /// Whether a provider-specific check may accept a missing nonce. This is the case only for a native credential, and
    /// only if the app is configured to allow it.
    package var mayExcuseMissingNonce = false
    /// The access token that was received with the ID token, for `at_hash`.
    package var accessToken: String?
    /// Whether `at_hash` is required, because an access token was received through the front channel (Core section
    /// 3.2.2.9).
    package var requiresAccessTokenHash = false
    /// Whether `at_hash` is not validated, because the token came through the front channel, where no access token is
    /// requested and one that is present is ignored.
    package var ignoresAccessTokenHash = false
    /// The code that was received with the ID token or exchanged for it, for `c_hash`.
    package var code: String?
    /// Whether `c_hash` is required, because a code was received with the token through the front channel (Core section
    /// 3.3.2.11).
    package var requiresCodeHash = false
    /// The state that was sent, for `s_hash`; `nil` if it is not available, in which case `s_hash` is not validated.
    package var state: String?
    /// The `max_age` that was sent, in seconds. If it is not `nil`, `auth_time` is required.
    package var maximumAge: Int64?
    /// The accepted values of `acr`; empty if `acr` is not checked.
    package var acceptedACRs: [String] = []
    /// The maximum age of the token since `iat`, in seconds.
    package var maximumIssuedAge: Int64 = 86_400
    /// The tolerated difference of the provider's clock, in seconds.
    package var clockSkew: Int64
    /// The current time, in seconds since 1970.
    package var now: Int64

    package init(
        issuer: String,
        clientID: String,
        nonce: String?,
        accessToken: String? = nil,
        maximumAge: Int64? = nil,
        clockSkew: Int64 = 60,
        now: Int64
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.accessToken = accessToken
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
        self.now = now
    }
}
