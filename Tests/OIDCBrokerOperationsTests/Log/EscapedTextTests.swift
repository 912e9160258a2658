// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// Texts between quotes.
struct EscapedTextTests {
    private func escaped(_ text: String, atMost limit: Int = 1_024) -> String {
        var bytes = Array("before".utf8)
        EscapedText.append(text, to: &bytes, atMost: limit)
        #expect(bytes.count - 6 <= limit)
        return String(decoding: bytes.dropFirst(6), as: UTF8.self)
    }

    @Test(arguments: [
        ("", ""),
        ("plain text, = and ' too", "plain text, = and ' too"),
        ("\"", "\\\""),
        ("\\", "\\\\"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\u{0}\u{1B}[31m\u{7F}", "\\u0000\\u001b[31m\\u007f"),
        // The controls of ISO 6429. One of them begins the sequences of terminals.
        ("\u{80}\u{9B}\u{9F}\u{A0}", "\\u0080\\u009b\\u009f\u{A0}"),
        ("\u{2027}\u{2028}\u{2029}\u{202F}", "\u{2027}\\u2028\\u2029\u{202F}"),
        ("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}", "\\u202a\\u202b\\u202c\\u202d\\u202e"),
        ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u2066\\u2067\\u2068\\u2069"),
        ("\u{200E}\u{200F}\u{061C}", "\\u200e\\u200f\\u061c"),
        ("é € 😀", "é € 😀"),
    ])
    func `what could end a line or turn a terminal is an escape`(text: String, expected: String) {
        #expect(escaped(text).utf8.elementsEqual(expected.utf8))
    }

    @Test(arguments: [
        (String(repeating: "a", count: 1_024), 1_024, "a", 1_024),
        (String(repeating: "a", count: 1_025), 1_024, "a", 1_021),
        (String(repeating: "é", count: 512), 1_024, "é", 1_024),
        (String(repeating: "é", count: 513), 1_024, "é", 1_020),
        (String(repeating: "€", count: 400), 1_024, "€", 1_020),
        (String(repeating: "😀", count: 300), 1_024, "😀", 1_020),
        // Six bytes each: shorter than the limit as it came, and longer than it when escaped.
        (String(repeating: "\u{1}", count: 170), 1_024, "\\u0001", 1_020),
        (String(repeating: "\u{1}", count: 171), 1_024, "\\u0001", 1_020),
        ("aaaa", 3, "a", 0),
        ("aaa", 3, "a", 3),
    ])
    func `a text is cut between two characters`(text: String, limit: Int, piece: String, kept: Int) {
        let result = escaped(text, atMost: limit)
        let whole = String(repeating: piece, count: kept / piece.utf8.count)
        let isCut = !text.utf8.elementsEqual(whole.utf8) && !result.utf8.elementsEqual(whole.utf8)
        #expect(result.utf8.elementsEqual((isCut ? whole + "…" : whole).utf8))
    }

    @Test func `a megabyte of combining marks is cut like any text`() {
        let text = "e" + String(repeating: "\u{301}\u{323}", count: 262_144)
        let result = escaped(text)
        #expect(result.utf8.count == 1_024)
        #expect(result.utf8.suffix(3).elementsEqual("…".utf8))
    }
}
