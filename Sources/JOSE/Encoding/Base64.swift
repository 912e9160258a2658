// SPDX-License-Identifier: Apache-2.0

/// base64 with padding (RFC 4648 section 4), as configuration values, PEM and `Authorization: Basic` carry it.
package enum Base64 {
    /// Writes bytes as base64, padded.
    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { Base64Alphabet.standard.encode($0, padded: true) }
    }

    /// Reads padded base64.
    ///
    /// - Returns: `nil` for a length that is no multiple of four, misplaced padding, `-`, `_`, whitespace or line breaks,
    ///   any other foreign character, or unused trailing bits that are not zero. Empty text is an empty byte sequence.
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
