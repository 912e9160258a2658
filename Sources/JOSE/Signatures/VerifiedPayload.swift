// SPDX-License-Identifier: Apache-2.0

/// The claims of a token whose signature holds.
///
/// Only ``JSONWebSignature/verified(by:algorithms:)`` makes one, so that a function that takes it needs no further proof.
/// What the claims say (issuer, audience, times) is still to be judged.
package struct VerifiedPayload: Sendable {
    /// The algorithm that verified the signature.
    package let algorithm: JSONWebAlgorithm

    /// `typ` of the header, where present.
    package let type: String?

    /// The signed claims.
    package let claims: JSONObject

    fileprivate init(algorithm: JSONWebAlgorithm, type: String?, claims: JSONObject) {
        self.algorithm = algorithm
        self.type = type
        self.claims = claims
    }
}

extension JSONWebSignature {
    /// The most keys that one token is tried with: what a token costs must not grow with the key set.
    package static let mostCandidates = 8

    /// Verifies the signature, and only then reads the claims.
    ///
    /// With a `kid` only keys of that `kid` are tried, without one every key that supports the algorithm; at most
    /// ``mostCandidates`` of them.
    ///
    /// - Parameters:
    ///   - keys: The keys that the caller trusts for this token's issuer.
    ///   - algorithms: The algorithms that the caller allows for it.
    /// - Throws: ``JSONWebSignatureError``.
    package func verified(
        by keys: KeySet, algorithms: Set<JSONWebAlgorithm>
    ) throws(JSONWebSignatureError) -> VerifiedPayload {
        guard algorithms.contains(algorithm) else { throw .algorithmNotAllowed }
        let candidates = keys.candidates(keyID: keyID, algorithm: algorithm)
        guard !candidates.isEmpty else { throw .unknownKey }
        let isSigned = candidates.prefix(Self.mostCandidates).contains { key in
            key.isValid(signature: signature, for: signingInput, algorithm: algorithm)
        }
        guard isSigned else { throw .badSignature }
        do {
            let limits = JSONLimits(maximumBytes: Self.longestToken)
            return VerifiedPayload(
                algorithm: algorithm, type: type, claims: try JSONParser.object(payload, limits: limits))
        } catch {
            throw .payload(error)
        }
    }
}
