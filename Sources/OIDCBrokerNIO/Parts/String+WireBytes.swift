// SPDX-License-Identifier: Apache-2.0

/// Byte-wise comparison of received text. `==` on `String` compares by Unicode equivalence, which takes quadratic time
/// for an adversarial text.
extension StringProtocol {
    /// Whether the text is the given one, byte for byte.
    func isExactly(_ text: StaticString) -> Bool {
        utf8.count == text.utf8CodeUnitCount && text.withUTF8Buffer { utf8.elementsEqual($0) }
    }

    /// Whether the text is the given one, which consists of lower-case letters, digits and hyphens, in any case. Bit 5
    /// makes ASCII letters lower case and does not turn a character of a field value into a digit or hyphen.
    func isInAnyCase(_ text: StaticString) -> Bool {
        utf8.count == text.utf8CodeUnitCount
            && text.withUTF8Buffer { utf8.elementsEqual($0, by: { $0 | 0x20 == $1 }) }
    }

    /// Whether both texts have the same bytes.
    func hasBytes(of other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// Whether the text consists only of %x21-7E, as every part of a request line does: no spaces, control characters
    /// or non-ASCII characters. An empty text does.
    var isVisibleASCII: Bool {
        var text = self
        return text.withUTF8 { bytes in
            // No early exit, so that the loop is vectorized.
            var others: UInt8 = 0
            for byte in bytes { others |= byte &- 0x21 > 0x5D ? 1 : 0 }
            return others == 0
        }
    }
}
