// SPDX-License-Identifier: Apache-2.0

import JOSE
import SwiftASN1

/// The text of a `.p8` file: one PEM block (RFC 7468) with a PKCS#8 key (RFC 5208) on P-256, and nothing else.
///
/// Lines may end in CRLF, and the last line break may be missing. Every other deviation is refused with its reason:
/// otherwise a wrong key would only show as Apple's `invalid_client`, which does not state the cause. SwiftASN1's
/// `PEMDocument` is no help: it skips what is not base64, takes text beside the block, and refuses base64 in one line.
struct AppleKeyFile {
    /// The maximum length of the text, in bytes. Apple's files have about 260.
    static let longestText = 16_384

    /// The PEM block with LF line breaks.
    let pem: String

    private static let begin = "-----BEGIN "
    private static let dashes = "-----"
    private static let label = "PRIVATE KEY"

    init(_ text: String) throws(AppleKeyError) {
        guard text.utf8.count <= Self.longestText else { throw .notPEM }
        guard !Self.hasEscapedLineBreak(text) else { throw .escapedLineBreaks }
        var hasBegun = false
        var hasEnded = false
        var body = ""
        for line in Self.lines(of: text) {
            if !hasBegun {
                guard !line.isEmpty else { continue }
                try Self.validate(firstLine: line)
                hasBegun = true
            } else if hasEnded {
                guard line.isEmpty else { throw .textBeside }
            } else if line == "-----END PRIVATE KEY-----" {
                hasEnded = true
            } else {
                body += line
            }
        }
        guard hasBegun else { throw .notPEM }
        guard hasEnded else { throw .cutShort }
        guard let der = Base64.decode(body), !der.isEmpty else { throw .damaged }
        try Self.validate(der: der)
        pem = "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    }

    /// Splits a text into lines without their LF or CRLF.
    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
    }

    private static func hasEscapedLineBreak(_ text: String) -> Bool {
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if previous == UInt8(ascii: "\\"), byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r") { return true }
            previous = byte
        }
        return false
    }

    private static func validate(firstLine line: String) throws(AppleKeyError) {
        guard line.hasPrefix(begin), line.hasSuffix(dashes), line.utf8.count > begin.utf8.count + dashes.utf8.count
        else { throw .notPEM }
        switch String(line.dropFirst(begin.count).dropLast(dashes.count)) {
        case label: return
        case "ENCRYPTED PRIVATE KEY": throw .encrypted
        case "EC PRIVATE KEY", "EC PARAMETERS": throw .notPKCS8
        case "RSA PRIVATE KEY": throw .rsa
        // Everything is in one line, so the line breaks were lost.
        case let other where other.contains(dashes): throw .notPEM
        default: throw .notPrivateKey
        }
    }

    // MARK: PKCS#8

    /// Validates the kind of the key. Whether its numbers are a valid key is left to the cryptographic library.
    private static func validate(der: [UInt8]) throws(AppleKeyError) {
        guard let (kind, curve) = try? algorithm(der: der) else { throw .damaged }
        // The arc of all RSA algorithms.
        if kind.oidComponents.starts(with: [1, 2, 840, 113_549, 1, 1]) { throw .rsa }
        guard kind == .AlgorithmIdentifier.idEcPublicKey else { throw .otherKind }
        guard curve == .NamedCurves.secp256r1 else { throw .otherCurve }
    }

    /// The kind of a key, and the identifier behind it, which is that of a curve; `nil` if there is none.
    private static func algorithm(
        der: [UInt8]
    ) throws -> (kind: ASN1ObjectIdentifier, curve: ASN1ObjectIdentifier?) {
        try DER.sequence(DER.parse(der), identifier: .sequence) { key in
            defer { while key.next() != nil {} }
            guard key.next()?.identifier == .integer, let algorithm = key.next(),
                key.next()?.identifier == .octetString
            else { throw AppleKeyError.damaged }
            return try DER.sequence(algorithm, identifier: .sequence) { fields in
                defer { while fields.next() != nil {} }
                return (try ASN1ObjectIdentifier(derEncoded: &fields), try? ASN1ObjectIdentifier(derEncoded: &fields))
            }
        }
    }
}
