// SPDX-License-Identifier: Apache-2.0

/// What an ID token must match: everything this side knew before the token came.
///
/// The same list of checks serves the front channel, the token endpoint and a refresh; what is required of each stands
/// here.
package struct IDTokenExpectation: Sendable {
    /// The issuer of the provider's metadata, compared exactly unless there is an ``issuerRule``.
    package var issuer: String
    /// Which issuers are accepted instead; nil for ``issuer`` alone.
    package var issuerRule: IssuerRule?
    /// This client.
    package var clientID: String
    /// Audiences that may stand beside this client, where the token names it as the authorized party.
    package var trustedAudiences: [String] = []
    /// Who it must be: the subject of the front channel's token, or of the sign-in that is refreshed; `nil` if nobody
    /// is known yet.
    package var subject: String?
    /// The nonce that was sent; nil only where none was.
    package var nonce: String?
    /// Whether a check that knows a provider's own rule for it may excuse a missing nonce: only for a native credential,
    /// and only where the app may do without one.
    package var mayExcuseMissingNonce = false
    /// The access token that came with the ID token, for `at_hash`.
    package var accessToken: String?
    /// Whether `at_hash` must be there: an access token came through the front channel (Core section 3.2.2.9).
    package var requiresAccessTokenHash = false
    /// The code that came with the ID token, or that it was exchanged for, for `c_hash`.
    package var code: String?
    /// Whether `c_hash` must be there: a code came with the token through the front channel (Core section 3.3.2.11).
    package var requiresCodeHash = false
    /// The state that was sent, for `s_hash`; `nil` if it is not at hand, and `s_hash` is not validated.
    package var state: String?
    /// `max_age` as it was sent, seconds; `auth_time` is required then.
    package var maximumAge: Int64?
    /// The authentication contexts of which `acr` must name one; empty where any will do.
    package var acceptedACRs: [String] = []
    /// The oldest the token may be, seconds since `iat`: it was asked for moments ago.
    package var maximumIssuedAge: Int64 = 86_400
    /// Seconds the provider's clock may be off.
    package var clockSkew: Int64
    /// Seconds since 1970.
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
