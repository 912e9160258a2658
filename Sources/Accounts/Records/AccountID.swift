// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The identifier of an account, the `uid`. It says nothing about the person.
public struct AccountID: Sendable, Hashable, CustomStringConvertible {
    /// The length of a new identifier, in characters of A-Z, a-z and 0-9: 166 random bits.
    public static let newLength = 28
    /// The maximum length of an identifier, which an imported one may have, in bytes.
    public static let maximumLength = 128

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The identifier: 1 to ``maximumLength`` visible ASCII characters.
    public let text: String

    /// Creates an identifier from its text; `nil` if it is empty, too long or not visible ASCII.
    public init?(_ text: String) {
        guard !text.isEmpty, let text = WireText(text).visibleASCII(atMost: Self.maximumLength) else { return nil }
        self.text = text
    }

    /// Creates a random identifier.
    public init() {
        var characters: [UInt8] = []
        while characters.count < Self.newLength {
            // 248 is the largest multiple of 62 that fits in a byte, so every character is as likely as any other.
            for byte in SecureRandom.bytes(2 * Self.newLength) where byte < 248 && characters.count < Self.newLength {
                characters.append(Self.alphabet[Int(byte) % Self.alphabet.count])
            }
        }
        text = String(decoding: characters, as: UTF8.self)
    }

    public var description: String { text }
}

extension AccountID: Comparable {
    /// Orders identifiers by their bytes.
    public static func < (left: AccountID, right: AccountID) -> Bool { left.text < right.text }
}
