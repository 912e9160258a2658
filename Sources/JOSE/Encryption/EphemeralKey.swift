// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The sender's public key in a key agreement: the header's `epk` (RFC 7518 section 4.6.1.1).
///
/// The library refuses a point that is not on the curve, which prevents invalid-curve attacks on the private key.
enum EphemeralKey: Sendable {
    case p256(P256.KeyAgreement.PublicKey)
    case p384(P384.KeyAgreement.PublicKey)
    case p521(P521.KeyAgreement.PublicKey)
    case x25519(Curve25519.KeyAgreement.PublicKey)

    /// Reads a JWK: `kty` must be EC or OKP, `crv` known, the coordinates of full length, and no member private.
    init(jwk: JSONObject) throws(VerificationKeyError) {
        if jwk["kty"] == "OKP", jwk.present("d") == nil {
            guard jwk["crv"] == "X25519" else { throw .unsupportedCurve }
            guard let bytes = jwk["x"]?.text.flatMap({ Base64URL.decode($0) }), bytes.count == 32 else {
                throw .invalidEncoding
            }
            guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes) else { throw .invalidKey }
            self = .x25519(key)
            return
        }
        guard jwk["kty"] == "EC", jwk.present("d") == nil else { throw .unsupportedKeyType }
        if jwk["crv"] == "P-256" {
            let point = try PublicKeyMaterial.uncompressedPoint(jwk, coordinateByteCount: 32)
            guard let key = try? P256.KeyAgreement.PublicKey(x963Representation: point) else { throw .invalidKey }
            self = .p256(key)
        } else if jwk["crv"] == "P-384" {
            let point = try PublicKeyMaterial.uncompressedPoint(jwk, coordinateByteCount: 48)
            guard let key = try? P384.KeyAgreement.PublicKey(x963Representation: point) else { throw .invalidKey }
            self = .p384(key)
        } else if jwk["crv"] == "P-521" {
            let point = try PublicKeyMaterial.uncompressedPoint(jwk, coordinateByteCount: 66)
            guard let key = try? P521.KeyAgreement.PublicKey(x963Representation: point) else { throw .invalidKey }
            self = .p521(key)
        } else {
            throw .unsupportedCurve
        }
    }

    /// Performs a key agreement with this recipient's public key and a newly generated key pair.
    ///
    /// - Returns: The shared secret, and the new public key as the header's `epk`.
    func agreeWithNewKey() throws -> (sharedSecret: [UInt8], publicJWK: JSONObject) {
        let key: DecryptionKeyMaterial =
            switch self {
            case .p256: .p256(P256.KeyAgreement.PrivateKey())
            case .p384: .p384(P384.KeyAgreement.PrivateKey())
            case .p521: .p521(P521.KeyAgreement.PrivateKey())
            case .x25519: .x25519(Curve25519.KeyAgreement.PrivateKey())
            }
        guard let secret = key.sharedSecret(with: self) else { throw VerificationKeyError.invalidKey }
        return (secret, key.publicMembers)
    }
}
