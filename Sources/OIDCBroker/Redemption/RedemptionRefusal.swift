// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerHTTP
import OIDCBrokerRecords

/// Why a hand-off code is refused, for the log. The app is not told which it was, but for a resource.
enum RedemptionRefusal: String, Error {
    /// Nothing is kept of it: it was never issued, or it has expired.
    case unknown = "unknown or expired"
    case usedBefore = "used before"
    case otherApp = "issued to another app"
    case otherRedirectURI = "redirect_uri differs from the authorization request"
    case otherIssuer = "issued under another public URL"
    case missingVerifier = "code_verifier missing"
    case invalidVerifier = "invalid code_verifier"
    /// The app sent a verifier, but no challenge at the start (RFC 9700 section 2.1.1).
    case unexpectedVerifier = "code_verifier without a code_challenge in the authorization request"
    case missingChallenge = "no code_challenge in the authorization request"
    /// The app may have the resource, but did not ask for it in this sign-in; or no longer may.
    case otherResource = "resource not in the authorization request"
    case account = "the account may not be used"

    /// What the app is told.
    var error: TokenError { self == .otherResource ? .invalidTarget : .invalidGrant }

    /// The kind of its line.
    var line: RepeatableEvent { self == .usedBefore ? .repeatedCode : .refusedCode }
}
