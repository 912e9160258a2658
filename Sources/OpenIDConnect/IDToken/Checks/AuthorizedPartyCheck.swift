// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `azp`, where present, is this client (Core section 3.1.3.7 rule 5).
package struct AuthorizedPartyCheck: IDTokenCheck {
    package static let name = "authorized party"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        guard let party = token.claims["azp"] else { return nil }
        return party.text?.hasSameBytes(as: expectation.clientID) == true
            ? nil : finding(wanted: "'\(expectation.clientID)'", found: party)
    }
}
