// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `exp` is there and not past, the clock skew allowed for (Core section 3.1.3.7 rule 9).
package struct ExpiryCheck: IDTokenCheck {
    package static let name = "expiry"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let value = token.claims["exp"]
        guard let expiry = value?.secondsValue else { return finding(wanted: "a time", found: value) }
        let late = expectation.now - expiry
        guard late < expectation.clockSkew else {
            return finding(
                wanted: "a time at most \(expectation.clockSkew) s past (clock skew)", found: "\(late) s past")
        }
        return nil
    }
}
