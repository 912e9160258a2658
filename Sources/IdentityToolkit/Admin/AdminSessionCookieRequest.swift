// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A request of an operator for a session cookie of a user who has just shown an ID token.
struct AdminSessionCookieRequest: Sendable {
    /// The ID token.
    let idToken: String
    /// How long the cookie is valid, in seconds.
    let lifetime: Int64

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        idToken = try body.requiredSessionToken()
        guard let digits = try body.text(.validDuration)?.ascii(atMost: 7),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(digits),
            SessionCookies.lifetimes.contains(seconds)
        else {
            throw ToolkitError(
                .invalidDuration,
                "validDuration is a number of seconds, \(SessionCookies.lifetimes.lowerBound) to "
                    + "\(SessionCookies.lifetimes.upperBound).")
        }
        lifetime = seconds
    }
}
