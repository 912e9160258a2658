// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The broker's token response, and its validation by the app (OpenID Connect Core 1.0 section 3.1.3.7).
struct ReceivedTokens: Sendable {
    /// The expected values in the ID token.
    struct Expectation: Sendable {
        /// The broker's issuer.
        var issuer: String
        /// The app's client ID.
        var audience: String
        /// The nonce that the app sent.
        var nonce: String
        /// The current time, in seconds since 1970.
        var now: Int64
    }

    private let response: JSONObject

    /// Reads the members of a token response.
    init(_ response: JSONObject) {
        self.response = response
    }

    /// Adds every check to the report. A check that could not be made counts as failed.
    func validate(by keys: KeySet, _ expectation: Expectation, into report: inout SignInReport) {
        let claims = response["id_token"]?.text.flatMap { keys.verifiedClaims(of: $0.makeString()) }
        report.check("the ID token's signature is by one of the broker's keys", claims != nil)
        let token = claims ?? JSONObject()
        report.claims = token
        report.check("issuer: the token is from the broker", token["iss"]?.text?.makeString() == expectation.issuer)
        report.check("audience: the token is for this app", token["aud"]?.text?.makeString() == expectation.audience)
        let expiry = token["exp"]?.secondsValue ?? 0
        report.check("expiry: the token is still valid", expiry > expectation.now)
        report.check("nonce: the token is for this sign-in", token["nonce"]?.text?.makeString() == expectation.nonce)

        let upstream = response["upstream"]?.objectValue?["claims"]?.objectValue ?? JSONObject()
        report.upstreamClaims = upstream
        report.user = response["user"]?.objectValue ?? JSONObject()
        let namesAgree = Self.agree(upstream["iss"], token["upstream_iss"])
        let subjectsAgree = Self.agree(upstream["sub"], token["upstream_sub"])
        let addressesAgree = Self.agree(upstream["email"], token["email"])
        report.check("the provider's claims say the same", namesAgree && subjectsAgree && addressesAgree)
    }

    private static func agree(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        guard let one = one?.text?.makeString(), let other = other?.text?.makeString() else { return false }
        return one == other
    }
}

extension KeySet {
    /// Returns the claims of a token in its compact form; `nil` if no key verifies it.
    func verifiedClaims(of token: String) -> JSONObject? {
        try? JSONWebSignature(compact: token).verified(by: self, algorithms: [.es256, .rs256]).claims
    }
}
