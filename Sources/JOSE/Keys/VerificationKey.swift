// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// A public key that verifies signatures, parsed from a JWK (RFC 7517).
package struct VerificationKey: Sendable {
    /// The maximum length of a `kid`, in bytes.
    package static let longestKeyID = 1024

    /// The `kid`, an opaque text; `nil` if the JWK has none.
    package let keyID: WireText?

    /// The only algorithm that the JWK allows; `nil` if it leaves the algorithm to the type of the key.
    package let algorithm: JSONWebAlgorithm?

    private let material: PublicKeyMaterial

    /// Parses a JWK.
    ///
    /// RSA (2048 to 8192 bits), P-256, P-384, P-521 and Ed25519 are supported. Private members are ignored (a
    /// ``KeySet`` leaves out a key that has any); members that restrict the key (`use`, `key_ops`, `alg`) are obeyed.
    ///
    /// - Throws: ``VerificationKeyError``.
    package init(jwk: JSONObject) throws(VerificationKeyError) {
        if let use = jwk.present("use"), use != "sig" {
            throw .notForVerification
        }
        if let operations = jwk["key_ops"], operations != .null {
            guard let names = operations.arrayValue, names.contains("verify") else { throw .notForVerification }
        }
        keyID = try Self.keyID(of: jwk)
        material = try PublicKeyMaterial(jwk: jwk)
        algorithm = try Self.algorithm(of: jwk, fitting: material)
    }

    /// Whether this key verifies signatures by `algorithm`: its type and curve fit, and its JWK does not name another
    /// one.
    package func supports(_ algorithm: JSONWebAlgorithm) -> Bool {
        material.fits(algorithm) && (self.algorithm ?? algorithm).isSame(as: algorithm)
    }

    /// Whether `signature` was made over `signingInput` with the private half of this key.
    ///
    /// - Parameters:
    ///   - signature: The bytes that RFC 7518 section 3 defines; for ECDSA, `r` and `s`, each as long as the order of the curve.
    ///   - signingInput: The signed bytes.
    ///   - algorithm: The algorithm. The result is `false` if this key does not support it.
    package func isValid(
        signature: [UInt8], for signingInput: ArraySlice<UInt8>, algorithm: JSONWebAlgorithm
    ) -> Bool {
        guard supports(algorithm) else { return false }
        switch material {
        case .rsa(let key):
            return Self.isValid(signature, for: signingInput, algorithm: algorithm, key: key)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Hash.digest(signingInput, SHA256.self))
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Hash.digest(signingInput, SHA384.self))
        case .p521(let key):
            guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Hash.digest(signingInput, SHA512.self))
        case .ed25519(let key):
            return signature.count == 64 && key.isValidSignature(signature, for: signingInput)
        }
    }

    /// Whether `signature` was made over `signingInput` with the private half of this key.
    package func isValid(signature: [UInt8], for signingInput: [UInt8], algorithm: JSONWebAlgorithm) -> Bool {
        isValid(signature: signature, for: signingInput[...], algorithm: algorithm)
    }

    private static func isValid(
        _ signature: [UInt8], for signingInput: ArraySlice<UInt8>, algorithm: JSONWebAlgorithm,
        key: _RSA.Signing.PublicKey
    ) -> Bool {
        // RFC 8017 section 8.2.2 step 1, checked here rather than left to the library.
        guard signature.count == (key.keySizeInBits + 7) / 8 else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        switch algorithm {
        case .rs256:
            let digest = Hash.digest(signingInput, SHA256.self)
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        case .rs384:
            let digest = Hash.digest(signingInput, SHA384.self)
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        case .rs512:
            let digest = Hash.digest(signingInput, SHA512.self)
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        case .ps256:
            return key.isValidSignature(signature, for: Hash.digest(signingInput, SHA256.self), padding: .PSS)
        case .ps384:
            return key.isValidSignature(signature, for: Hash.digest(signingInput, SHA384.self), padding: .PSS)
        case .ps512:
            return key.isValidSignature(signature, for: Hash.digest(signingInput, SHA512.self), padding: .PSS)
        case .es256, .es384, .es512, .eddsa, .ed25519, .hs256, .hs384, .hs512:
            return false
        }
    }

    private static func keyID(of jwk: JSONObject) throws(VerificationKeyError) -> WireText? {
        guard let member = jwk["kid"] else { return nil }
        guard let keyID = member.text, keyID.utf8.count <= longestKeyID else { throw .invalidKeyID }
        return keyID
    }

    private static func algorithm(
        of jwk: JSONObject, fitting material: PublicKeyMaterial
    ) throws(VerificationKeyError) -> JSONWebAlgorithm? {
        guard let member = jwk["alg"] else { return nil }
        guard let name = member.text, let algorithm = JSONWebAlgorithm(wire: name),
            material.fits(algorithm)
        else { throw .unsupportedAlgorithm }
        return algorithm
    }
}
