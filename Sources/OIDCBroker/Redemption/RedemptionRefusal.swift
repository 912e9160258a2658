// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerRecords

/// Why a hand-off code is refused, for the log. The app is not told which it was.
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
    case account = "the account may not be used"

    /// The kind of its line.
    var line: RepeatableEvent { self == .usedBefore ? .repeatedCode : .refusedCode }
}
