// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `nonce` is the one that was sent, compared in constant time (Core section 3.1.3.7 rule 11).
package struct NonceCheck: IDTokenCheck {
    package static let name = "nonce"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let value = token.claims["nonce"]
        guard let expected = expectation.nonce else {
            return value == nil ? nil : finding(wanted: "none, since none was sent", found: "one")
        }
        guard let nonce = value?.text else {
            return finding(wanted: "the nonce that was sent", found: value == nil ? "nothing" : "not a string")
        }
        return ConstantTime.equal(nonce.utf8, expected.utf8)
            ? nil : finding(wanted: "the nonce that was sent", found: "another")
    }
}
