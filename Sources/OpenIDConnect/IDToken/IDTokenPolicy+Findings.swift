// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension IDTokenPolicy {
    /// Runs every check, also those after a finding, for a diagnosis. ``validate(_:_:)`` throws the first finding of this
    /// list.
    /// - Returns: Each check in order, with its finding; `nil` if the token meets it.
    package func findings(
        of token: VerifiedPayload, _ expectation: IDTokenExpectation
    ) -> [(check: IDTokenCheck, finding: IDTokenFinding?)] {
        checks.map { (check: $0, finding: $0.validate(token, expectation)) }
    }
}
