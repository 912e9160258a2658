// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An e-mail address as a provider wrote it, and the key by which two of them are the same.
public struct EmailAddress: Sendable, Hashable {
    /// The maximum length of an address, in bytes (RFC 5321 section 4.5.3.1.3, without the angle brackets).
    public static let maximumLength = 254

    /// The address as the provider wrote it.
    public let text: String
    /// The address with its ASCII letters in lower case.
    public let key: String

    /// Creates an address; `nil` if it has not exactly one `@` with text on both sides, has spaces or control
    /// characters, or is longer than ``maximumLength`` bytes. Such an address is treated as absent.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let bytes = Array(text.utf8)
        guard !WireText(text).hasControlCharacters,
            let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0, at < bytes.count - 1,
            !bytes[(at + 1)...].contains(UInt8(ascii: "@")),
            !Self.hasWhitespace(text)
        else { return nil }
        self.text = text
        key = String(
            decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether an address that is short has white space of any script.
    private static func hasWhitespace(_ text: String) -> Bool {
        for scalar in text.unicodeScalars where scalar.properties.isWhitespace { return true }
        return false
    }

    /// Whether both addresses are the same but for the case of ASCII letters.
    public static func == (left: EmailAddress, right: EmailAddress) -> Bool {
        left.key.hasSameBytes(as: right.key)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(WireText(key))
    }
}
