// SPDX-License-Identifier: Apache-2.0

/// An entry of a key set that was left out, for a log line.
package struct SkippedKey: Sendable, Hashable {
    /// The entry's place in `keys`, from zero.
    package let index: Int

    /// Its `kid` as far as a log line may have it: at most ``longestShownKeyID`` bytes, each that is no visible ASCII
    /// character as `?`; `nil` if it has none that is a text.
    package let keyID: String?

    /// Why it cannot be used.
    package let reason: VerificationKeyError

    /// The longest ``keyID``, bytes.
    package static let longestShownKeyID = 64

    init(index: Int, keyID: JSONValue? = nil, reason: VerificationKeyError) {
        self.index = index
        self.keyID = keyID?.text.map { text in
            let bytes = text.utf8.prefix(Self.longestShownKeyID)
            return String(decoding: bytes.map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        }
        self.reason = reason
    }
}
