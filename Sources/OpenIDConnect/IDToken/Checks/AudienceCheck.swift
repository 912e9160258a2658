// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `aud` is this client, and beside it none but those that are trusted (Core section 3.1.3.7 rule 3). Of several
/// audiences one is the authorized party, and the token says which (rule 4); ``AuthorizedPartyCheck`` holds it to that.
package struct AudienceCheck: IDTokenCheck {
    package static let name = "audience"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let audience = token.claims["aud"]
        switch audience {
        case .text(let one) where one.hasSameBytes(as: expectation.clientID):
            return nil
        case .array(let several) where Self.isAcceptable(several, expectation):
            guard several.count > 1, token.claims["azp"] == nil else { return nil }
            return finding(wanted: "an 'azp', since there are \(several.count) audiences", found: "none")
        default:
            let beside = expectation.trustedAudiences.isEmpty ? "alone" : "and none but trusted ones beside it"
            return finding(wanted: "'\(expectation.clientID)' \(beside)", found: audience)
        }
    }

    /// Whether this client is among them, once, and each of the others is trusted.
    private static func isAcceptable(_ audiences: [JSONValue], _ expectation: IDTokenExpectation) -> Bool {
        var hasClient = false
        for audience in audiences {
            guard let name = audience.text else { return false }
            if !hasClient, name.hasSameBytes(as: expectation.clientID) {
                hasClient = true
            } else if !expectation.trustedAudiences.contains(where: { name.hasSameBytes(as: $0) }) {
                return false
            }
        }
        return hasClient
    }
}
