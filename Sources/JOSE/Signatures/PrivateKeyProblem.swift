// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not a private key of the wanted kinds, for its owner to mend. It contains no part of the
/// text.
///
/// It is made only after a key was refused, so it decides nothing: the refusal stays where the key is read.
package struct PrivateKeyProblem: Sendable, Hashable, CustomStringConvertible {
    /// A kind of private key.
    package enum Kind: String, Sendable, CaseIterable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"
        case ed25519 = "Ed25519"
        case x25519 = "X25519"
        case rsa = "RSA"
    }

    /// The reason, which completes the sentence "The key …".
    package let description: String

    /// Finds the reason.
    /// - Parameters:
    ///   - text: The text that is not such a key.
    ///   - kinds: The kinds that are wanted.
    ///   - bits: The sizes of RSA keys that are wanted.
    package init(_ text: String, kinds: Set<Kind>, bits: ClosedRange<Int> = 2048...8192) {
        description = Self.reason(text, kinds: kinds, bits: bits)
    }

    /// What a PEM text has that an editor on Windows saved: no line of it begins with `-----BEGIN`.
    package static let byteOrderMark = "begins with a byte order mark: save it without"

    /// Whether a text begins with a byte order mark.
    package static func hasByteOrderMark(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: [0xEF, 0xBB, 0xBF])
    }

    private static let beginning = "-----BEGIN "

    private static func reason(_ text: String, kinds: Set<Kind>, bits: ClosedRange<Int>) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else { return "is empty" }
        if hasByteOrderMark(text.utf8) { return byteOrderMark }
        guard let start = text.firstRange(of: beginning) else {
            return "is not PEM: it has no '-----BEGIN PRIVATE KEY-----' line"
        }
        let first = text[start.lowerBound...].prefix { !$0.isNewline }
        if first.contains("\\n") { return "has '\\n' in place of its line breaks" }
        if first.contains("-----END ") { return "has lost its line breaks" }
        let blocks = PEMBlocks.split(text)
        let block = blocks.first { label(of: $0).hasSuffix("PRIVATE KEY") } ?? blocks[0]
        return reason(block: block, label: label(of: block), kinds: kinds, bits: bits)
    }

    private static func label(of block: String) -> String {
        guard block.hasPrefix(beginning) else { return "" }
        return String(block.dropFirst(beginning.count).prefix { $0 != "-" })
    }

    private static func reason(block: String, label: String, kinds: Set<Kind>, bits: ClosedRange<Int>) -> String {
        switch label {
        case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY": break
        case "ENCRYPTED PRIVATE KEY": return encrypted
        case "CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE": return "is a certificate, not a private key"
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": return "is a certificate request, not a private key"
        case "PUBLIC KEY", "RSA PUBLIC KEY": return "is a public key, not a private key"
        case "OPENSSH PRIVATE KEY": return "is an OpenSSH key; 'ssh-keygen -p -m PKCS8 -f FILE' converts it"
        default: return "is a PEM block of another kind, not a private key"
        }
        let lines = block.split(separator: "\n")
        if lines.contains(where: { $0.hasPrefix("Proc-Type:") }) { return encrypted }
        guard lines.last == "-----END \(label)-----" else {
            return "is cut short: it has no '-----END \(label)-----' line"
        }
        guard let der = Base64.decode(lines.dropFirst().dropLast().joined()), !der.isEmpty else { return damaged }
        if contains(explicitParameters, in: der) {
            return "has explicit curve parameters: a named curve is needed, as "
                + "'openssl pkey -ec_param_enc named_curve' writes it"
        }
        let wanted = kinds.map(\.rawValue).sorted().joined(separator: " or ")
        guard let kind = kind(of: der, label: label) else {
            return "is of another kind or curve; a key of \(wanted) is needed"
        }
        guard kinds.contains(kind) else { return "is a key of \(kind.rawValue); a key of \(wanted) is needed" }
        return kind == .rsa ? reason(rsa: block, bits: bits) : damaged
    }

    private static func reason(rsa block: String, bits: ClosedRange<Int>) -> String {
        do throws(SigningKeyError) {
            let size = try SigningKey(pem: block, algorithm: .rs256).bitCount
            return bits.contains(size)
                ? "cannot be used" : "has \(size) bits; \(bits.lowerBound) to \(bits.upperBound) are needed"
        } catch {
            return error == .unsupportedKeySize
                ? "is too short or too long; \(bits.lowerBound) to \(bits.upperBound) bits are needed" : damaged
        }
    }

    private static func kind(of der: [UInt8], label: String) -> Kind? {
        if label == "RSA PRIVATE KEY" { return .rsa }
        return identifiers.first { contains($0.bytes, in: der) }?.kind
    }

    private static let encrypted = "is encrypted with a passphrase; 'openssl pkey' takes it off"
    private static let damaged = "is damaged or incomplete"
    /// The identifier of prime-field (RFC 3279 section 2.3.5), which is in the parameters of a curve without a name.
    private static let explicitParameters: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x01, 0x01]
    private static let identifiers: [(kind: Kind, bytes: [UInt8])] = [
        (.p256, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]),
        (.p384, [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]),
        (.p521, [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]),
        (.ed25519, [0x06, 0x03, 0x2B, 0x65, 0x70]), (.x25519, [0x06, 0x03, 0x2B, 0x65, 0x6E]),
        (.rsa, [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]),
    ]

    private static func contains(_ identifier: [UInt8], in der: [UInt8]) -> Bool {
        der.indices.contains { der[$0...].starts(with: identifier) }
    }
}
