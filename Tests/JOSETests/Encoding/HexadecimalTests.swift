// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct HexadecimalTests {
    @Test func `Each byte is two digits, with letters in lower case`() {
        #expect(Hexadecimal.text([UInt8]()) == "")
        #expect(Hexadecimal.text([0x00, 0x09, 0x0A, 0x7F, 0xA0, 0xFF] as [UInt8]) == "00090a7fa0ff")
    }

    @Test func `A part of bytes is encoded as it is`() {
        let bytes: [UInt8] = [0x01, 0xAB, 0xCD, 0x02]
        #expect(Hexadecimal.encode(bytes[1..<3]) == Array("abcd".utf8))
    }
}
