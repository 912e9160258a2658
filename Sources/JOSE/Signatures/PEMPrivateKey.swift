// SPDX-License-Identifier: Apache-2.0

/// The first private key block of a PEM text (RFC 7468).
///
/// Other blocks are skipped: `openssl ecparam -genkey` writes one with the name of the curve before the key.
///
/// Both swift-crypto and SwiftASN1 read PEM too, but refuse indented text, base64 in one line and a block before the key;
/// SwiftASN1 brings Foundation, and skips what is not base64.
struct PEMPrivateKey {
    /// The kind of a key, by the identifier in its block.
    enum Kind: Sendable {
        case rsa
        case p256
        case p384
        case p521
        case ed25519
        case x25519
    }

    /// The key's DER bytes: PKCS#8 (RFC 5958), SEC 1 (RFC 5915) or PKCS#1 (RFC 8017 appendix A.1.2).
    let der: [UInt8]

    /// The kind that the block names; `nil` if it names none that is supported.
    ///
    /// swift-crypto accepts a scalar whatever curve its block names, so the curve is checked first. SEC 1 allows
    /// omitting the name of the curve; such a key has no kind.
    let kind: Kind?

    /// The object identifiers as DER (RFC 5480 section 2.1.1.1, RFC 8410 section 3, RFC 8017 appendix A.1).
    private static let curves: [(kind: Kind, identifier: [UInt8])] = [
        (.p256, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]),
        (.p384, [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]),
        (.p521, [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]),
    ]
    private static let ed25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]
    private static let x25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x6E]
    private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    init(_ text: String) throws(SigningKeyError) {
        for block in PEMBlocks.split(text) {
            let lines = block.split(separator: "\n")
            switch lines.first {
            case "-----BEGIN PRIVATE KEY-----", "-----BEGIN EC PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----":
                break
            case "-----BEGIN ENCRYPTED PRIVATE KEY-----": throw .encrypted
            default: continue
            }
            if lines.contains(where: { $0.hasPrefix("Proc-Type:") }) { throw .encrypted }
            let label = block.dropFirst("-----BEGIN ".count).prefix { $0 != "-" }
            guard lines.last == "-----END \(label)-----",
                let der = Base64.decode(lines.dropFirst().dropLast().joined()), !der.isEmpty
            else { throw .notPEM }
            self.der = der
            kind = label == "RSA PRIVATE KEY" ? .rsa : Self.kind(of: der)
            return
        }
        throw .notPEM
    }

    /// In SEC 1 the name of the curve may follow the bytes of the key; in PKCS#8 it is in the first bytes.
    private static func kind(of der: [UInt8]) -> Kind? {
        if let curve = curves.first(where: { contains($0.identifier, in: der[...]) }) {
            return curve.kind
        }
        let start = der.prefix(32)
        if contains(ed25519, in: start) {
            return .ed25519
        }
        if contains(x25519, in: start) {
            return .x25519
        }
        return contains(rsa, in: start) ? .rsa : nil
    }

    private static func contains(_ identifier: [UInt8], in der: ArraySlice<UInt8>) -> Bool {
        der.indices.contains { der[$0...].starts(with: identifier) }
    }
}
