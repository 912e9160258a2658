// SPDX-License-Identifier: Apache-2.0

package import NIOSSL
import SwiftASN1

/// Decides whether a server's own certificate is as strong as browsers require: no SHA-1, and no RSA key below 2048
/// bits (CA/Browser Forum Baseline Requirements, sections 6.1.5 and 7.1.3.2). BoringSSL accepts both.
///
/// Only the leaf certificate is checked: a root is trusted by configuration, not by its signature. An algorithm that is
/// unknown or cannot be parsed counts as too weak.
package enum CertificateStrength {
    private typealias Algorithm = ASN1ObjectIdentifier.AlgorithmIdentifier

    /// Ed25519 (RFC 8410 section 3).
    private static let ed25519: ASN1ObjectIdentifier = [1, 3, 101, 112]
    /// The signatures whose hash is named by their identifier: of PKCS #1 (RFC 8017 appendix A.2), of ECDSA (RFC 5758
    /// section 3.2), and Ed25519.
    private static let signatures: Set<ASN1ObjectIdentifier> = [
        Algorithm.sha256WithRSAEncryption, Algorithm.sha384WithRSAEncryption, Algorithm.sha512WithRSAEncryption,
        [1, 2, 840, 10_045, 4, 3, 2], [1, 2, 840, 10_045, 4, 3, 3], [1, 2, 840, 10_045, 4, 3, 4], ed25519,
    ]
    /// NIST's SHA-256, SHA-384 and SHA-512.
    private static let hashes: Set<ASN1ObjectIdentifier> = [
        [2, 16, 840, 1, 101, 3, 4, 2, 1], [2, 16, 840, 1, 101, 3, 4, 2, 2], [2, 16, 840, 1, 101, 3, 4, 2, 3],
    ]
    private static let minimumRSABits = 2048

    /// Whether this certificate is strong enough for a provider.
    package static func isSufficient(_ certificate: NIOSSLCertificate) -> Bool {
        guard let bytes = try? certificate.toDERBytes() else { return false }
        return isSufficient(der: bytes)
    }

    /// Whether a DER-encoded certificate is strong enough for a provider (RFC 5280 section 4.1).
    static func isSufficient(der: [UInt8]) -> Bool {
        let verdict = try? DER.sequence(DER.parse(der), identifier: .sequence) { certificate in
            guard let signed = certificate.next(), let algorithm = certificate.next() else { return false }
            _ = try ASN1BitString(derEncoded: &certificate)
            return try isSufficient(signature: algorithm) && isSufficient(signed: signed)
        }
        return verdict ?? false
    }

    private static func isSufficient(signature node: ASN1Node) throws -> Bool {
        let (identifier, parameters) = try algorithm(node)
        guard identifier == Algorithm.rsaPSS else { return signatures.contains(identifier) }
        // RSASSA-PSS names its hash in its parameters; without any it is SHA-1.
        guard let parameters else { return false }
        let hash = try DER.sequence(parameters, identifier: .sequence) { fields in
            defer { while fields.next() != nil {} }
            return try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific, algorithm)
        }
        return hash.map { hashes.contains($0.identifier) } ?? false
    }

    /// Whether the key of a TBSCertificate is strong enough.
    private static func isSufficient(signed node: ASN1Node) throws -> Bool {
        try DER.sequence(node, identifier: .sequence) { fields in
            defer { while fields.next() != nil {} }
            _ = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { $0 }
            guard fields.next()?.identifier == .integer else { return false }
            // The fields `signature`, `issuer`, `validity` and `subject`.
            for _ in 1...4 { guard fields.next()?.identifier == .sequence else { return false } }
            return try fields.next().map(isSufficient(key:)) ?? false
        }
    }

    /// Whether a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) is strong enough.
    private static func isSufficient(key node: ASN1Node) throws -> Bool {
        let (kind, bits) = try DER.sequence(node, identifier: .sequence) { fields in
            (try fields.next().map(algorithm)?.identifier, try ASN1BitString(derEncoded: &fields))
        }
        guard bits.paddingBits == 0 else { return false }
        if kind == Algorithm.idEcPublicKey || kind == ed25519 { return true }
        guard kind == Algorithm.rsaEncryption || kind == Algorithm.rsaPSS else { return false }
        return try DER.sequence(DER.parse(bits.bytes), identifier: .sequence) { numbers in
            defer { while numbers.next() != nil {} }
            let modulus = try ArraySlice<UInt8>(derEncoded: &numbers)
            return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) >= minimumRSABits
        }
    }

    /// Reads an AlgorithmIdentifier (RFC 5280 section 4.1.1.2).
    private static func algorithm(
        _ node: ASN1Node
    ) throws -> (identifier: ASN1ObjectIdentifier, parameters: ASN1Node?) {
        try DER.sequence(node, identifier: .sequence) { fields in
            (try ASN1ObjectIdentifier(derEncoded: &fields), fields.next())
        }
    }
}
