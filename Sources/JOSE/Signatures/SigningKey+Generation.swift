// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

extension SigningKey {
    /// Generates a private key as the text of a file. RSA keys have 2048 bits and are slow to generate.
    ///
    /// - Parameter algorithm: ES256, ES384, ES512 or RS256.
    /// - Returns: Unencrypted PEM with PKCS#8 (RFC 5958) and a line break at its end.
    /// - Throws: ``SigningKeyError/unsupportedKeyType`` for another algorithm, and errors of the library.
    package static func generatePEM(_ algorithm: JSONWebAlgorithm) throws -> String {
        let text: String
        switch algorithm {
        case .es256: text = P256.Signing.PrivateKey().pemRepresentation
        case .es384: text = P384.Signing.PrivateKey().pemRepresentation
        case .es512: text = P521.Signing.PrivateKey().pemRepresentation
        case .rs256: text = try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
        default: throw SigningKeyError.unsupportedKeyType
        }
        return text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
    }

    /// The size of the key in bits: that of the modulus of an RSA key, and that of the curve's field otherwise.
    package var bitCount: Int {
        switch algorithm {
        case .es256, .eddsa, .ed25519: return 256
        case .es384: return 384
        case .es512: return 521
        default:
            guard let modulus = try? PublicKeyMaterial.unsignedInteger(publicJWK["n"]) else { return 0 }
            return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        }
    }
}
