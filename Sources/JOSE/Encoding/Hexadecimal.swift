// SPDX-License-Identifier: Apache-2.0

/// Hexadecimal text (RFC 4648 section 8) with letters in lower case.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns two digits for each byte.
    package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        // A caller of another module has no version of this for its own type: byte by byte that would cost 500
        // instructions for each.
        bytes.withContiguousBytes { bytes in
            var text: [UInt8] = []
            text.reserveCapacity(2 * bytes.count)
            for byte in bytes {
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 0x0F)])
            }
            return text
        }
    }

    /// Returns two digits for each byte, as a `String`.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }
}
