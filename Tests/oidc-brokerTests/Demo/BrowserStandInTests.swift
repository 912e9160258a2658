// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import oidc_broker_demo
@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// The check's browser.
struct BrowserStandInTests {
    @Test func `Cookies: kept by host and path, replaced, deleted`() {
        var jar = CookieJar()
        let isTaken = jar.take("__Host-a=1; Path=/; Secure; HttpOnly; SameSite=Lax", host: "localhost", path: "/x")
        #expect(isTaken)
        jar.take("b = 2 ; Path=/deep", host: "localhost", path: "/x")
        #expect(jar.field(host: "localhost", path: "/") == "__Host-a=1")
        #expect(jar.field(host: "localhost", path: "/deep/er") == "__Host-a=1; b=2")
        #expect(jar.field(host: "localhost", path: "/deeper") == "__Host-a=1")
        #expect(jar.field(host: "other", path: "/") == nil)
        jar.take("__Host-a=3; Path=/; Secure", host: "localhost", path: "/")
        #expect(jar.field(host: "localhost", path: "/") == "__Host-a=3")
        jar.take("__Host-a=; Path=/; Secure; Max-Age=0", host: "localhost", path: "/")
        #expect(jar.field(host: "localhost", path: "/") == nil)
    }

    @Test(
        arguments: [
            "__Host-a=1; Path=/", "__Host-a=1; Secure", "__Host-a=1; Secure; Path=/x", "a=1; Domain=example.org",
            "=1", "nothing", "",
        ])
    func `Cookies that are refused`(field: String) {
        var jar = CookieJar()
        let isTaken = jar.take(field, host: "localhost", path: "/")
        #expect(!isTaken)
        #expect(jar.field(host: "localhost", path: "/") == nil)
    }

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
        #expect(form.hidden == [.init(name: "one", value: "<\"'&amp;>"), .init(name: "two", value: "")])
    }

    @Test func `Forms: the one with an ID, and none of another`() throws {
        let html = """
            <form method="post" action="/a" id="first"><input type="hidden" name="one" value="1"></form>
            <form method="post" action="/b" id="second"><input type="hidden" name="two" value="2"></form>
            """
        let form = try #require(PageForm(html: html, id: "second"))
        #expect(form.action == "/b" && form.hidden == [.init(name: "two", value: "2")])
        #expect(PageForm(html: html, id: "third") == nil)
    }

    @Test(arguments: ["", "<form action=\"/x\">", "<form method=\"post\">", "<", "<form", "<a b=\"c"])
    func `No form`(html: String) {
        #expect(PageForm(html: html) == nil)
    }

    @Test func `Durations in milliseconds`() {
        #expect(Duration.microseconds(12_345).milliseconds == "12.3")
        #expect(Duration.seconds(61).milliseconds == "61000.0")
        #expect(Duration.zero.milliseconds == "0.0")
    }
}
