// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `iss` is the issuer, byte for byte (Core section 3.1.3.7 rule 2).
package struct IssuerCheck: IDTokenCheck {
    package static let name = "issuer"

    package init() {}

    package func judge(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let issuer = token.claims["iss"]
        guard issuer?.stringValue?.hasSameBytes(as: expectation.issuer) == true else {
            return finding(wanted: "'\(expectation.issuer)'", found: issuer)
        }
        return nil
    }
}
