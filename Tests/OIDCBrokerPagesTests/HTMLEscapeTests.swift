// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerPages
import Testing

/// HTML escaping.
struct HTMLEscapeTests {
    @Test func `The five characters become references, everything else stays`() {
        #expect(HTMLEscape.text("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#39;")
        #expect(HTMLEscape.text("&amp;") == "&amp;amp;")
        #expect(HTMLEscape.text("Zoë, 東京 👩‍💻 – a/b?c=d") == "Zoë, 東京 👩‍💻 – a/b?c=d")
        #expect(HTMLEscape.text("") == "")
    }

    @Test func `A character that carries a combining mark is still escaped`() {
        #expect(HTMLEscape.text("<\u{301}script>").utf8.starts(with: "&lt;".utf8))
        #expect(HTMLEscape.text("\"\u{FE0F}").utf8.starts(with: "&quot;".utf8))
    }

    @Test(arguments: Array(0...0x1F) + Array(0x7F...0x9F) as [UInt32])
    func `Control characters are dropped`(value: UInt32) throws {
        let control = try #require(Unicode.Scalar(value))
        #expect(HTMLEscape.text("a\(Character(control))b") == "ab")
    }

    @Test(
        arguments: [
            "/__/auth/authorize?client_id=a&state=b", "https://app.example/start", "http://127.0.0.1:8080/",
            "com.example.app:/callback", "my-app+x://done",
        ])
    func `Link targets that may be followed`(url: String) {
        #expect(HTMLEscape.linkTarget(url) == url)
    }

    @Test(
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
            "\u{1}javascript:alert(1)", "data:text/html,x", "vbscript:x", "blob:x", "file:///etc/passwd",
            "//evil.example/", "/\\evil.example/", "/\t/evil.example", "relative", "", ":x", "1a:x", "a b", "a/b:c",
        ])
    func `Link targets that may not`(url: String) {
        #expect(HTMLEscape.linkTarget(url) == nil)
    }

    @Test func `Interpolated text is escaped, interpolated HTML is not`() {
        let name = "<i>"
        let bold: HTML = "<b>\(name)</b>"
        let whole: HTML = "<p title=\"\(name)\">\(bold)\([bold, bold])\(7)</p>"
        let once = "<b>&lt;i&gt;</b>"
        #expect(bold.text == once)
        #expect(whole.text == "<p title=\"&lt;i&gt;\">\(once)\(once)\(once)7</p>")
    }
}
