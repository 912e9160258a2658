// SPDX-License-Identifier: Apache-2.0

import JOSE
import Signing
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The public keys of account tokens as a JSON object `{kid: PEM}`, for verifiers that know certificates and no JWK
/// sets.
///
/// The certificates are self-signed and prove nothing: a verifier takes the public key out of one because of where it
/// read the map. All their fields are fixed or follow from the key, so that the replicas of a server publish the same
/// ones; only an ECDSA signature differs each time. Making one takes a signature, with RSA more than a millisecond.
struct CertificateMap: Sendable {
    /// 2020-01-01T00:00:00Z, in seconds since 1970. A verifier may check the period, whose ends must not depend on when
    /// the server was started.
    static let notValidBefore: Int64 = 1_577_836_800
    /// 2060-01-01T00:00:00Z, in seconds since 1970.
    static let notValidAfter: Int64 = 2_840_140_800
    /// The length of a serial number, in bytes (RFC 5280 section 4.1.2.2 allows 20).
    private static let serialNumberByteCount = 16

    /// The JSON text, the newest key first.
    let json: [UInt8]

    /// Makes the certificates of the keys.
    /// - Throws: ``CertificateKeyError``, or an error of the X.509 library.
    init(_ keys: SigningKeys) throws {
        var object = JSONObject()
        for key in keys.all {
            let pem = try Self.certificate(of: key).serializeAsPEM().pemString
            object[key.keyID] = .string("\(pem)\n")
        }
        json = object.serialized()
    }

    private static func certificate(of key: SigningKey) throws -> Certificate {
        let signer = try CertificateKey(key)
        // The issuer has the name of the key, so each issuer has one certificate, and its serial number may be fixed.
        let name = try DistinguishedName { CommonName(key.keyID) }
        // The first byte makes the number positive and its length the same for all keys.
        let serialNumber: [UInt8] = [1] + Hash.sha256(key.keyID.utf8).prefix(serialNumberByteCount - 1)
        let extensions = try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) }
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(bytes: serialNumber),
            publicKey: signer.publicKey,
            notValidBefore: Date(timeIntervalSince1970: Double(notValidBefore)),
            notValidAfter: Date(timeIntervalSince1970: Double(notValidAfter)),
            issuer: name,
            subject: name,
            signatureAlgorithm: signer.defaultSignatureAlgorithm,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(signer))
    }
}
