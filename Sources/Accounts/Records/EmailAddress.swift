// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An email as a provider wrote it, and the key by which two of them are the same.
public struct EmailAddress: Sendable, Hashable {
    /// The maximum length of an address, in bytes (RFC 5321 section 4.5.3.1.3, without the angle brackets).
    public static let maximumLength = 254

    /// The email as the provider wrote it.
    public let text: String
    /// The email with its ASCII letters in lower case.
    public let key: String

    /// Creates an address; `nil` if it has not exactly one `@` with text on both sides, has spaces, control characters
    /// or bidirectional controls, or is longer than ``maximumLength`` bytes. Such an address is treated as absent.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let bytes = Array(text.utf8)
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0, at < bytes.count - 1,
            !bytes[(at + 1)...].contains(UInt8(ascii: "@")),
            text.unicodeScalars.allSatisfy(Self.isVisible)
        else { return nil }
        self.text = text
        key = String(
            decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        // Nearly every address is ASCII, of which no property has to be looked up.
        scalar.isASCII ? (0x21...0x7E).contains(scalar.value) : !scalar.properties.isWhitespace && !scalar.isControl
    }

    /// Whether both addresses are the same but for the case of ASCII letters.
    public static func == (left: EmailAddress, right: EmailAddress) -> Bool {
        left.key.hasSameBytes(as: right.key)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(WireText(key))
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or one that changes the direction of the text around it.
    var isControl: Bool { properties.generalCategory == .control || properties.isBidiControl }
}
