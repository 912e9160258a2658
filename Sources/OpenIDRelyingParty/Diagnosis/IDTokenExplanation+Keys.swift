// SPDX-License-Identifier: Apache-2.0

import JOSE

extension IDTokenExplanation.Key {
    /// Describes each key of a set: those that can be used in their order, then those that were skipped.
    /// - Parameter signature: The token; `nil` if it cannot be read.
    static func all(in keys: KeySet, for signature: JSONWebSignature?) -> [Self] {
        let verdicts = signature?.verdicts(on: keys)
        let usable = keys.keys.enumerated().map { index, key in
            let name = key.keyID.map { $0.visibleASCII(atMost: SkippedKey.longestShownKeyID) ?? "not to be shown" }
            let verdict = verdicts?[index]
            return Self(
                name: name ?? "none", isSigner: verdict == .signer,
                reason: verdict.map(reason) ?? "not tried: the token cannot be read")
        }
        return usable
            + keys.skipped.map { Self(name: $0.keyID ?? "none", isSigner: false, reason: "skipped: \($0.reason)") }
    }

    private static func reason(_ verdict: JSONWebSignature.KeyVerdict) -> String {
        switch verdict {
        case .signer: "used: it verifies the signature"
        case .otherAlgorithm: "not tried: it is not for the token's alg"
        case .otherKeyID: "not tried: its kid is not the token's"
        case .otherKey: "tried: it does not verify the signature"
        case .notTried: "not tried: enough keys were tried"
        }
    }
}
