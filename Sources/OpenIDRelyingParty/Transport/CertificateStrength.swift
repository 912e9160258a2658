// SPDX-License-Identifier: Apache-2.0

import NIOSSL

/// Whether a server's own certificate is signed and keyed as strongly as browsers ask for: no SHA-1, no RSA key below
/// 2048 bits (CA/Browser Forum Baseline Requirements, sections 6.1.5 and 7.1.3.2). BoringSSL takes both.
///
/// Only the leaf is validated: a root is trusted for what it is, not for its signature. What is unknown or cannot be read
/// is too weak.
enum CertificateStrength {
    /// 1.2.840.113549.1.1: PKCS #1 (RFC 8017 appendix A.2).
    private static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    /// 1.2.840.10045.4.3: ECDSA with SHA-2 (RFC 5758 section 3.2).
    private static let ecdsaWithSHA2: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    /// 1.2.840.10045.2.1: an elliptic curve's key (RFC 5480 section 2.1.1).
    private static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.3.101.112 (RFC 8410 section 3).
    private static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
    /// 2.16.840.1.101.3.4.2: NIST's hash functions, of which 1 to 3 are SHA-256, -384 and -512.
    private static let hashes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
    private static let minimumRSABits = 2048

    /// Whether this certificate may be a provider's.
    static func isSufficient(_ certificate: NIOSSLCertificate) -> Bool {
        guard let bytes = try? certificate.toDERBytes() else { return false }
        return isSufficient(der: bytes)
    }

    /// The same for a certificate as DER bytes (RFC 5280 section 4.1).
    static func isSufficient(der: [UInt8]) -> Bool {
        var outer = DERReader(der[...])
        guard var certificate = outer.open(.sequence), outer.isAtEnd,
            var signed = certificate.open(.sequence),
            var algorithm = certificate.open(.sequence), isSufficient(signature: &algorithm),
            certificate.read(.bitString) != nil, certificate.isAtEnd
        else { return false }
        if signed.isNext(.explicit0) { _ = signed.read(.explicit0) }
        guard signed.read(.integer) != nil else { return false }
        // signature, issuer, validity, subject
        for _ in 1...4 { guard signed.read(.sequence) != nil else { return false } }
        guard var key = signed.open(.sequence) else { return false }
        return isSufficient(key: &key)
    }

    private static func isSufficient(signature algorithm: inout DERReader) -> Bool {
        guard let identifier = algorithm.read(.objectIdentifier) else { return false }
        if identifier.elementsEqual(ed25519) { return true }
        guard let last = identifier.last else { return false }
        let family = identifier.dropLast()
        if family.elementsEqual(ecdsaWithSHA2) { return (2...4).contains(last) }
        guard family.elementsEqual(pkcs1) else { return false }
        // sha256, sha384 and sha512WithRSAEncryption; RSASSA-PSS says in its parameters, and means SHA-1 without any.
        return (11...13).contains(last) || (last == 10 && isSufficient(probabilistic: &algorithm))
    }

    private static func isSufficient(probabilistic algorithm: inout DERReader) -> Bool {
        guard var parameters = algorithm.open(.sequence), var field = parameters.open(.explicit0),
            var hash = field.open(.sequence), let identifier = hash.read(.objectIdentifier), let last = identifier.last
        else { return false }
        return identifier.dropLast().elementsEqual(hashes) && (1...3).contains(last)
    }

    /// SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    private static func isSufficient(key: inout DERReader) -> Bool {
        guard var algorithm = key.open(.sequence), let identifier = algorithm.read(.objectIdentifier),
            let bits = key.read(.bitString), bits.first == 0
        else { return false }
        if identifier.elementsEqual(ellipticCurve) || identifier.elementsEqual(ed25519) { return true }
        // rsaEncryption, id-RSASSA-PSS
        guard identifier.dropLast().elementsEqual(pkcs1), identifier.last == 1 || identifier.last == 10 else {
            return false
        }
        var content = DERReader(bits.dropFirst())
        guard var numbers = content.open(.sequence), let modulus = numbers.read(.integer) else { return false }
        let digits = modulus.drop { $0 == 0 }
        guard let first = digits.first else { return false }
        return digits.count * 8 - first.leadingZeroBitCount >= minimumRSABits
    }
}
