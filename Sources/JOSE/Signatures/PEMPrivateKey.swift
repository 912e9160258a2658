// SPDX-License-Identifier: Apache-2.0

/// The first private key block of a PEM text (RFC 7468).
///
/// Other blocks are passed over: `openssl ecparam -genkey` writes one with the curve's name before the key.
struct PEMPrivateKey {
    /// The key's DER bytes: PKCS#8 (RFC 5958) or SEC 1 (RFC 5915).
    let der: [UInt8]

    /// The object identifier of P-256 in DER (RFC 5480 section 2.1.1.1).
    private static let p256Identifier: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    /// Whether the block names P-256 as its curve. SEC 1 may leave the name out; such a key is not taken for one.
    var namesP256: Bool {
        der.indices.contains { der[$0...].starts(with: Self.p256Identifier) }
    }

    init(_ text: String) throws(SigningKeyError) {
        var body: String?
        var endLabel = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if let content = body {
                if line == endLabel {
                    guard let der = Base64.decode(content), !der.isEmpty else { throw .notPEM }
                    self.der = der
                    return
                }
                if line.hasPrefix("Proc-Type:") {
                    throw .encrypted
                }
                body = content + line
                continue
            }
            switch line {
            case "-----BEGIN PRIVATE KEY-----":
                (body, endLabel) = ("", "-----END PRIVATE KEY-----")
            case "-----BEGIN EC PRIVATE KEY-----":
                (body, endLabel) = ("", "-----END EC PRIVATE KEY-----")
            case "-----BEGIN ENCRYPTED PRIVATE KEY-----":
                throw .encrypted
            default:
                continue
            }
        }
        throw .notPEM
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == " " || $0 == "\t" }
        while let last = line.last, last == " " || last == "\t" {
            line.removeLast()
        }
        return line
    }
}
