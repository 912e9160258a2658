// SPDX-License-Identifier: Apache-2.0

extension JSONWebSignature {
    /// What a key has to do with a token, for a diagnosis.
    package enum KeyVerdict: Sendable, Hashable {
        /// The key made the signature.
        case signer
        /// The key is not for the token's `alg`.
        case otherAlgorithm
        /// The key's `kid` is not the token's.
        case otherKeyID
        /// The key was tried and did not make the signature.
        case otherKey
        /// The key fits, but was not tried: another one made the signature, or ``mostCandidates`` were tried.
        case notTried
    }

    /// Tells for each key of a set, in its order, what it has to do with this token. It tries the keys that
    /// `verified(by:algorithms:)` tries.
    package func verdicts(on keys: KeySet) -> [KeyVerdict] {
        var tried = 0
        var isSigned = false
        return keys.keys.map { key in
            guard key.supports(algorithm) else { return .otherAlgorithm }
            if let keyID, key.keyID?.hasSameBytes(as: keyID) != true { return .otherKeyID }
            guard !isSigned, tried < Self.mostCandidates else { return .notTried }
            tried += 1
            isSigned = key.isValid(signature: signature, for: signingInput, algorithm: algorithm)
            return isSigned ? .signer : .otherKey
        }
    }
}
