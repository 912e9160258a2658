// SPDX-License-Identifier: Apache-2.0

import JOSE

extension IDTokenCheck {
    /// Validates a claim that holds the hash of something beside the token: where present, it is the left half of the hash
    /// under the token's own algorithm, compared in constant time.
    /// - Parameters:
    ///   - claim: for example `c_hash`.
    ///   - value: what the claim is the hash of; `nil` if there is nothing of the kind, and nothing to hash.
    ///   - what: its name in a finding.
    ///   - isRequired: whether an absent claim is a finding.
    func findingOfHash(
        _ claim: String,
        in token: VerifiedPayload,
        of value: String?,
        named what: String,
        isRequired: Bool
    ) -> IDTokenFinding? {
        guard let claimed = token.claims[claim] else {
            return isRequired ? finding(wanted: "the hash of the \(what)", found: "nothing") : nil
        }
        guard let text = claimed.text else {
            return finding(wanted: "the hash of the \(what)", found: "not a string")
        }
        guard let value else { return finding(wanted: "the \(what) beside it", found: "none") }
        guard
            ConstantTime.equal(
                text.utf8, TokenHash.leftHalf(of: value, algorithm: token.algorithm).utf8)
        else {
            return finding(wanted: "the hash of the \(what)", found: "another")
        }
        return nil
    }
}
