// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// Texts that stand in a line without quotes, eight bytes at once against each byte by itself.
@Suite struct UnquotedTextTests {
    private func isOne(_ text: [UInt8]) -> Bool { text.withUnsafeBufferPointer { UnquotedText.isOne($0) } }

    @Test(arguments: 1...24) func `every byte is allowed or not, wherever it stands`(count: Int) {
        let others = Array("\"=[\\]{}".utf8)
        var wrong: [(byte: UInt8, position: Int)] = []
        for byte in UInt8.min...UInt8.max {
            let isAllowed = byte > 0x20 && byte < 0x7F && !others.contains(byte)
            for position in 0..<count {
                for filling in [UInt8(ascii: "a"), UInt8(ascii: "~"), UInt8(ascii: "!")] {
                    var text = [UInt8](repeating: filling, count: count)
                    text[position] = byte
                    if isOne(text) != isAllowed { wrong.append((byte, position)) }
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `an empty text is none`() {
        #expect(!isOne([]))
    }

    @Test func `bytes beyond ASCII hide nothing beside them`() {
        for byte in UInt8(0x80)...UInt8.max {
            let texts = (UInt8.min...UInt8.max).map { [byte, $0, byte, $0, byte, $0, byte, $0] }
            #expect(!texts.contains(where: isOne))
        }
    }
}
