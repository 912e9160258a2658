// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `sub` is who it was before: the token endpoint's after the front channel's (Core section 3.3.3.6), a refresh's after
/// the sign-in's (Core section 12.2).
package struct SubjectContinuityCheck: IDTokenCheck {
    package static let name = "subject continuity"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        guard let subject = expectation.subject else { return nil }
        guard token.claims["sub"]?.text?.hasSameBytes(as: subject) == true else {
            return finding(wanted: "the subject of before", found: "another")
        }
        return nil
    }
}
