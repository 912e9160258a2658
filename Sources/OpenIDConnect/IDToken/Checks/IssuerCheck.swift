// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `iss` is the issuer, byte for byte (Core section 3.1.3.7 rule 2); for the few providers with several issuers, one of
/// those that the expectation's rule accepts.
package struct IssuerCheck: IDTokenCheck {
    package static let name = "issuer"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let issuer = token.claims["iss"]
        guard let rule = expectation.issuerRule else {
            guard issuer?.text?.hasSameBytes(as: expectation.issuer) == true else {
                return finding(wanted: "'\(expectation.issuer)'", found: issuer)
            }
            return nil
        }
        let tenant = token.claims["tid"]
        if let text = issuer?.text, rule.accepts(text, tenant: tenant?.text) { return nil }
        guard case .template = rule else { return finding(wanted: rule.description, found: issuer) }
        return finding(
            wanted: rule.description,
            found: IDTokenFinding.describe(issuer) + " of tenant " + IDTokenFinding.describe(tenant))
    }
}
