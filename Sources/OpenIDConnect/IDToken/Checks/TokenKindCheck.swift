// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The token is an ID token and no other kind that the same keys sign (RFC 8725 section 3.11): its `typ`, where present,
/// is `JWT`, and it has none of the claims of a logout token or a security event.
package struct TokenKindCheck: IDTokenCheck {
    package static let name = "token kind"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        // A type that is too long or not ASCII is none of these.
        if let type = token.type, !["jwt", "application/jwt"].contains(type.ascii(atMost: 32)?.lowercased()) {
            return finding(wanted: "typ JWT", found: .text(type))
        }
        guard token.claims["events"] == nil else { return finding(wanted: "no 'events'", found: "one") }
        return nil
    }
}
