// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The text of a `.p8` file: one PEM block (RFC 7468) with a PKCS#8 key (RFC 5208) on P-256, and nothing else.
///
/// Lines may end in CRLF, and the last line break may be missing. Every other deviation is refused with its reason:
/// otherwise a wrong key would only show as Apple's `invalid_client`, which does not state the cause.
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

    private static let sequence: UInt8 = 0x30
    private static let integer: UInt8 = 0x02
    private static let objectIdentifier: UInt8 = 0x06
    private static let octetString: UInt8 = 0x04

    /// The object identifiers 1.2.840.10045.2.1 (an elliptic curve key), 1.2.840.10045.3.1.7 (P-256), and
    /// 1.2.840.113549.1.1 (the arc of all RSA algorithms).
    private static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]

    /// Validates the kind of the key. Whether its numbers are a valid key is left to the cryptographic library.
    private static func validate(der: [UInt8]) throws(AppleKeyError) {
        var outer = DERReader(der[...])
        guard let content = outer.element(sequence), outer.isAtEnd else { throw .damaged }
        var key = DERReader(content)
        guard key.element(integer) != nil, let identification = key.element(sequence),
            key.element(octetString) != nil
        else { throw .damaged }
        var algorithm = DERReader(identification)
        guard let kind = algorithm.element(objectIdentifier) else { throw .damaged }
        if kind.starts(with: rsa) { throw .rsa }
        guard kind.elementsEqual(ellipticCurve) else { throw .otherKind }
        guard let curve = algorithm.element(objectIdentifier), curve.elementsEqual(p256) else { throw .otherCurve }
    }
}

/// A reader of DER elements with known tags and of up to 65,535 bytes (X.690 section 8.1).
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the content of the next element; `nil` if it does not have this tag.
    mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
        var reading = rest
        guard reading.popFirst() == tag, let first = reading.popFirst() else { return nil }
        var length = Int(first)
        if first & 0x80 != 0 {
            length = 0
            let count = Int(first & 0x7F)
            guard (1...2).contains(count) else { return nil }
            for _ in 0..<count {
                guard let byte = reading.popFirst() else { return nil }
                length = length << 8 | Int(byte)
            }
        }
        guard reading.count >= length else { return nil }
        rest = reading.dropFirst(length)
        return reading.prefix(length)
    }
}
