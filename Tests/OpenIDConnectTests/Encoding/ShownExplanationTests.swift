// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct ShownExplanationTests {
    @Test(
        arguments: [
            ("invalid scope", "invalid scope"), ("Don't", "Don`t"), ("a=b", "a:b"), (#"a"b\c"#, "abc"),
            ("a\r\nb\u{7f}ä", "ab"), ("for ada@example.com, again", "for [hidden], again"),
            ("for ada%40example.com", "for [hidden]"), ("<Ada.L+x@mail.example>", "<[hidden]>"),
            ("token eyJhbGciOiJub25lIn0.e30. is bad", "token [hidden] is bad"),
            ("code s3cret-code-of-it is bad", "code [hidden] is bad"),
            ("code s3cret-code-o... is bad", "code [hidden]... is bad"),
            ("s3cret-code-of-its3cret-code-of-it", "[hidden]"), ("short: abc", "short: [hidden]"),
            ("form a%20b%2Fc%20d%20e", "form [hidden]"), ("raw a b/c d e", "raw [hidden]"),
        ])
    func `what may be shown of a text`(text: String, shown: String) {
        let values = ["s3cret-code-of-it", "abc", "a b/c d e", "", "x"]
        // "abc" hides itself in the row with quotes.
        let expected = shown == "abc" ? "[hidden]" : shown
        #expect(ShownExplanation.text(text, hiding: values) == expected)
    }

    @Test(arguments: ["", "   ", "äöü", "\r\n"]) func `nothing is shown of a text without any`(text: String) {
        #expect(ShownExplanation.text(text, hiding: []) == nil)
    }

    @Test func `it is cut after values are hidden`() {
        let secret = String(repeating: "0123456789abcdef", count: 8)
        let text = String(repeating: "x", count: 190) + secret
        let shown = ShownExplanation.text(text, hiding: [secret])
        #expect(shown == String(repeating: "x", count: 190) + "[hidden]")
        #expect(ShownExplanation.text(String(repeating: "y", count: 9000), hiding: [])?.utf8.count == 200)
        #expect(ShownExplanation.text(secret + text, hiding: [secret])?.contains("0123") == false)
    }
}
