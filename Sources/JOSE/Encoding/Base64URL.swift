// SPDX-License-Identifier: Apache-2.0

/// Unpadded base64url, as JOSE uses it (RFC 7515 section 2, RFC 4648 section 5).
///
/// Decoding is strict: each byte sequence has exactly one accepted text, so a token cannot be rewritten into another
/// text that has the same signature.
package enum Base64URL {
    /// Encodes bytes as unpadded base64url.
    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { encode(buffer: $0) }
    }

    /// Encodes bytes as unpadded base64url.
    package static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { encode(buffer: $0) }
    }

    /// Encodes bytes as unpadded base64url.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        bytes.withContiguousBytes { encode(buffer: $0) }
    }

    /// Decodes base64url text given as ASCII bytes.
    ///
    /// - Returns: The bytes; empty for empty text. `nil` if the text contains padding, `+`, `/`, whitespace or another
    ///   byte outside the alphabet, has an impossible length, or its unused trailing bits are not zero.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        text.withContiguousBytes { decode(buffer: $0) }
    }

    /// Decodes base64url text, as strictly as for bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        text.utf8.withContiguousBytes { decode(buffer: $0) }
    }

    /// Decodes received base64url text, as strictly as for bytes.
    package static func decode(_ text: WireText) -> [UInt8]? {
        text.utf8.withContiguousBytes { decode(buffer: $0) }
    }

    private static func encode(buffer: UnsafeBufferPointer<UInt8>) -> String {
        Base64Alphabet.urlSafe.encode(buffer, padded: false)
    }

    private static func decode(buffer: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        Base64Alphabet.urlSafe.decode(buffer)
    }
}
