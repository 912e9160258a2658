// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `at_hash`, where present, is the left half of the access token's hash under the token's own algorithm (Core section
/// 3.1.3.6), compared in constant time.
package struct AccessTokenHashCheck: IDTokenCheck {
    package static let name = "access token hash"

    package init() {}

    package func judge(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        guard let value = token.claims["at_hash"] else { return nil }
        guard let claimed = value.stringValue else {
            return finding(wanted: "the hash of the access token", found: "not a string")
        }
        guard let accessToken = expectation.accessToken else {
            return finding(wanted: "an access token beside it", found: "none")
        }
        guard ConstantTime.equal(claimed, TokenHash.leftHalf(of: accessToken, algorithm: token.algorithm)) else {
            return finding(wanted: "the hash of the access token", found: "another")
        }
        return nil
    }
}
