// SPDX-License-Identifier: Apache-2.0

/// What an ID token must match: everything this side knew before the token came.
package struct IDTokenExpectation: Sendable {
    /// The issuer, compared exactly.
    package var issuer: String
    /// This client.
    package var clientID: String
    /// The nonce that was sent; nil only where none was.
    package var nonce: String?
    /// The access token that came with the ID token, for `at_hash`.
    package var accessToken: String?
    /// `max_age` as it was sent, seconds; `auth_time` is required then.
    package var maximumAge: Int64?
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
