// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A rule that an ID token must meet. ``IDTokenPolicy`` combines them.
package struct IDTokenCheck: Sendable, Hashable {
    /// The rule's name in a finding, for example `issuer`.
    package let name: String
    /// Tells two rules of one name apart; a policy has one of them; `nil` for the standard's.
    package let variant: String?

    private let rule: @Sendable (IDTokenCheck, VerifiedPayload, IDTokenExpectation) -> IDTokenFinding?

    /// - Parameter rule: Returns `nil` if a token, whose signature is verified, meets the rule. It gets the check itself,
    ///   which makes findings under its name.
    package init(
        _ name: String, variant: String? = nil,
        rule: @escaping @Sendable (IDTokenCheck, VerifiedPayload, IDTokenExpectation) -> IDTokenFinding?
    ) {
        self.name = name
        self.variant = variant
        self.rule = rule
    }

    /// Validates a token whose signature is verified; `nil` if the rule is met.
    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        rule(self, token, expectation)
    }

    package static func == (left: IDTokenCheck, right: IDTokenCheck) -> Bool {
        left.name == right.name && left.variant == right.variant
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(variant)
    }

    /// A finding of this check.
    package func finding(wanted: String, found: String) -> IDTokenFinding {
        IDTokenFinding(check: name, wanted: wanted, found: found)
    }

    /// A finding about a claim.
    package func finding(wanted: String, found: JSONValue?) -> IDTokenFinding {
        finding(wanted: wanted, found: IDTokenFinding.describe(found))
    }
}
