// SPDX-License-Identifier: Apache-2.0

package import NIOSSL

/// Decides whether a server's own certificate is as strong as browsers require: no SHA-1, and no RSA key below 2048
/// bits (CA/Browser Forum Baseline Requirements, sections 6.1.5 and 7.1.3.2). BoringSSL accepts both.
///
/// Only the leaf certificate is checked: a root is trusted by configuration, not by its signature. An algorithm that is
/// unknown or cannot be parsed counts as too weak.
package enum CertificateStrength {
    /// The object identifier 1.2.840.113549.1.1: PKCS #1 (RFC 8017 appendix A.2).
    private static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    /// The object identifier 1.2.840.10045.4.3: ECDSA with SHA-2 (RFC 5758 section 3.2).
    private static let ecdsaWithSHA2: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    /// The object identifier 1.2.840.10045.2.1: an elliptic curve key (RFC 5480 section 2.1.1).
    private static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// The object identifier 1.3.101.112: Ed25519 (RFC 8410 section 3).
    private static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
    /// The object identifier 2.16.840.1.101.3.4.2: NIST's hash functions, of which 1 to 3 are SHA-256, SHA-384 and
    /// SHA-512.
    private static let hashes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
    private static let minimumRSABits = 2048

    /// Whether this certificate is strong enough for a provider.
    package static func isSufficient(_ certificate: NIOSSLCertificate) -> Bool {
        guard let bytes = try? certificate.toDERBytes() else { return false }
        return isSufficient(der: bytes)
    }

    /// Whether a DER-encoded certificate is strong enough for a provider (RFC 5280 section 4.1).
    static func isSufficient(der: [UInt8]) -> Bool {
        var outer = DERReader(der[...])
        guard var certificate = outer.open(.sequence), outer.isAtEnd,
            var signed = certificate.open(.sequence),
            var algorithm = certificate.open(.sequence), isSufficient(signature: &algorithm),
            certificate.read(.bitString) != nil, certificate.isAtEnd
        else { return false }
        if signed.isNext(.explicit0) { _ = signed.read(.explicit0) }
        guard signed.read(.integer) != nil else { return false }
        // The fields `signature`, `issuer`, `validity` and `subject`.
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
        // sha256WithRSAEncryption, sha384WithRSAEncryption and sha512WithRSAEncryption. RSASSA-PSS names its hash in
        // its parameters; without any it is SHA-1.
        return (11...13).contains(last) || (last == 10 && isSufficient(probabilistic: &algorithm))
    }

    private static func isSufficient(probabilistic algorithm: inout DERReader) -> Bool {
        guard var parameters = algorithm.open(.sequence), var field = parameters.open(.explicit0),
            var hash = field.open(.sequence), let identifier = hash.read(.objectIdentifier), let last = identifier.last
        else { return false }
        return identifier.dropLast().elementsEqual(hashes) && (1...3).contains(last)
    }

    /// Whether a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) is strong enough.
    private static func isSufficient(key: inout DERReader) -> Bool {
        guard var algorithm = key.open(.sequence), let identifier = algorithm.read(.objectIdentifier),
            let bits = key.read(.bitString), bits.first == 0
        else { return false }
        if identifier.elementsEqual(ellipticCurve) || identifier.elementsEqual(ed25519) { return true }
        // rsaEncryption and id-RSASSA-PSS.
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
