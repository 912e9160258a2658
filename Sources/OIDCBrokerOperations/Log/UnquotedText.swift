// SPDX-License-Identifier: Apache-2.0

/// A text that can stand in a line of text without quotes, and is not mistaken there for several, for a name with a value,
/// or for a list. It needs no escape in JSON either.
///
/// Each line of a request has some six of them, of 20 bytes. Eight bytes at once they take 125 instructions each, and
/// byte by byte 290.
enum UnquotedText {
    /// Whether a text is one. An empty one is none.
    static func isOne(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 8 else { return !text.isEmpty && text.allSatisfy(isAllowed) }
        let bytes = UnsafeRawBufferPointer(text)
        let last = bytes.count - 8
        var position = 0
        var others: UInt64 = 0
        repeat {
            // The last eight overlap those before.
            others |= Self.others(in: bytes.loadUnaligned(fromByteOffset: min(position, last), as: UInt64.self))
            position += 8
        } while position < bytes.count
        return others == 0
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "="): false
        case UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): false
        default: (0x21...0x7E).contains(byte)
        }
    }

    /// The highest bit of each of eight bytes that is not allowed. What is added sets that bit in a byte of ASCII that is
    /// not less than a bound, and carries nothing into the next one; one that has the bit already is not allowed anyway,
    /// and what it carries only matters beside it.
    private static func others(in bytes: UInt64) -> UInt64 {
        let printable = atLeast(0x21, bytes) & ~atLeast(0x7F, bytes)
        let brackets = atLeast(0x5B, bytes) & ~atLeast(0x5E, bytes)
        let texts = isNot(UInt8(ascii: "\""), bytes) & isNot(UInt8(ascii: "="), bytes)
        let lists = isNot(UInt8(ascii: "{"), bytes) & isNot(UInt8(ascii: "}"), bytes)
        return (bytes | ~(printable & ~brackets & texts & lists)) & each(0x80)
    }

    private static func atLeast(_ bound: UInt8, _ bytes: UInt64) -> UInt64 { bytes &+ each(0x80 - bound) }

    private static func isNot(_ byte: UInt8, _ bytes: UInt64) -> UInt64 { (bytes ^ each(byte)) &+ each(0x7F) }

    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}
