// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The identifier of an account, the `uid`. It says nothing about the user.
public struct AccountID: Sendable, Hashable, CustomStringConvertible {
    /// The length of a new identifier, in characters of A-Z, a-z and 0-9: 166 random bits.
    public static let newLength = 28
    /// The maximum length of an identifier, which an imported one may have, in UTF-16 code units.
    public static let maximumLength = 128
    /// The maximum length of an identifier, in bytes.
    public static let maximumBytes = 512

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The identifier: 1 to ``maximumLength`` UTF-16 code units without NUL, as those of Firebase. A new one is ASCII.
    public let text: String

    /// Creates an identifier from its text; `nil` if it is empty, too long or has a NUL.
    public init?(_ text: String) {
        guard !text.utf8.isEmpty, text.utf8.count <= Self.maximumBytes, text.utf16.count <= Self.maximumLength,
            !text.utf8.contains(0)
        else { return nil }
        self.text = text
    }

    /// Creates an identifier from a received text; `nil` if no account can have it.
    package init?(_ text: WireText) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        self.init(text.makeString())
    }

    /// Creates an identifier from what an operator writes: its text, or its ``description`` as it was printed.
    package init?(described text: String) {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), rest.starts(with: "u{".utf8),
                let end = rest.firstIndex(of: UInt8(ascii: "}")),
                let value = UInt32(String(decoding: rest[..<end].dropFirst(2), as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value)
            else {
                bytes.append(byte)
                continue
            }
            bytes += Array(String(scalar).utf8)
            rest = rest[end...].dropFirst()
        }
        guard let printed = AccountID(String(decoding: bytes, as: UTF8.self)) else { return nil }
        // A text that is never printed so is meant as it stands.
        self.init(printed.description.utf8.elementsEqual(text.utf8) ? printed.text : text)
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

    /// The identifier for a log or a terminal: what is not visible ASCII, and the backslash, is escaped.
    public var description: String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x21...0x7E where scalar != "\\": escaped.unicodeScalars.append(scalar)
            default: escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return escaped
    }

    /// Whether both are the same bytes.
    public static func == (left: AccountID, right: AccountID) -> Bool { left.text.hasSameBytes(as: right.text) }

    public func hash(into hasher: inout Hasher) { hasher.combine(WireText(text)) }
}

extension AccountID: Comparable {
    /// Orders identifiers by their bytes.
    public static func < (left: AccountID, right: AccountID) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
