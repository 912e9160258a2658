// SPDX-License-Identifier: Apache-2.0

/// base64url without padding, as JOSE writes it (RFC 7515 section 2, RFC 4648 section 5).
///
/// Decoding is strict: every byte sequence has exactly one accepted text, so that a token cannot be rewritten into
/// another text with the same signature.
package enum Base64URL {
    /// Writes bytes as base64url, without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { encode(buffer: $0) }
    }

    /// Writes bytes as base64url, without padding.
    package static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { encode(buffer: $0) }
    }

    /// Writes bytes as base64url, without padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        bytes.withContiguousBytes { encode(buffer: $0) }
    }

    /// Reads base64url text given as ASCII bytes.
    ///
    /// - Returns: `nil` for padding, `+`, `/`, whitespace, any other foreign byte, an impossible length, or unused
    ///   trailing bits that are not zero. Empty text is an empty byte sequence.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        text.withContiguousBytes { decode(buffer: $0) }
    }

    /// Reads base64url text; as strict as for bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        text.utf8.withContiguousBytes { decode(buffer: $0) }
    }

    /// Reads base64url text as it was received; as strict as for bytes.
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
