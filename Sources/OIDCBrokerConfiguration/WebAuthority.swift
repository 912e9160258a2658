// SPDX-License-Identifier: Apache-2.0

/// The host and the port of an origin: `host`, `host:port`, or the same with an IPv6 address in brackets.
///
/// It is read byte by byte. Whatever could make a browser see another host than this parser is refused: user
/// information, percent-encoding, characters beyond ASCII, empty labels (so a dot at the end too) and ports with zeros
/// in front. An internationalized name has to be written in its ASCII form (RFC 5890 section 2.3.2.1).
package struct WebAuthority: Sendable, Hashable {
    /// The maximum length of a name, in bytes (RFC 1035 section 2.3.4).
    private static let maximumNameLength = 253

    /// The host with its ASCII letters in lower case; an IPv6 address with its brackets.
    package let host: [UInt8]
    /// The port, 1 to 65,535; `nil` if there is none.
    package let port: UInt16?

    /// Reads a text; `nil` if it is not of this form.
    package init?(_ text: ArraySlice<UInt8>) {
        let end: Int
        if text.first == UInt8(ascii: "[") {
            guard let bracket = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            end = bracket + 1
            guard Self.isInAddress(text[..<bracket].dropFirst()) else { return nil }
        } else {
            end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            guard Self.isName(text[..<end]) else { return nil }
        }
        host = text[..<end].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard end < text.endIndex else {
            self.port = nil
            return
        }
        guard let number = Self.portNumber(text[end...]) else { return nil }
        self.port = number
    }

    /// Whether a browser takes the host for an IP address: it is in brackets, or its last label is a number (URL
    /// Standard, "ends in a number checker").
    package var isAddress: Bool {
        guard host.first != UInt8(ascii: "[") else { return true }
        let start = host.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return host[start...].allSatisfy(Self.isDigit) || host[start...].starts(with: "0x".utf8)
    }

    /// The number of labels of a name.
    package var labelCount: Int { host.count(where: { $0 == UInt8(ascii: ".") }) + 1 }

    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= maximumNameLength else { return false }
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { (1...63).contains($0.count) && $0.allSatisfy(isLabelByte) }
    }

    /// Reads a port with the colon in front of it.
    private static func portNumber(_ text: ArraySlice<UInt8>) -> UInt16? {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), let first = digits.first, first != UInt8(ascii: "0"), digits.count <= 5,
            digits.allSatisfy(isDigit)
        else { return nil }
        return UInt16(exactly: digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Whether a text has the characters of an IPv6 address, and the colons that no other number has.
    private static func isInAddress(_ text: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        return text.count(where: { $0 == colon }) >= 2
            && text.allSatisfy { isDigit($0) || (0x61...0x66).contains($0 | 0x20) || $0 == colon }
    }

    /// An underscore is not for names of hosts, but browsers take it.
    private static func isLabelByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
