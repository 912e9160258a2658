// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import Testing

/// Redirect URIs of apps.
struct RedirectURITests {
    @Test(
        arguments: [
            ("https://shop.example/cb", RedirectURI.Kind.https),
            ("https://shop.example", .https),
            ("https://shop.example:8443/cb?a=b", .https),
            ("http://127.0.0.1/cb", .loopback),
            ("http://127.0.0.1:49152/cb", .loopback),
            ("http://[::1]:3000/cb", .loopback),
            ("http://localhost:3000/cb", .loopback),
            ("com.example.app:/cb", .privateUse),
            ("com.example.app://cb", .privateUse),
            ("com.example.app:///cb?x=1", .privateUse),
            ("com.example.app://host/a@b", .privateUse),
        ])
    func `of these kinds are accepted`(text: String, kind: RedirectURI.Kind) throws {
        let uri = try #require(RedirectURI(text))
        #expect(uri.kind == kind)
        #expect(uri.text == text)
    }

    @Test(
        arguments: [
            "", "/cb", "shop.example/cb", "https://", "https:///cb",
            // Plain http beyond loopback.
            "http://shop.example/cb", "http://localhost.example/cb", "http://127.0.0.1.example/cb",
            // Schemes that browsers or systems act on, and private-use ones without a domain.
            "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "intent://x", "about:blank",
            "blob:https://x", "vbscript:x", "ws://x", "wss://x", "ftp://x", "mailto:a@b.example", "tel:1", "myapp:/cb",
            "myapp://cb", "HTTPS://shop.example/cb", "com.Example.app:/cb", ".com:/cb", "com.:/cb", "1.com:/cb",
            "com.example.app:cb", "com.example.app:",
            // Texts that are not exact URIs.
            "https://shop.example/cb#x", "com.example.app:/cb#x", "https://*.shop.example/cb", "https://shop.example/*",
            "com.example.app:/*", "https://u@shop.example/cb", "https://u:p@shop.example/cb",
            "com.example.app://u@host/cb", "https://shop.example/a b", "https://shop.example/cb\n",
            "https://shop.example/\u{e9}", "https://shop.example\\@evil.example/cb", "https://shop.example/<x>",
        ])
    func `of any other form are refused`(text: String) {
        #expect(RedirectURI(text) == nil)
    }

    @Test func `have a length limit`() {
        let base = "https://shop.example/"
        #expect(RedirectURI(base + String(repeating: "a", count: 2048 - base.utf8.count)) != nil)
        #expect(RedirectURI(base + String(repeating: "a", count: 2049 - base.utf8.count)) == nil)
    }
}
