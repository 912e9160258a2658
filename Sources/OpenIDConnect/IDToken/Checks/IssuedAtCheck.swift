// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `iat` is there, not in the future beyond the clock skew, and not older than the expectation allows (Core section
/// 3.1.3.7 rule 10).
package struct IssuedAtCheck: IDTokenCheck {
    package static let name = "issued at"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let value = token.claims["iat"]
        guard let issued = value?.secondsValue else { return finding(wanted: "a time", found: value) }
        let early = issued - expectation.now
        guard early <= expectation.clockSkew else {
            return finding(
                wanted: "a time at most \(expectation.clockSkew) s ahead (clock skew)", found: "\(early) s ahead")
        }
        guard -early - expectation.clockSkew <= expectation.maximumIssuedAge else {
            return finding(wanted: "a time at most \(expectation.maximumIssuedAge) s past", found: "\(-early) s past")
        }
        return nil
    }
}
