// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `acr` is one of the authentication contexts that are required, where any are (Core section 3.1.3.7 rule 12).
package struct AuthenticationContextCheck: IDTokenCheck {
    package static let name = "authentication context"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        guard !expectation.acceptedACRs.isEmpty else { return nil }
        let value = token.claims["acr"]
        if let context = value?.text, expectation.acceptedACRs.contains(where: { context.hasSameBytes(as: $0) }) {
            return nil
        }
        let wanted = expectation.acceptedACRs.map { "'\($0)'" }.joined(separator: " or ")
        return finding(wanted: wanted, found: value)
    }
}
