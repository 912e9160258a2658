// SPDX-License-Identifier: Apache-2.0

/// Padded base64 (RFC 4648 section 4), the form used in configuration values, PEM and `Authorization: Basic`.
package enum Base64 {
    /// Encodes bytes as padded base64.
    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { Base64Alphabet.standard.encode($0, padded: true) }
    }

    /// Decodes padded base64.
    ///
    /// - Returns: The bytes; empty for empty text. `nil` if the length is not a multiple of four, the padding is
    ///   misplaced, the text contains a character outside the alphabet (`-`, `_`, whitespace and line breaks are), or
    ///   the unused trailing bits are not zero.
    package static func decode(_ text: String) -> [UInt8]? {
        text.utf8.withContiguousBytes { bytes in
            guard bytes.count % 4 == 0 else { return nil }
            var end = bytes.count
            while end > 0, bytes.count - end < 2, bytes[end - 1] == UInt8(ascii: "=") {
                end -= 1
            }
            return Base64Alphabet.standard.decode(UnsafeBufferPointer(rebasing: bytes[..<end]))
        }
    }
}
