// SPDX-License-Identifier: Apache-2.0

/// An entry of a key set that was left out, described for a log line.
package struct SkippedKey: Sendable, Hashable {
    /// The zero-based position of the entry in `keys`.
    package let index: Int

    /// The `kid` as it may appear in a log line: at most ``longestShownKeyID`` bytes, each byte that is not visible
    /// ASCII replaced by `?`. `nil` if there is no `kid` or it is not a string.
    package let keyID: String?

    /// The reason why the key cannot be used.
    package let reason: VerificationKeyError

    /// The maximum length of ``keyID``, in bytes.
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
