// SPDX-License-Identifier: Apache-2.0

/// Text off a socket, looked at byte by byte. `==` of texts asks whether Unicode takes them for the same, which takes time
/// by the square of their length where somebody made them for it.
extension StringProtocol {
    /// Whether it is that text, byte for byte.
    func isExactly(_ text: StaticString) -> Bool {
        utf8.count == text.utf8CodeUnitCount && text.withUTF8Buffer { utf8.elementsEqual($0) }
    }

    /// Whether it is that text of lower-case letters, digits and hyphens, in any case. Bit 5 makes ASCII letters lower
    /// case, and makes neither a digit nor a hyphen of anything that may stand in a field's value.
    func isInAnyCase(_ text: StaticString) -> Bool {
        utf8.count == text.utf8CodeUnitCount
            && text.withUTF8Buffer { utf8.elementsEqual($0, by: { $0 | 0x20 == $1 }) }
    }

    /// Whether both have the same bytes.
    func hasBytes(of other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// Whether it is of %x21-7E alone, as every part of a request's first line is: no space, no control character, nothing
    /// beyond ASCII. An empty text is.
    var isVisibleASCII: Bool {
        var text = self
        return text.withUTF8 { bytes in
            // No exit from the loop, so that it becomes vector instructions.
            var others: UInt8 = 0
            for byte in bytes { others |= byte &- 0x21 > 0x5D ? 1 : 0 }
            return others == 0
        }
    }
}
