// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import Testing

/// The public URL.
struct PublicURLTests {
    @Test(
        arguments: [
            ("https://auth.example.com", "https://auth.example.com", "auth.example.com", false, true),
            ("https://AUTH.example.com:443", "https://auth.example.com", "auth.example.com", false, true),
            ("https://auth.example.com:8443", "https://auth.example.com:8443", "auth.example.com:8443", false, true),
            ("https://localhost:8443", "https://localhost:8443", "localhost:8443", true, true),
            ("http://127.9.9.9:80", "http://127.9.9.9", "127.9.9.9", true, false),
            ("http://[::1]:8080", "http://[::1]:8080", "[::1]:8080", true, false),
        ])
    func `is an origin`(text: String, origin: String, authority: String, isLoopback: Bool, isSecure: Bool) throws {
        let url = try #require(PublicURL(text))
        #expect(url.origin == origin)
        #expect(url.description == origin)
        #expect(url.authority == authority)
        #expect(url.isLoopback == isLoopback)
        #expect(url.isSecure == isSecure)
        #expect(PublicURL(url.origin) == url)
    }

    @Test(
        arguments: [
            "", "auth.example.com", "//auth.example.com", "ftp://auth.example.com", "http://auth.example.com",
            "http://localhost.example.com", "http://127.0.0.1.example.com", "http://128.0.0.1",
            "https://auth.example.com/", "https://auth.example.com/x", "https://auth.example.com?",
            "https://auth.example.com#", "https://a@auth.example.com", "https://auth.example.com:0",
            "https://auth.example.com:", "https:// auth.example.com", "https://auth.example.com\n", "https://",
            "https://auth.example.com\\@evil.example",
        ])
    func `is nothing else`(text: String) {
        #expect(PublicURL(text) == nil)
    }
}
