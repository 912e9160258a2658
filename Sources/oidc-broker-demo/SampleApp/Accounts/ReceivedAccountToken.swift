// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The ID token of an account, and its validation with the keys that the broker publishes, as any server does it
/// (OpenID Connect Core 1.0 section 3.1.3.7).
struct ReceivedAccountToken: Sendable {
    /// The expected values in the token.
    struct Expectation: Sendable {
        /// The issuer.
        var issuer: String
        /// The ID of the project.
        var audience: String
        /// The uid that came with the token.
        var uid: String
        /// The current time, in seconds since 1970.
        var now: Int64
    }

    private let compact: String

    /// Reads a token in its compact form.
    init(_ compact: String) {
        self.compact = compact
    }

    /// Makes every check. One that could not be made counts as failed.
    ///
    /// - Parameter keys: The published keys; `nil` if there are none.
    func validate(by keys: KeySet?, _ expectation: Expectation) -> SignInReport {
        var report = SignInReport()
        let claims = keys?.verifiedClaims(of: compact)
        report.check("the signature is by one of the published keys", claims != nil)
        let token = claims ?? JSONObject()
        report.claims = token
        report.check("issuer: the token is of this broker's accounts", Self.isSame(token["iss"], expectation.issuer))
        report.check("audience: the token is for this project", Self.isSame(token["aud"], expectation.audience))
        report.check("subject: the token is of this account", Self.isSame(token["sub"], expectation.uid))
        report.check("expiry: the token is still valid", (token["exp"]?.secondsValue ?? 0) > expectation.now)
        return report
    }

    private static func isSame(_ claim: JSONValue?, _ expected: String) -> Bool {
        claim?.text?.hasSameBytes(as: expected) == true
    }
}
