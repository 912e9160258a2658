// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `iat` is there, not in the future beyond the clock skew, and not older than a day (Core section 3.1.3.7 rule 10).
package struct IssuedAtCheck: IDTokenCheck {
    package static let name = "issued at"

    /// The oldest a fresh sign-in's token may be, seconds: it was asked for moments ago.
    package static let maximumAge: Int64 = 86_400

    package init() {}

    package func judge(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let value = token.claims["iat"]
        guard let issued = value?.secondsValue else { return finding(wanted: "a time", found: value) }
        let early = issued - expectation.now
        guard early <= expectation.clockSkew else {
            return finding(
                wanted: "a time at most \(expectation.clockSkew) s ahead (clock skew)", found: "\(early) s ahead")
        }
        guard -early <= Self.maximumAge + expectation.clockSkew else {
            return finding(wanted: "a time at most \(Self.maximumAge) s past", found: "\(-early) s past")
        }
        return nil
    }
}
