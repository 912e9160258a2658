// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import Testing

@testable import IdentityToolkit

/// The page of a web app to which a result goes.
struct RedirectURLTests {
    @Test(
        arguments: [
            ("https://app.example.com", "https://app.example.com", nil),
            ("https://app.example.com/a?b#/cart", "https://app.example.com", "/cart"),
            ("https://app.example.com?b@c", "https://app.example.com", nil),
            ("https://app.example.com#", "https://app.example.com", nil),
            ("https://app.example.com:443/", "https://app.example.com", nil),
            ("https://app.example.com:8443/x", "https://app.example.com:8443", nil),
            ("http://localhost:5173/", "http://localhost:5173", nil),
            ("https://[::1]:8443/", "https://[::1]:8443", nil),
            // Behind the origin a backslash is one of the path, the query or the fragment.
            (#"https://app.example.com/\evil?a=\b#\c"#, "https://app.example.com", #"\c"#),
            (
                "chrome-extension://abcdefghijklmnopabcdefghijklmnop/popup.html",
                "chrome-extension://abcdefghijklmnopabcdefghijklmnop", nil
            ),
        ] as [(String, String, String?)])
    func `a page has an origin, and may have a fragment`(text: String, origin: String, fragment: String?) throws {
        let url = try #require(RedirectURL(WireText(text)))
        #expect(url.text == text)
        #expect(url.origin.text == origin)
        #expect(url.fragment == fragment)
    }

    @Test func `a page gets another fragment`() throws {
        let hash = try #require(RedirectURL("https://app.example.com/a?b#/cart#x"))
        #expect(hash.location(fragment: "done") == "https://app.example.com/a?b#done")
        let plain = try #require(RedirectURL("https://app.example.com"))
        #expect(plain.location(fragment: "done") == "https://app.example.com#done")
    }

    @Test(arguments: [
        "", "/", "app.example.com", "https:app.example.com", "https:///", "HTTPS://app.example.com/",
        "ftp://a.example/",
        "https://app.example.com./", "https://user@app.example.com/", "https://app.example.com:0/",
        "https://app.example.com:65536/", "https://app.example.com:/", "https://app.example.com\\",
        "https://app%2eexample.com/",
        "https://b\u{FC}cher.example/", "https://app.example.com/\t", "https://app.example.com/ ",
    ])
    func `a page that could be read in two ways is none`(text: String) {
        #expect(RedirectURL(WireText(text)) == nil)
    }

    @Test func `a page has at most 8 KB, and its origin is read of any`() {
        let url = "https://app.example.com/"
        #expect(RedirectURL(WireText(url + String(repeating: "a", count: 8192 - url.utf8.count))) != nil)
        #expect(RedirectURL(WireText(url + String(repeating: "a", count: 8193 - url.utf8.count))) == nil)
        let long = url + String(repeating: "\u{E9}", count: 10_000)
        #expect(WebOrigin(ofPage: long.utf8) == WebOrigin("https://app.example.com"))
        #expect(WebOrigin(ofPage: ("https://" + String(repeating: "a.", count: 5000) + "/").utf8) == nil)
    }
}
