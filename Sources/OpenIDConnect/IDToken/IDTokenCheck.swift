// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// One rule an ID token must pass. A rule is one small type in one file; ``IDTokenPolicy`` composes them.
package protocol IDTokenCheck: Sendable {
    /// The name the rule has in a finding.
    static var name: String { get }

    /// Validates a token whose signature is verified already; `nil` if the rule is met.
    func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding?
}

extension IDTokenCheck {
    func finding(wanted: String, found: String) -> IDTokenFinding {
        IDTokenFinding(check: Self.name, wanted: wanted, found: found)
    }

    func finding(wanted: String, found: JSONValue?) -> IDTokenFinding {
        IDTokenFinding(check: Self.name, wanted: wanted, found: IDTokenFinding.describe(found))
    }
}
