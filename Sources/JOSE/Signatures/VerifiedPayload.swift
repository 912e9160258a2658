// SPDX-License-Identifier: Apache-2.0

/// The claims of a token whose signature holds.
///
/// Only `JSONWebSignature.verified(by:algorithms:)` makes one, so that a function that takes it needs no further proof.
/// What the claims say (issuer, audience, times) is still to be validated.
package struct VerifiedPayload: Sendable {
    /// The algorithm that verified the signature.
    package let algorithm: JSONWebAlgorithm

    /// `typ` of the header, where present.
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
    /// The most keys that one token is tried with: what a token costs must not grow with the key set.
    package static let mostCandidates = 8

    /// Verifies the signature with public keys, and only then reads the claims.
    ///
    /// With a `kid` only keys of that `kid` are tried, without one every key that supports the algorithm; at most
    /// ``mostCandidates`` of them.
    ///
    /// - Parameters:
    ///   - keys: The keys that the caller trusts for this token's issuer.
    ///   - algorithms: The algorithms that the caller allows for it. Symmetric ones among them are passed over: a key set
    ///     verifies no HMAC.
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

    /// Verifies the signature with a shared secret, and only then reads the claims. `kid` is not looked at.
    ///
    /// - Parameters:
    ///   - secret: The secret that the caller shares with this token's issuer.
    ///   - algorithms: The algorithms that the caller allows for it. Asymmetric ones among them are passed over.
    /// - Throws: ``JSONWebSignatureError``; ``JSONWebSignatureError/algorithmNotAllowed`` also if the secret is too short
    ///   for the algorithm.
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

    /// The claims of a token whose signature was just found to hold.
    private func believed() throws(JSONWebSignatureError) -> VerifiedPayload {
        do {
            let limits = JSONLimits(maximumBytes: Self.longestToken)
            return VerifiedPayload(
                algorithm: algorithm, type: type, claims: try JSONParser.object(payload, limits: limits))
        } catch {
            throw .payload(error)
        }
    }

    /// Algorithms for an error's text, in one order whatever the set's.
    private static func names(_ algorithms: Set<JSONWebAlgorithm>) -> String {
        algorithms.isEmpty ? "none" : algorithms.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
