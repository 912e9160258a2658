// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `at_hash`, where present, is the left half of the access token's hash under the token's own algorithm (Core sections
/// 3.1.3.6 and 3.2.2.9), compared in constant time; it must be there where the expectation says so.
package struct AccessTokenHashCheck: IDTokenCheck {
    package static let name = "access token hash"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        findingOfHash(
            "at_hash", in: token, of: expectation.accessToken, named: "access token",
            isRequired: expectation.requiresAccessTokenHash)
    }
}
