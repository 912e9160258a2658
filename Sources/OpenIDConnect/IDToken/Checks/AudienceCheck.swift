// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `aud` is this client and nobody else (Core section 3.1.3.7 rule 3: audiences that are not trusted are refused, and
/// none but the client is).
package struct AudienceCheck: IDTokenCheck {
    package static let name = "audience"

    package init() {}

    package func judge(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let audience = token.claims["aud"]
        let matches =
            switch audience {
            case .string(let one): one.hasSameBytes(as: expectation.clientID)
            case .array(let several):
                several.count == 1 && several[0].stringValue?.hasSameBytes(as: expectation.clientID) == true
            default: false
            }
        return matches ? nil : finding(wanted: "'\(expectation.clientID)' alone", found: audience)
    }
}
