// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerHTTP
import OIDCBrokerRecords

/// Why a hand-off code is refused, for the log. The app is not told which it was, but for a resource.
enum RedemptionRefusal: String, Error {
    /// Nothing is kept of it: it was never issued, or it has expired.
    case unknown = "unknown or expired"
    case usedBefore = "used before"
    case otherApp = "issued to another app"
    case otherRedirectURI = "another redirect_uri than at the start"
    case otherIssuer = "issued under another public URL"
    case missingVerifier = "code_verifier missing"
    case invalidVerifier = "invalid code_verifier"
    /// The app sent a verifier, but no challenge at the start (RFC 9700 section 2.1.1).
    case unexpectedVerifier = "code_verifier without a code_challenge at the start"
    case missingChallenge = "no code_challenge at the start"
    /// The app may have the resource, but did not ask for it in this sign-in; or no longer may.
    case otherResource = "resource is none of the start"
    case account = "the account may not be used"

    /// What the app is told.
    var error: TokenError { self == .otherResource ? .invalidTarget : .invalidGrant }

    /// The kind of its line.
    var line: RepeatableEvent { self == .usedBefore ? .repeatedCode : .refusedCode }
}
