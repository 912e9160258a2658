// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Testing

/// What an acting browser reads of a page.
struct PageFormTests {
    @Test func `Forms: the action and the hidden fields, unescaped once`() throws {
        let html = """
            <!DOCTYPE html><html><style>a>b{}</style><a class="x">y</a>
            <form method="post" action="/a?b=1&amp;c=2" id="f">
            <input type="hidden" name="one" value="&lt;&quot;&#39;&amp;amp;&gt;">
            <input name="email" required autofocus value="">
            <input type="hidden" name="two" value=""><button type="submit">x</button>
            </form><form method="post" action="/other"><input type="hidden" name="three" value="3"></form>
            """
        let form = try #require(PageForm(html: html))
        #expect(form.action == "/a?b=1&c=2")
        #expect(form.hidden.map(\.0) == ["one", "two"])
        #expect(form.hidden.map(\.1) == ["<\"'&amp;>", ""])
        #expect(form.inputs == ["email"])
    }

    @Test func `Forms: the one with an ID, and none of another`() throws {
        let html = """
            <form method="post" action="/a" id="first"><input type="hidden" name="one" value="1"></form>
            <form method="post" action="/b" id="second"><input type="hidden" name="two" value="2"></form>
            """
        let form = try #require(PageForm(html: html, id: "second"))
        #expect(form.action == "/b" && form.hidden.map(\.0) == ["two"])
        #expect(PageForm(html: html, id: "third") == nil)
    }

    @Test(arguments: ["", "<form action=\"/x\">", "<form method=\"post\">", "<", "<form", "<a b=\"c"])
    func `No form`(html: String) {
        #expect(PageForm(html: html) == nil)
    }
}
