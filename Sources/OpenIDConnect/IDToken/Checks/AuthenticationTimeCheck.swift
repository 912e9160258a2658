// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `auth_time` is a time where present; it must be, and recent enough, where `max_age` was sent (Core section 3.1.3.7
/// rule 13).
package struct AuthenticationTimeCheck: IDTokenCheck {
    package static let name = "authentication time"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let value = token.claims["auth_time"]
        guard let maximumAge = expectation.maximumAge else {
            guard let value, value.secondsValue == nil else { return nil }
            return finding(wanted: "a time", found: value)
        }
        guard let time = value?.secondsValue else {
            return finding(wanted: "a time, since max_age was sent", found: value)
        }
        let age = expectation.now - time
        guard age - expectation.clockSkew <= maximumAge else {
            return finding(wanted: "at most \(maximumAge) s ago", found: "\(age) s ago")
        }
        guard -age <= expectation.clockSkew else {
            return finding(wanted: "a time at most \(expectation.clockSkew) s ahead", found: "\(-age) s ahead")
        }
        return nil
    }
}
