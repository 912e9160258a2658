// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing
import TestingSupport

@Suite struct AbsoluteURLTests {
    struct Parts: Sendable {
        let text: String
        let scheme: String
        let host: String
        let port: Int?
        let path: String
        let query: String?
        let origin: String
    }

    static let readable = [
        Parts(
            text: "https://app.example", scheme: "https", host: "app.example", port: nil, path: "", query: nil,
            origin: "https://app.example"),
        Parts(
            text: "https://App.EXAMPLE/", scheme: "https", host: "app.example", port: nil, path: "/", query: nil,
            origin: "https://app.example"),
        Parts(
            text: "https://a.example:443/p/q?r=s?t", scheme: "https", host: "a.example", port: 443, path: "/p/q",
            query: "r=s?t", origin: "https://a.example"),
        Parts(
            text: "http://a.example:80?x", scheme: "http", host: "a.example", port: 80, path: "", query: "x",
            origin: "http://a.example"),
        Parts(
            text: "http://a.example:443/?", scheme: "http", host: "a.example", port: 443, path: "/", query: "",
            origin: "http://a.example:443"),
        Parts(
            text: "https://a.example:65535/", scheme: "https", host: "a.example", port: 65535, path: "/", query: nil,
            origin: "https://a.example:65535"),
        Parts(
            text: "https://a.example:1", scheme: "https", host: "a.example", port: 1, path: "", query: nil,
            origin: "https://a.example:1"),
        Parts(
            text: "http://[::1]:8080/x", scheme: "http", host: "::1", port: 8080, path: "/x", query: nil,
            origin: "http://[::1]:8080"),
        Parts(
            text: "https://[2001:DB8::A]/", scheme: "https", host: "2001:db8::a", port: nil, path: "/", query: nil,
            origin: "https://[2001:db8::a]"),
        Parts(
            text: "https://[::ffff:10.0.0.1]", scheme: "https", host: "::ffff:10.0.0.1", port: nil, path: "",
            query: nil, origin: "https://[::ffff:10.0.0.1]"),
        Parts(
            text: "https://a.example/@x:1//..;/%2f", scheme: "https", host: "a.example", port: nil,
            path: "/@x:1//..;/%2f", query: nil, origin: "https://a.example"),
    ]

    @Test(arguments: AbsoluteURLTests.readable)
    func `takes a URL apart and keeps its text`(expected: Parts) throws {
        let url = try #require(AbsoluteURL(expected.text))
        #expect(url.text == expected.text)
        #expect(url.description == expected.text)
        #expect(url.scheme == expected.scheme)
        #expect(url.host == expected.host)
        #expect(url.port == expected.port)
        #expect(url.path == expected.path)
        #expect(url.query == expected.query)
        #expect(url.origin == expected.origin)
        #expect(url.isHTTPS == (expected.scheme == "https"))
    }

    @Test(arguments: [
        "", "https://", "https:///path", "https://?x", "https:/a.example", "https:a.example", "//a.example",
        "a.example",
        "/path", "HTTPS://a.example", "Https://a.example", "ftp://a.example", "javascript:alert(1)",
        " https://a.example",
        "https://a.example ", "https://a.example/a b", "https://a.example/\t", "https://a.example/\r\nx",
        "https://a.example/\0", "https://a.example/\u{7F}", "https://a.example/\u{E4}", "https://\u{E4}.example",
    ])
    func `what is not an http or https URL of printable ASCII is refused`(text: String) {
        #expect(AbsoluteURL(text) == nil)
    }

    @Test(
        .attack(.nearlyARedirectURI),
        arguments: [
            "https://user@a.example", "https://user:pass@a.example", "https://user:80@a.example", "https://@a.example",
            "https://app.example.com@evil.example", "https://a.example:443@evil.example", "https://[::1]@evil.example",
        ])
    func `user information is refused`(text: String) {
        #expect(AbsoluteURL(text) == nil)
    }

    @Test(
        .attack(.nearlyARedirectURI),
        arguments: [
            "https://evil.example\\@a.example", "https:\\\\a.example", "https://a.example\\path",
            "https://a.example/\\evil",
            "https://a.example/?x=\\",
        ])
    func `a backslash is refused wherever it stands`(text: String) {
        #expect(AbsoluteURL(text) == nil)
    }

    @Test(
        .attack(.nearlyARedirectURI),
        arguments: [
            "https://a.example#", "https://a.example/#x", "https://a.example/?x#y", "https://a.example#@evil.example",
            "https://a.example%23@evil.example",
        ])
    func `a fragment is refused, an escaped one in the host too`(text: String) {
        #expect(AbsoluteURL(text) == nil)
    }

    @Test(arguments: [
        ":", ":0", ":00000", ":65536", ":99999", ":100000", ":000443", ":-1", ":+1", ":4a", ":80:80", ":%38",
    ])
    func `a port outside 1 to 65535 is refused`(port: String) {
        #expect(AbsoluteURL("https://a.example\(port)") == nil)
        #expect(AbsoluteURL("https://a.example\(port)/path") == nil)
        #expect(AbsoluteURL("https://[::1]\(port)") == nil)
    }

    @Test(arguments: [
        "https://[::1", "https://::1/", "https://[]/", "https://[a.example]/", "https://[::g]/",
        "https://[::1%25eth0]/",
        "https://[127.0.0.1]/", "https://[::1]x", "https://[::1]x80/", "https://[::1]980/", "https://[::1].example:80/",
        "https://[::1]]:80", "https://a[::1]/",
    ])
    func `a malformed IPv6 address, and anything but a port behind one, is refused`(text: String) {
        #expect(AbsoluteURL(text) == nil)
    }

    @Test(arguments: [
        "a.example%00", "a%2eexample", "a,b", "a!b", "a*b", "*.example", "a$b", "(a)", "a|b", "a\"b", "<a>",
    ])
    func `a host with characters that no name has is refused`(host: String) {
        #expect(AbsoluteURL("https://\(host)/") == nil)
    }

    @Test func `lengths are limited`() {
        let base = "https://a.example/"
        #expect(AbsoluteURL(base + String(repeating: "p", count: 2048 - base.utf8.count)) != nil)
        #expect(AbsoluteURL(base + String(repeating: "p", count: 2049 - base.utf8.count)) == nil)
        #expect(AbsoluteURL("https://" + String(repeating: "h", count: 253)) != nil)
        #expect(AbsoluteURL("https://" + String(repeating: "h", count: 254)) == nil)
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://LOCALHOST:8080/x", true), ("http://127.0.0.1", true),
        ("http://127.1.2.3:99", true), ("http://127.255.255.255", true), ("http://[::1]:1", true),
        ("http://127.evil.com", false), ("http://127.0.0.evil", false), ("http://127.0.0.1.evil.com", false),
        ("http://127.0.0.256", false), ("http://127.0.0.1000", false), ("http://127.0.0.1.", false),
        ("http://127.0.0", false), ("http://127.0..1", false), ("http://127.1", false), ("http://128.0.0.1", false),
        ("http://0127.0.0.1", false), ("http://localhost.evil.com", false), ("http://evil-localhost", false),
        ("http://localhost.", false), ("http://[::2]", false), ("http://[::ffff:127.0.0.1]", false),
        ("http://10.0.0.1", false),
    ])
    func `this machine is told from what is only named like it`(text: String, isLoopback: Bool) throws {
        #expect(try #require(AbsoluteURL(text)).isLoopback == isLoopback)
    }

    @Test func `two spellings of one place are two URLs, since issuers are compared exactly`() {
        #expect(AbsoluteURL("https://a.example") != AbsoluteURL("https://a.example/"))
        #expect(AbsoluteURL("https://a.example") != AbsoluteURL("https://A.example"))
        #expect(AbsoluteURL("https://a.example") != AbsoluteURL("https://a.example:443"))
    }
}
