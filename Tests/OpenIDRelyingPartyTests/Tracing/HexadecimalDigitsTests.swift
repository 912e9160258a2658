// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenIDRelyingParty

/// Eight digits at once against each digit by itself.
@Suite struct HexadecimalDigitsTests {
    private func number(_ text: [UInt8]) -> UInt64? {
        text.withUnsafeBytes { HexadecimalDigits.number(ofSixteen: $0) }
    }

    @Test(arguments: ["0123456789abcdef", "ffffffffffffffff", "0000000000000000", "fedcba9876543210"])
    func `is the number that the digits are`(text: String) {
        #expect(number(Array(text.utf8)) == UInt64(text, radix: 16))
    }

    @Test(arguments: 0..<16) func `every byte is a digit or none, wherever it stands`(position: Int) {
        for byte in UInt8.min...UInt8.max {
            var text = Array("1234567890abcdef".utf8)
            text[position] = byte
            let isDigit = Array("0123456789abcdef".utf8).contains(byte)
            let expected = isDigit ? UInt64(String(decoding: text, as: UTF8.self), radix: 16) : nil
            #expect(number(text) == expected, "\(byte)")
        }
    }

    @Test func `another count is none`() {
        for count in [0, 1, 8, 15, 17, 32] { #expect(number(Array(repeating: 0x30, count: count)) == nil) }
    }
}
