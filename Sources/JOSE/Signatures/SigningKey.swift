// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A private key that signs compact JWS tokens with one algorithm.
///
/// RSA takes more than a millisecond a signature: not on an event loop.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The algorithm of every signature.
    package let algorithm: JSONWebAlgorithm

    /// The public key's thumbprint (RFC 7638, SHA-256, base64url).
    package let keyID: String

    /// The public key as a JWK with `kid`, `alg` and `use`.
    package let publicJWK: JSONObject

    private let material: PrivateKeyMaterial

    private init(_ material: PrivateKeyMaterial, algorithm: JSONWebAlgorithm) throws {
        var jwk = try material.publicMembers()
        guard let thumbprint = JSONWebKeyThumbprint.sha256(of: jwk) else { throw SigningKeyError.unusable }
        jwk["kid"] = .string(thumbprint)
        jwk["alg"] = .string(algorithm.rawValue)
        jwk["use"] = "sig"
        self.algorithm = algorithm
        self.material = material
        keyID = thumbprint
        publicJWK = jwk
    }

    /// A new key. RSA keys have 2048 bits, and take about a tenth of a second to find.
    package static func generate(_ algorithm: JSONWebAlgorithm) throws -> SigningKey {
        try SigningKey(PrivateKeyMaterial.generate(for: algorithm), algorithm: algorithm)
    }

    /// Reads a P-256 private key for ``JSONWebAlgorithm/es256``.
    ///
    /// - Parameter pem: PKCS#8 or SEC 1, not encrypted. Blocks before the key are passed over.
    /// - Throws: ``SigningKeyError``.
    package init(pem: String) throws(SigningKeyError) {
        let block = try PEMPrivateKey(pem)
        // swift-crypto takes the scalar whatever curve the block names.
        guard block.namesP256, let key = try? P256.Signing.PrivateKey(derRepresentation: block.der) else {
            throw .notP256
        }
        do {
            self = try SigningKey(.p256(key), algorithm: .es256)
        } catch {
            throw .unusable
        }
    }

    /// Signs claims.
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - type: The header's `typ`.
    ///   - header: Further header members; one that is there already is replaced, so that tests can lie.
    /// - Returns: The compact JWS.
    package func sign(_ claims: JSONObject, type: String? = nil, header: JSONObject = [:]) throws -> String {
        var fullHeader: JSONObject = ["alg": .string(algorithm.rawValue)]
        if let type {
            fullHeader["typ"] = .string(type)
        }
        fullHeader["kid"] = .string(keyID)
        for (name, value) in header.members {
            fullHeader[name] = value
        }
        return try sign(header: fullHeader, payload: claims.serialized())
    }

    /// Signs bytes under exactly this header; the signature is by ``algorithm`` whatever the header says.
    ///
    /// - Returns: The compact JWS.
    package func sign(header: JSONObject, payload: [UInt8]) throws -> String {
        let signingInput = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(payload)
        let signature = try signature(over: Array(signingInput.utf8))
        return signingInput + "." + Base64URL.encode(signature)
    }

    /// The bare signature over bytes.
    package func signature(over bytes: [UInt8]) throws -> [UInt8] {
        try material.signature(over: bytes, algorithm: algorithm)
    }

    package var description: String { "SigningKey(\(algorithm.rawValue), \(keyID))" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
