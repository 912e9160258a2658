// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import OIDCBrokerTesting

/// The credentials of the broker at the provider, made once: keys, a certificate, and keys to decrypt with.
enum ClientProofs {
    /// Something that shows whether Basic is form-encoded first (RFC 6749 section 2.3.1), and long enough for HMAC with
    /// SHA-256 (RFC 7518 section 3.2).
    static let longSecret = "s3cr:t+/%41=&" + String(repeating: "0123456789abcdef", count: 2)

    private static let p256PEM = P256.Signing.PrivateKey().pemRepresentation
    private static let ed25519PEM = pem(ed25519: Curve25519.Signing.PrivateKey())
    private static let madeCertificate = Result { try DevelopmentCertificate.makeForClient(name: "broker.example") }

    /// The private key that signs client assertions by an algorithm, PEM.
    static func signingKeyPEM(_ algorithm: JSONWebAlgorithm) throws -> String {
        switch algorithm {
        case .es256: p256PEM
        case .eddsa, .ed25519: ed25519PEM
        default: try SharedRSAKeys.pem(1)
        }
    }

    /// The public half as the provider knows it: the JSON text of a key set.
    static func keySet(_ algorithm: JSONWebAlgorithm) throws -> String {
        let key = try SigningKey(pem: signingKeyPEM(algorithm), algorithm: algorithm)
        let keySet: JSONObject = ["keys": [.object(key.publicJWK)]]
        return String(decoding: keySet.serialized(), as: UTF8.self)
    }

    /// The broker's certificate and its key.
    static func certificate() throws -> DevelopmentCertificate { try madeCertificate.get() }

    /// The private key that ID tokens are encrypted to, PEM: RSA for `RSA-OAEP-256`, P-256 for `ECDH-ES`.
    static func decryptionKeyPEM(_ keyManagement: String) throws -> String {
        try keyManagement == "ECDH-ES" ? p256PEM : SharedRSAKeys.pem(2)
    }

    /// RFC 8410 section 7: a fixed frame around the 32 bytes.
    private static func pem(ed25519 key: Curve25519.Signing.PrivateKey) -> String {
        let frame: [UInt8] = [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
        let body = Base64.encode(frame + Array(key.rawRepresentation))
        return "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    }
}
