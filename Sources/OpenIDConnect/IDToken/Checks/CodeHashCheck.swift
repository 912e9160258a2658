// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `c_hash`, where present, is the left half of the code's hash under the token's own algorithm, compared in constant
/// time (Core section 3.3.2.10); in the front channel it must be there (Core section 3.3.2.11).
package struct CodeHashCheck: IDTokenCheck {
    package static let name = "code hash"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        findingOfHash(
            "c_hash", in: token, of: expectation.code, named: "code", isRequired: expectation.requiresCodeHash)
    }
}
