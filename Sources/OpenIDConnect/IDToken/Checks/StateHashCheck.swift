// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `s_hash`, where present, is the left half of the state's hash under the token's own algorithm (FAPI 1.0 part 2
/// section 5.1), compared in constant time.
///
/// It is validated only where the state is at hand: the state itself is sealed, and was validated before any token.
package struct StateHashCheck: IDTokenCheck {
    package static let name = "state hash"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        guard let state = expectation.state else { return nil }
        return findingOfHash("s_hash", in: token, of: state, named: "state", isRequired: false)
    }
}
