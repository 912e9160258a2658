// SPDX-License-Identifier: Apache-2.0

/// A private key that signs compact JWS tokens with one algorithm.
///
/// An RSA signature takes more than a millisecond and should not be made on an event loop.
package struct SigningKey: Sendable, Unprinted {
    /// The algorithm of every signature.
    package let algorithm: JSONWebAlgorithm

    /// The thumbprint of the public key (RFC 7638, SHA-256, base64url).
    package let keyID: String

    /// The public key as a JWK with `kid`, `alg` and `use`.
    package let publicJWK: JSONObject

    private let material: PrivateKeyMaterial

    /// The encoded header of ``signToken(_:)``.
    private let tokenHeader: String

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
        let header = Self.header(algorithm, type: "JWT", keyID: thumbprint)
        tokenHeader = Base64URL.encode(header.serialized())
    }

    /// Generates a key. RSA keys have 2048 bits and are slow to generate.
    package static func generate(_ algorithm: JSONWebAlgorithm) throws -> SigningKey {
        try SigningKey(PrivateKeyMaterial.generate(for: algorithm), algorithm: algorithm)
    }

    /// Reads a P-256 private key for ``JSONWebAlgorithm/es256``.
    ///
    /// - Parameter pem: Unencrypted PEM: PKCS#8 or SEC 1. Other blocks before the key are skipped.
    /// - Throws: ``SigningKeyError``.
    package init(pem: String) throws(SigningKeyError) {
        try self.init(pem: pem, algorithm: .es256)
    }

    /// Reads a private key for one algorithm.
    ///
    /// - Parameters:
    ///   - pem: Unencrypted PEM: PKCS#8, SEC 1 (elliptic curves) or PKCS#1 (RSA). Other blocks before the key are
    ///     skipped.
    ///   - algorithm: The algorithm of every signature. The key must be of its kind: RSA with 2048 to 8192 bits for RS
    ///     and PS; P-256, P-384 and P-521 for ES256, ES384 and ES512; Ed25519 for EdDSA and Ed25519.
    /// - Throws: ``SigningKeyError``.
    package init(pem: String, algorithm: JSONWebAlgorithm) throws(SigningKeyError) {
        let material = try PrivateKeyMaterial(PEMPrivateKey(pem), for: algorithm)
        do {
            self = try SigningKey(material, algorithm: algorithm)
        } catch {
            throw .unusable
        }
    }

    /// Creates a P-256 key for ``JSONWebAlgorithm/es256`` from its private scalar.
    ///
    /// - Parameter scalar: 32 bytes, most significant first; from 1 to the order of the curve, exclusive.
    /// - Throws: ``SigningKeyError/notP256`` for other bytes.
    package init(p256Scalar scalar: [UInt8]) throws(SigningKeyError) {
        do {
            self = try SigningKey(PrivateKeyMaterial.ofP256(scalar: scalar), algorithm: .es256)
        } catch {
            throw .notP256
        }
    }

    /// The default algorithm for the kind of a private key: RS256, ES256, ES384, ES512 or EdDSA.
    ///
    /// - Throws: ``SigningKeyError`` if the text contains no key, or one of an unsupported kind.
    package static func defaultAlgorithm(pem: String) throws(SigningKeyError) -> JSONWebAlgorithm {
        switch try PEMPrivateKey(pem).kind {
        case .rsa: return .rs256
        case .p256: return .es256
        case .p384: return .es384
        case .p521: return .es512
        case .ed25519: return .eddsa
        case .x25519, nil: throw .unsupportedKeyType
        }
    }

    /// Whether a signature takes too long for an event loop: an RSA signature does.
    package var isSlow: Bool { algorithm != .es256 }

    /// Signs claims.
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - type: The header's `typ`.
    ///   - header: Additional header members, which replace existing ones, so that tests can make invalid headers.
    /// - Returns: The compact JWS.
    package func sign(_ claims: JSONObject, type: String? = nil, header: JSONObject = [:]) throws -> String {
        var fullHeader = Self.header(algorithm, type: type, keyID: keyID)
        for member in header.members {
            fullHeader[member.name] = member.value
        }
        return try sign(header: fullHeader, payload: claims.serialized())
    }

    private static func header(_ algorithm: JSONWebAlgorithm, type: String?, keyID: String) -> JSONObject {
        var header: JSONObject = ["alg": .string(algorithm.rawValue)]
        if let type {
            header["typ"] = .string(type)
        }
        header["kid"] = .string(keyID)
        return header
    }

    /// Signs bytes under exactly this header. The signature is made with ``algorithm``, whatever the header says.
    ///
    /// - Returns: The compact JWS.
    package func sign(header: JSONObject, payload: [UInt8]) throws -> String {
        try sign(encodedHeader: Base64URL.encode(header.serialized()), payload: payload)
    }

    /// Signs claims under a header with `alg`, `typ` (`JWT`) and `kid`, which is encoded only once.
    ///
    /// - Returns: The compact JWS.
    package func signToken(_ claims: JSONObjectText) throws -> String {
        try sign(encodedHeader: tokenHeader, payload: claims.bytes)
    }

    private func sign(encodedHeader: String, payload: [UInt8]) throws -> String {
        var token = encodedHeader
        // The capacity suffices for the payload and an ES256 signature.
        token.reserveCapacity(encodedHeader.utf8.count + payload.count * 4 / 3 + 90)
        token += "."
        token += Base64URL.encode(payload)
        let signature = try signature(over: Array(token.utf8))
        token += "."
        token += Base64URL.encode(signature)
        return token
    }

    /// The bare signature over bytes.
    package func signature(over bytes: [UInt8]) throws -> [UInt8] {
        try material.signature(over: bytes, algorithm: algorithm)
    }

    package var description: String { "SigningKey(\(algorithm.rawValue), \(keyID))" }
}
