// SPDX-License-Identifier: Apache-2.0

import JOSE

extension Account {
    /// Whether a text may be a name: short, without control and bidirectional characters.
    public static func isDisplayName(_ text: String) -> Bool {
        // A scalar has at most four bytes, so a longer text is refused without looking at it.
        guard !text.isEmpty, text.utf8.count <= 4 * AccountLimits.displayNameScalars,
            text.unicodeScalars.count <= AccountLimits.displayNameScalars
        else { return false }
        return text.unicodeScalars.allSatisfy { !$0.isControl }
    }

    /// Whether a text may be the address of a photo: https, and printable ASCII.
    public static func isPhotoURL(_ text: String) -> Bool {
        guard let text = WireText(text).visibleASCII(atMost: AccountLimits.photoURLBytes) else { return false }
        let scheme = "https://"
        return text.utf8.count > scheme.utf8.count
            && text.utf8.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8.map { $0 | 0x20 })
    }
}
