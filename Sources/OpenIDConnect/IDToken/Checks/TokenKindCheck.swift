// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The token is an ID token and no other kind that the same keys sign (RFC 8725 section 3.11): its `typ`, where present,
/// is `JWT`, and it has none of the claims of a logout token or a security event.
package struct TokenKindCheck: IDTokenCheck {
    package static let name = "token kind"

    package init() {}

    package func judge(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        if let type = token.type, type.lowercased() != "jwt", type.lowercased() != "application/jwt" {
            return finding(wanted: "typ JWT", found: "'\(type)'")
        }
        guard token.claims["events"] == nil else { return finding(wanted: "no 'events'", found: "one") }
        return nil
    }
}
