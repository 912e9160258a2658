// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Text as it stands between the quotes of a JSON string (RFC 8259 section 7), safe for terminals and for readers of
/// lines: what could end a line, control a terminal or turn the direction of writing is written as an escape.
///
/// It reads bytes and no more of them than it writes: the characters of a hostile text are not looked at, because
/// finding their boundaries is slow.
enum EscapedText {
    /// Three bytes that stand for what was cut off.
    private static let ellipsis = Array("…".utf8)
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Appends a text, without quotes.
    /// - Parameters:
    ///   - limit: The maximum number of bytes to append, at least 3. A longer text is cut between two characters of
    ///     Unicode, never in an escape, and ends in `…`.
    static func append(_ text: String, to output: inout [UInt8], atMost limit: Int) {
        text.utf8.withContiguousBytes { append($0, to: &output, atMost: limit) }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], atMost limit: Int) {
        guard text.count > limit || !isPlain(text) else {
            output.append(contentsOf: text)
            return
        }
        let end = output.count + limit
        // Where the text can be cut so that the ellipsis still fits.
        var cut = output.count
        var position = 0
        while position < text.count {
            let length = min(scalarLength(text[position]), text.count - position)
            append(scalar: UnsafeBufferPointer(rebasing: text[position..<position + length]), to: &output)
            if output.count > end {
                output.removeLast(output.count - cut)
                output.append(contentsOf: ellipsis)
                return
            }
            if output.count + ellipsis.count <= end { cut = output.count }
            position += length
        }
    }

    /// Whether each byte is printable ASCII that stands for itself. The loop has no exit, so that it is compiled into
    /// vector instructions.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var others: UInt8 = 0
        for byte in text {
            others |= byte &- 0x20 > 0x5E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return others == 0
    }

    /// Whether a text is an ``UnquotedText``, and not so long that it would be cut.
    static func standsUnquoted(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count <= LogLine.maximumTextBytes && UnquotedText.isOne(text)
    }

    /// The number of bytes of the character that begins with this byte.
    private static func scalarLength(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xFF: 4
        default: 1
        }
    }

    private static func append(scalar bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        guard let value = number(of: bytes), isEscaped(value) else {
            output.append(contentsOf: bytes)
            return
        }
        output.append(UInt8(ascii: "\\"))
        switch value {
        case 0x22, 0x5C: output.append(UInt8(truncatingIfNeeded: value))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(UInt8(ascii: "u"))
            for shift in [12, 8, 4, 0] as [UInt16] { output.append(hexDigits[Int(value >> shift & 0xF)]) }
        }
    }

    /// The number of a character of at most three bytes; none of four bytes is escaped.
    private static func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt16? {
        switch bytes.count {
        case 1: UInt16(bytes[0])
        case 2: UInt16(bytes[0] & 0x1F) << 6 | UInt16(bytes[1] & 0x3F)
        case 3: UInt16(bytes[0] & 0x0F) << 12 | UInt16(bytes[1] & 0x3F) << 6 | UInt16(bytes[2] & 0x3F)
        default: nil
        }
    }

    private static func isEscaped(_ value: UInt16) -> Bool {
        switch value {
        // Quotes and backslashes; controls of ASCII and of ISO 6429, which begin the sequences of terminals.
        case 0x22, 0x5C, 0x00...0x1F, 0x7F...0x9F: true
        // What Unicode ends lines with, and its controls of the direction of writing.
        case 0x2028...0x2029, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
