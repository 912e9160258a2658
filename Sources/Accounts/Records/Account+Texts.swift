// SPDX-License-Identifier: Apache-2.0

import JOSE

extension Account {
    /// Whether a text may be a name: short, without control and bidirectional characters but for the line feed.
    public static func isDisplayName(_ text: String) -> Bool {
        // A scalar has at most four bytes, so a longer text is refused without looking at it.
        guard !text.isEmpty, text.utf8.count <= 4 * AccountLimits.displayNameScalars,
            text.unicodeScalars.count <= AccountLimits.displayNameScalars
        else { return false }
        return text.unicodeScalars.allSatisfy { !$0.isControl || $0 == "\n" }
    }

    /// Whether a text may be the address of a photo: a URI (RFC 3986 section 3) of visible ASCII, whatever its scheme.
    public static func isPhotoURL(_ text: String) -> Bool {
        guard let text = WireText(text).visibleASCII(atMost: AccountLimits.photoURLBytes) else { return false }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count + 1 < text.utf8.count, let first = scheme.first, isLetter(first) else { return false }
        return scheme.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
