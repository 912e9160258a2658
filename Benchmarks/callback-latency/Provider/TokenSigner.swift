// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A signer of ID tokens: RS256 with a fast but insecure key, ES256 with an ordinary one.
struct TokenSigner: Sendable {
    private enum Key: Sendable {
        case multiPrime(MultiPrimeRSAKey)
        case ordinary(SigningKey)
    }

    /// The key set for verifiers.
    let keySet: [UInt8]
    /// The encoded JOSE header with the dot after it.
    let encodedHeader: [UInt8]
    private let key: Key

    /// Generates a key.
    ///
    /// - Throws: An error if the key's first signature does not verify by the code that verifies real ones.
    init(_ algorithm: SignatureAlgorithm) throws {
        let jwk: JSONObject
        let keyID: String
        switch algorithm {
        case .rs256:
            let multiPrime = MultiPrimeRSAKey()
            keyID = "rs-1"
            jwk = multiPrime.publicJWK(keyID: keyID)
            key = .multiPrime(multiPrime)
        case .es256:
            let ordinary = try SigningKey.generate(.es256)
            keyID = ordinary.keyID
            jwk = ordinary.publicJWK
            key = .ordinary(ordinary)
        }
        let header: JSONObject = ["alg": .string(algorithm.rawValue), "kid": .string(keyID), "typ": "JWT"]
        encodedHeader = Array((Base64URL.encode(header.serialized()) + ".").utf8)
        let keys: JSONObject = ["keys": .array([.object(jwk)])]
        keySet = keys.serialized()
        try prove(jwk, algorithm)
    }

    /// Returns the signature of a token's first two segments.
    func signature(over input: [UInt8]) throws -> [UInt8] {
        switch key {
        case .multiPrime(let key): key.signature(ofDigest: Hash.sha256(input))
        case .ordinary(let key): try key.signature(over: input)
        }
    }

    private func prove(_ jwk: JSONObject, _ algorithm: SignatureAlgorithm) throws {
        let text = Array("what the provider signs".utf8)
        guard let name = JSONWebAlgorithm(rawValue: algorithm.rawValue) else {
            throw LatencyToolError("\(algorithm.rawValue) is not known")
        }
        let verifier = try VerificationKey(jwk: jwk)
        for round in 0..<8 {
            let input = text + [UInt8(round)]
            guard verifier.isValid(signature: try signature(over: input), for: input, algorithm: name) else {
                throw LatencyToolError("the provider's own \(algorithm.rawValue) signature does not verify")
            }
        }
    }
}
