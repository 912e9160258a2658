// SPDX-License-Identifier: Apache-2.0

import JOSE

extension IDTokenCheck {
    /// Validates a claim that contains the hash of another value. If present and not null, it must be the left half of the hash
    /// under the token's signature algorithm. The comparison takes constant time.
    /// - Parameters:
    ///   - claim: The name of the claim, for example `c_hash`.
    ///   - value: The value that was hashed; `nil` if there is none, in which case nothing is compared.
    ///   - what: The name of the value in a finding.
    ///   - isRequired: Whether an absent claim is a finding.
    func findingOfHash(
        _ claim: String,
        in token: VerifiedPayload,
        of value: String?,
        named what: String,
        isRequired: Bool
    ) -> IDTokenFinding? {
        // Null is absent, and nothing else is: what is there is compared.
        guard let claimed = token.claims[claim], claimed != .null else {
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
