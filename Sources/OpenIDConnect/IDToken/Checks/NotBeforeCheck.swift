// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `nbf`, where present, is not in the future beyond the clock skew (RFC 7519 section 4.1.5).
package struct NotBeforeCheck: IDTokenCheck {
    package static let name = "not before"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        guard let value = token.claims["nbf"] else { return nil }
        guard let start = value.secondsValue else { return finding(wanted: "a time", found: value) }
        let early = start - expectation.now
        guard early <= expectation.clockSkew else {
            return finding(
                wanted: "a time at most \(expectation.clockSkew) s ahead (clock skew)", found: "\(early) s ahead")
        }
        return nil
    }
}
