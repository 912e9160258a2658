// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What a ticket is bound to: the SHA-256 of the `sessionId` with which it is redeemed, 32 bytes.
struct SessionBinding: Sendable, Hashable {
    /// The number of bytes.
    static let byteCount = 32

    /// The 32 bytes.
    let bytes: [UInt8]

    private init(hash: [UInt8]) { bytes = hash }

    /// Creates the binding of a start with a received `sessionId`.
    ///
    /// 64 lower-case hexadecimal digits are the SHA-256 of what will be sent later, as the SDK for iOS writes it.
    /// Anything else will be sent once more as it is, as on Android. Of a text there that happens to be such digits
    /// nothing can be redeemed, so a wrong guess only refuses.
    init(startedWith sessionID: WireText) {
        self.init(hash: Self.digest(sessionID) ?? Hash.sha256(sessionID.utf8))
    }

    /// Creates the binding to a `sessionId` that will be sent as it is.
    init(sessionID: WireText) { self.init(hash: Hash.sha256(sessionID.utf8)) }

    /// Creates the binding to a text by the SHA-256 that a page has sent in base64url, 43 characters; `nil` if that is
    /// something else.
    init?(challenge: WireText) {
        guard challenge.utf8.count == 43, let bytes = Base64URL.decode(challenge) else { return nil }
        self.init(bytes: bytes)
    }

    /// Creates a binding from its ``bytes``; `nil` if they are not 32.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(hash: bytes)
    }

    /// Whether the `sessionId` of a redemption is the one. The time that it takes depends on its length alone.
    func matches(sessionID: WireText) -> Bool {
        ConstantTime.equal(Hash.sha256(sessionID.utf8), bytes)
    }

    /// The bytes of 64 lower-case hexadecimal digits; `nil` if a text is anything else.
    private static func digest(_ text: WireText) -> [UInt8]? {
        guard text.utf8.count == 2 * byteCount else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let nibble: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nibble = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): nibble = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return bytes
    }
}
