// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// A parsed public key. Its case determines the family of algorithms that it serves, whatever a token's header says.
enum PublicKeyMaterial: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)

    /// Reads the members that RFC 7518 section 6 and RFC 8037 section 2 define for a public key, and ignores private
    /// ones.
    init(jwk: JSONObject) throws(VerificationKeyError) {
        switch jwk["kty"]?.text {
        case "RSA": self = try Self.rsa(jwk)
        case "EC": self = try Self.ellipticCurve(jwk)
        case "OKP": self = try Self.octetKeyPair(jwk)
        case "oct": throw .symmetricKey
        default: throw .unsupportedKeyType
        }
    }

    /// Whether this kind of key serves `algorithm`. A public key never serves a symmetric algorithm.
    func fits(_ algorithm: JSONWebAlgorithm) -> Bool {
        switch (self, algorithm) {
        case (.rsa, .rs256), (.rsa, .rs384), (.rsa, .rs512): true
        case (.rsa, .ps256), (.rsa, .ps384), (.rsa, .ps512): true
        case (.p256, .es256), (.p384, .es384), (.p521, .es512): true
        case (.ed25519, .eddsa), (.ed25519, .ed25519): true
        default: false
        }
    }

    private static func rsa(_ jwk: JSONObject) throws(VerificationKeyError) -> PublicKeyMaterial {
        let modulus = try unsignedInteger(jwk["n"])
        let exponent = try unsignedInteger(jwk["e"])
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard (2048...8192).contains(bits) else { throw .unsupportedKeySize }
        guard let lowest = modulus.last, lowest & 1 == 1 else { throw .evenModulus }
        guard exponent.count <= 4, let lowest = exponent.last, lowest & 1 == 1, exponent != [1] else {
            throw .unsupportedExponent
        }
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { throw .invalidKey }
        return .rsa(key)
    }

    private static func ellipticCurve(_ jwk: JSONObject) throws(VerificationKeyError) -> PublicKeyMaterial {
        switch jwk["crv"]?.text {
        case "P-256":
            let point = try uncompressedPoint(jwk, coordinateByteCount: 32)
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { throw .invalidKey }
            return .p256(key)
        case "P-384":
            let point = try uncompressedPoint(jwk, coordinateByteCount: 48)
            guard let key = try? P384.Signing.PublicKey(x963Representation: point) else { throw .invalidKey }
            return .p384(key)
        case "P-521":
            let point = try uncompressedPoint(jwk, coordinateByteCount: 66)
            guard let key = try? P521.Signing.PublicKey(x963Representation: point) else { throw .invalidKey }
            return .p521(key)
        default:
            throw .unsupportedCurve
        }
    }

    private static func octetKeyPair(_ jwk: JSONObject) throws(VerificationKeyError) -> PublicKeyMaterial {
        guard jwk["crv"]?.text == "Ed25519" else { throw .unsupportedCurve }
        let bytes = try octets(jwk["x"], count: 32)
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { throw .invalidKey }
        return .ed25519(key)
    }

    /// The uncompressed point (SEC 1 section 2.3.3). The coordinates have full length, with leading zeros (RFC 7518
    /// section 6.2.1.2).
    static func uncompressedPoint(
        _ jwk: JSONObject, coordinateByteCount: Int
    ) throws(VerificationKeyError) -> [UInt8] {
        let x = try octets(jwk["x"], count: coordinateByteCount)
        let y = try octets(jwk["y"], count: coordinateByteCount)
        return [0x04] + x + y
    }

    private static func octets(_ value: JSONValue?, count: Int) throws(VerificationKeyError) -> [UInt8] {
        guard let text = value?.text, let bytes = Base64URL.decode(text), bytes.count == count else {
            throw .invalidEncoding
        }
        return bytes
    }

    /// A big-endian integer, without leading zeros. RFC 7518 section 6.3.1.1 notes that some issuers add one; it does
    /// not change the value, and neither does padding, which NetIQ writes.
    static func unsignedInteger(_ value: JSONValue?) throws(VerificationKeyError) -> [UInt8] {
        guard let text = value?.text else { throw .invalidEncoding }
        var digits = text.utf8[...]
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard let bytes = Base64URL.decode(digits), !bytes.isEmpty else { throw .invalidEncoding }
        return Array(bytes.drop { $0 == 0 })
    }
}
