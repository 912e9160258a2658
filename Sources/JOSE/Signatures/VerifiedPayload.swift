// SPDX-License-Identifier: Apache-2.0

/// The claims of a token whose signature was verified.
///
/// Only `JSONWebSignature.verified(by:algorithms:)` creates it, so a function that takes one needs no further proof.
/// The claims themselves (issuer, audience, times) still have to be validated.
package struct VerifiedPayload: Sendable {
    /// The algorithm that verified the signature.
    package let algorithm: JSONWebAlgorithm

    /// The header's `typ`; `nil` if it is absent.
    package let type: WireText?

    /// The signed claims.
    package let claims: JSONObject

    fileprivate init(algorithm: JSONWebAlgorithm, type: WireText?, claims: JSONObject) {
        self.algorithm = algorithm
        self.type = type
        self.claims = claims
    }
}

extension JSONWebSignature {
    /// The maximum number of keys that are tried for one token, so that its cost does not grow with the key set.
    package static let mostCandidates = 8

    /// Verifies the signature with public keys, and only then parses the claims.
    ///
    /// If the token has a `kid`, only keys with that `kid` are tried, otherwise every key that supports the algorithm;
    /// at most ``mostCandidates`` keys in both cases.
    ///
    /// - Parameters:
    ///   - keys: The keys that the caller trusts for the issuer of this token.
    ///   - algorithms: The algorithms that the caller allows. Symmetric ones are ignored, since a key set verifies no HMAC.
    /// - Throws: ``JSONWebSignatureError``.
    package func verified(
        by keys: KeySet, algorithms: Set<JSONWebAlgorithm>
    ) throws(JSONWebSignatureError) -> VerifiedPayload {
        guard !algorithm.isSymmetric, algorithms.contains(algorithm) else {
            throw .algorithmNotAllowed.wanting(
                Self.names(algorithms.filter { !$0.isSymmetric }), found: algorithm.rawValue)
        }
        let candidates = keys.candidates(keyID: keyID, algorithm: algorithm)
        guard !candidates.isEmpty else {
            let kid = keyID == nil ? "" : " with the token's kid"
            throw .unknownKey.wanting("a key for \(algorithm.rawValue)\(kid)", found: "none among \(keys.keys.count)")
        }
        let isSigned = candidates.prefix(Self.mostCandidates).contains { key in
            key.isValid(signature: signature, for: signingInput, algorithm: algorithm)
        }
        guard isSigned else {
            throw .badSignature.wanting("\(algorithm.rawValue) by a trusted key", found: "another")
        }
        return try believed()
    }

    /// Verifies the signature with a shared secret, and only then parses the claims. `kid` is ignored.
    ///
    /// - Parameters:
    ///   - secret: The secret that the caller shares with the issuer of this token.
    ///   - algorithms: The algorithms that the caller allows. Asymmetric ones are ignored.
    /// - Throws: ``JSONWebSignatureError``; ``JSONWebSignatureError/algorithmNotAllowed`` also if the secret is too
    ///   short for the algorithm.
    package func verified(
        by secret: SharedSecretKey, algorithms: Set<JSONWebAlgorithm>
    ) throws(JSONWebSignatureError) -> VerifiedPayload {
        guard algorithms.contains(algorithm), secret.supports(algorithm) else {
            throw .algorithmNotAllowed.wanting(
                Self.names(algorithms.filter { secret.supports($0) }), found: algorithm.rawValue)
        }
        guard secret.isValid(signature: signature, for: signingInput, algorithm: algorithm) else {
            throw .badSignature.wanting("\(algorithm.rawValue) by the shared secret", found: "another")
        }
        return try believed()
    }

    /// The claims of this token, whose signature has been verified.
    private func believed() throws(JSONWebSignatureError) -> VerifiedPayload {
        do {
            let limits = JSONLimits(maximumBytes: Self.longestToken)
            return VerifiedPayload(
                algorithm: algorithm, type: type, claims: try JSONParser.object(payload, limits: limits))
        } catch {
            throw .payload(error)
        }
    }

    /// The names of algorithms for the text of an error, in a fixed order.
    private static func names(_ algorithms: Set<JSONWebAlgorithm>) -> String {
        algorithms.isEmpty ? "none" : algorithms.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
