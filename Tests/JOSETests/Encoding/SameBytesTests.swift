// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JOSE

@Suite struct SameBytesTests {
    /// Pairs that Unicode takes for the same, of other code points; the last two are of one length.
    private static let equivalent = [
        ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{E9}", "e\u{301}"),
        ("a\u{301}\u{323}", "a\u{323}\u{301}"), ("\u{2126}\u{3A9}", "\u{3A9}\u{2126}"),
    ]

    @Test(arguments: equivalent)
    func `texts that Unicode takes for the same are two`(first: String, second: String) {
        #expect(first == second)
        #expect(!first.hasSameBytes(as: second))
        #expect(!second.hasSameBytes(as: first))
        for text in [first, second, "a longer text, not kept in place: " + first] {
            #expect(text.hasSameBytes(as: String(decoding: Array(text.utf8), as: UTF8.self)))
        }
    }

    @Test func `texts of one length and of several are told apart`() {
        let texts = ["", "a", "b", "ab", "state", "scope", "code_challenge", "code_challenge_method", "\u{E4}\u{F6}"]
        for (position, first) in texts.enumerated() {
            for (other, second) in texts.enumerated() {
                #expect(first.hasSameBytes(as: second) == (position == other))
                guard second.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
                #expect(first.hasSameBytes(asASCII: second) == (position == other))
            }
        }
    }

    @Test func `nothing beyond ASCII is as long as what Unicode takes it for in ASCII`() {
        let ascii = Set((0..<0x80).map { String(UnicodeScalar(UInt8($0))) })
        var alike: [UnicodeScalar] = []
        for number in UInt32(0x80)...0x1_FFFF {
            guard let scalar = UnicodeScalar(number), ascii.contains(String(scalar)) else { continue }
            alike.append(scalar)
            #expect(String(scalar).utf8.count > 1)
            #expect(ascii.allSatisfy { !String(scalar).hasSameBytes(asASCII: $0) })
        }
        #expect(alike == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
    }
}
