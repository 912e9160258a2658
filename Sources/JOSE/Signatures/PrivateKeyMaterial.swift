// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// A private key of one of the kinds that ``PublicKeyMaterial`` verifies.
enum PrivateKeyMaterial: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)

    /// Generates a key of the kind that `algorithm` signs with. RSA keys have 2048 bits.
    static func generate(for algorithm: JSONWebAlgorithm) throws -> PrivateKeyMaterial {
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        case .es256: .p256(P256.Signing.PrivateKey())
        case .es384: .p384(P384.Signing.PrivateKey())
        case .es512: .p521(P521.Signing.PrivateKey())
        case .eddsa, .ed25519: .ed25519(Curve25519.Signing.PrivateKey())
        case .hs256, .hs384, .hs512: throw SigningKeyError.symmetricAlgorithm
        }
    }

    /// Reads the private scalar of a P-256 key.
    static func ofP256(scalar: [UInt8]) throws -> PrivateKeyMaterial {
        .p256(try P256.Signing.PrivateKey(rawRepresentation: scalar))
    }

    /// The members of the public key that RFC 7518 section 6 and RFC 8037 section 2 require.
    func publicMembers() throws -> JSONObject {
        switch self {
        case .rsa(let key):
            let primitives = try key.publicKey.getKeyPrimitives()
            return Self.rsa(modulus: primitives.modulus, exponent: primitives.publicExponent)
        case .p256(let key):
            return Self.ellipticCurve("P-256", point: Array(key.publicKey.rawRepresentation))
        case .p384(let key):
            return Self.ellipticCurve("P-384", point: Array(key.publicKey.rawRepresentation))
        case .p521(let key):
            return Self.ellipticCurve("P-521", point: Array(key.publicKey.rawRepresentation))
        case .ed25519(let key):
            return [
                "kty": "OKP", "crv": "Ed25519",
                "x": .string(Base64URL.encode(key.publicKey.rawRepresentation)),
            ]
        }
    }

    /// The signature in the format that RFC 7518 section 3 and RFC 8037 section 3.1 define.
    ///
    /// - Throws: ``SigningKeyError/unusable`` if the key is not of the algorithm's kind, and errors of the library.
    func signature(over input: [UInt8], algorithm: JSONWebAlgorithm) throws -> [UInt8] {
        switch (self, algorithm) {
        case (.rsa(let key), .rs256):
            Array(try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .rs384):
            Array(try key.signature(for: SHA384.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .rs512):
            Array(try key.signature(for: SHA512.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .ps256):
            Array(try key.signature(for: SHA256.hash(data: input), padding: .PSS).rawRepresentation)
        case (.rsa(let key), .ps384):
            Array(try key.signature(for: SHA384.hash(data: input), padding: .PSS).rawRepresentation)
        case (.rsa(let key), .ps512):
            Array(try key.signature(for: SHA512.hash(data: input), padding: .PSS).rawRepresentation)
        case (.p256(let key), .es256):
            Array(try key.signature(for: SHA256.hash(data: input)).rawRepresentation)
        case (.p384(let key), .es384):
            Array(try key.signature(for: SHA384.hash(data: input)).rawRepresentation)
        case (.p521(let key), .es512):
            Array(try key.signature(for: SHA512.hash(data: input)).rawRepresentation)
        case (.ed25519(let key), .eddsa), (.ed25519(let key), .ed25519):
            Array(try key.signature(for: input))
        default:
            throw SigningKeyError.unusable
        }
    }

    /// The required members of an RSA public key.
    static func rsa(modulus: some Collection<UInt8>, exponent: some Collection<UInt8>) -> JSONObject {
        ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
    }

    /// The required members of an elliptic curve's public key.
    ///
    /// - Parameter point: Both coordinates, each as long as an element of the curve's field.
    static func ellipticCurve(_ curve: String, point: [UInt8]) -> JSONObject {
        let half = point.count / 2
        return [
            "kty": "EC", "crv": .string(curve),
            "x": .string(Base64URL.encode(point[..<half])),
            "y": .string(Base64URL.encode(point[half...])),
        ]
    }
}
