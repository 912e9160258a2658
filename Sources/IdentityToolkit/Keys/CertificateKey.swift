// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import JOSE
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A signing key as the X.509 library takes it. The private key stays in JOSE, which makes the signatures.
struct CertificateKey: CustomPrivateKey {
    private let key: SigningKey
    let publicKey: Certificate.PublicKey
    let defaultSignatureAlgorithm: Certificate.SignatureAlgorithm

    /// - Throws: ``CertificateKeyError`` for a key of another algorithm than ES256 and RS256, or an error of the
    ///   cryptographic library.
    init(_ key: SigningKey) throws {
        switch key.algorithm {
        case .es256:
            let x = try Self.member("x", of: key)
            let y = try Self.member("y", of: key)
            // The uncompressed point (SEC 1 section 2.3.3).
            let point: [UInt8] = [0x04] + x + y
            publicKey = Certificate.PublicKey(try P256.Signing.PublicKey(x963Representation: point))
            defaultSignatureAlgorithm = .ecdsaWithSHA256
        case .rs256:
            let modulus = try Self.member("n", of: key)
            let exponent = try Self.member("e", of: key)
            publicKey = Certificate.PublicKey(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
            defaultSignatureAlgorithm = .sha256WithRSAEncryption
        default:
            throw CertificateKeyError.unsupportedAlgorithm
        }
        self.key = key
    }

    var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] { [defaultSignatureAlgorithm] }

    func signSynchronously(
        bytes: some DataProtocol, signatureAlgorithm: Certificate.SignatureAlgorithm
    ) throws -> Certificate.Signature {
        guard signatureAlgorithm == defaultSignatureAlgorithm else { throw CertificateKeyError.unsupportedAlgorithm }
        var signature = try key.signature(over: Array(bytes))
        if signatureAlgorithm == .ecdsaWithSHA256 {
            // A JWS has both numbers one behind the other (RFC 7518 section 3.4), a certificate has them in DER.
            let pair = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            signature = Array(pair.derRepresentation)
        }
        return try Certificate.Signature(
            signatureAlgorithm: signatureAlgorithm, signatureBytes: .init(bytes: signature[...]))
    }

    /// The bytes of a member of the public key.
    private static func member(_ name: String, of key: SigningKey) throws -> [UInt8] {
        guard let bytes = key.publicJWK[name]?.text.flatMap({ Base64URL.decode($0) }) else {
            throw CertificateKeyError.unsupportedAlgorithm
        }
        return bytes
    }
}

extension CertificateKey {
    static func == (left: CertificateKey, right: CertificateKey) -> Bool { left.publicKey == right.publicKey }

    func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }
}

// The protocol demands that a private key can be written. This one cannot.
extension CertificateKey {
    static var defaultPEMDiscriminator: String { "PRIVATE KEY" }

    func serialize(into coder: inout DER.Serializer) throws { throw CertificateKeyError.notExportable }
}

/// Why a signing key does not serve a certificate.
enum CertificateKeyError: Error, Sendable, Hashable {
    /// There is no certificate for keys of this kind, or no signature by this algorithm.
    case unsupportedAlgorithm
    /// The private key is not given away.
    case notExportable
}
