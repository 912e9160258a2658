// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import OIDCBrokerConfiguration
import Testing

/// Which origins an authorized domain is for, and which entries and origins can be read.
struct AuthorizedDomainTests {
    static let extensionOrigin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"

    static let firefoxOrigin = "moz-extension://7a0c3a4e-5d3b-4c1c-9d55-0d9a0f2d7f11"

    static let matching = [
        ("example.com", "https://example.com"), ("example.com", "https://EXAMPLE.com"),
        ("Example.COM", "https://example.com"), ("example.com", "https://example.com:443"),
        ("example.com:8443", "https://example.com:8443"), ("example.com:443", "https://example.com"),
        ("*.example.com", "https://a.example.com"), ("*.example.com", "https://a.b.example.com"),
        ("*.Example.com", "https://A.example.COM"), ("*.example.com", "https://example.com.example.com"),
        ("localhost", "http://localhost"), ("localhost", "http://localhost:5173"), ("localhost", "https://localhost"),
        ("localhost:5173", "http://localhost:5173"), ("localhost:5173", "https://localhost:5173"),
        ("localhost:80", "http://localhost"), ("127.0.0.1", "http://127.0.0.1:9099"),
        ("127.0.0.1:9099", "http://127.0.0.1:9099"), ("[::1]", "http://[::1]"), ("[::1]", "http://[::1]:5000"),
        ("192.0.2.7", "https://192.0.2.7"), ("[2001:db8::1]:8443", "https://[2001:DB8::1]:8443"),
        ("xn--bcher-kva.example", "https://xn--bcher-kva.example"), ("a_b.example.com", "https://a_b.example.com"),
        ("null", "https://null"), (extensionOrigin, extensionOrigin),
        ("capacitor://localhost", "capacitor://localhost"), ("ionic://localhost", "ionic://localhost"),
        ("tauri://localhost", "tauri://localhost"), ("app://localhost", "app://localhost"),
        (firefoxOrigin, firefoxOrigin),
    ]

    @Test(arguments: matching) func `an origin of the domain`(domain: String, origin: String) throws {
        let domain = try #require(AuthorizedDomain(domain))
        #expect(domain.matches(origin: origin))
    }

    static let foreign = [
        // The name of another site that contains ours.
        ("example.com", "https://evil-example.com"), ("example.com", "https://evilexample.com"),
        ("example.com", "https://example.com.evil.com"), ("example.com", "https://example.comevil.com"),
        ("example.com", "https://example.co"), ("example.com", "https://www.example.com"),
        ("*.example.com", "https://evil-example.com"), ("*.example.com", "https://evilexample.com"),
        ("*.example.com", "https://a.example.com.evil.com"), ("localhost", "http://localhost.evil.com"),
        ("localhost", "http://evil.localhost"), ("127.0.0.1", "http://127.0.0.1.evil.com"),
        ("192.0.2.7", "https://192.0.2.71"), ("192.0.2.7", "https://1.192.0.2.7"),
        // A wildcard is for subdomains only.
        ("*.example.com", "https://example.com"), ("*.example.com", "https://.example.com"),
        ("*.example.com", "https://a..example.com"), ("*.example.com", "https://*.example.com"),
        ("*.example.com", "https://a.example.com."), ("*.example.com", "https://com"),
        // Schemes.
        ("example.com", "http://example.com"), ("example.com:8080", "http://example.com:8080"),
        ("*.example.com", "http://a.example.com"), ("192.0.2.7", "http://192.0.2.7"),
        ("[2001:db8::1]", "http://[2001:db8::1]"),
        // Ports.
        ("example.com", "https://example.com:8443"), ("example.com", "https://example.com:80"),
        ("example.com:8443", "https://example.com"), ("example.com:8443", "https://example.com:443"),
        ("example.com:8443", "https://example.com:18443"), ("*.example.com", "https://a.example.com:8443"),
        ("localhost", "https://localhost:5173"), ("localhost:5173", "http://localhost:5174"),
        ("localhost:5173", "http://localhost"), ("localhost:443", "http://localhost"),
        // The loopback hosts are three, and an address is not another one.
        ("localhost", "http://127.0.0.1"), ("127.0.0.1", "http://localhost"), ("127.0.0.1", "http://127.0.0.2"),
        ("127.0.0.1", "http://127.1"), ("127.0.0.1", "http://0x7f.0.0.1"), ("127.0.0.1", "http://2130706433"),
        ("[::1]", "http://[0:0:0:0:0:0:0:1]"), ("[::1]", "http://[::ffff:7f00:1]"), ("[::1]", "http://[::]"),
        // Extensions.
        (extensionOrigin, "https://abcdefghijklmnopabcdefghijklmnop"),
        (extensionOrigin, "chrome-extension://bbcdefghijklmnopabcdefghijklmnop"),
        ("abcdefghijklmnopabcdefghijklmnop", extensionOrigin),
        // Hybrid apps.
        ("localhost", "capacitor://localhost"), ("localhost", "tauri://localhost"), ("localhost", firefoxOrigin),
        ("capacitor://localhost", "ionic://localhost"), ("capacitor://localhost", "http://localhost"),
        ("capacitor://localhost", "https://localhost"),
        (firefoxOrigin, "moz-extension://7a0c3a4e-5d3b-4c1c-9d55-0d9a0f2d7f12"),
    ]

    @Test func `only origins of hybrid apps, and of Firefox's extensions, are those of many apps`() throws {
        let shared = [
            "capacitor://localhost", "ionic://localhost", "tauri://localhost", Self.firefoxOrigin, "https://localhost",
            "https://LOCALHOST:443", "app://localhost",
        ]
        for text in shared { #expect(try #require(WebOrigin(text)).isOfManyApps, "\(text)") }
        let own = [
            "https://app.example.com", "http://localhost", "http://localhost:5173", "https://localhost:5173",
            Self.extensionOrigin, "https://127.0.0.1",
        ]
        for text in own { #expect(try !#require(WebOrigin(text)).isOfManyApps, "\(text)") }
    }

    @Test(arguments: foreign) func `an origin that is not of the domain`(domain: String, origin: String) throws {
        let domain = try #require(AuthorizedDomain(domain))
        #expect(!domain.matches(origin: origin))
    }

    static let unreadableOrigins = [
        "", "null", "*", "https://", "https:///", "https://example.com/", "https://example.com/path",
        "https://example.com?", "https://example.com#", "https://example.com\\", "https://user@example.com",
        "https://user:word@example.com", "https://example.com@evil.com", "https://@example.com",
        "https://example.com.", "https://.example.com", "https://example..com", "https://example.com:",
        "https://example.com:0", "https://example.com:0443", "https://example.com:65536",
        "https://example.com:99999999999999999999", "https://example.com:443:443", "https://example.com:+443",
        "https://example.com:-1", "https://example.com:4 4", " https://example.com", "https://example.com ",
        "https://example.com\t", "https://example.com\n", "https://example.com\0", "https://exam\0ple.com",
        "https://example.com, https://example.com", "https://example.com https://example.com", "https:/example.com",
        "https:example.com", "//example.com", "example.com", "HTTPS://example.com", "Http://localhost",
        "ftp://example.com", "wss://example.com", "file://", "blob:https://example.com", "https://ex%61mple.com",
        "https://example\u{3002}com", "https://\u{435}xample.com", "https://b\u{FC}cher.example",
        "http://\u{FF11}27.0.0.1", "https://[example.com]", "http://[::1", "http://::1", "http://[::1]x",
        "http://[::1]:", "http://[::1]]", "http://[[::1]]", "http://[]", "http://[:1]", "http://[::1%25lo]",
        "http://[::ffff:127.0.0.1]", "chrome-extension://", "chrome-extension://abc",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnoq", "\(extensionOrigin)/", "\(extensionOrigin):443",
        "CHROME-EXTENSION://abcdefghijklmnopabcdefghijklmnop", "moz-extension://abcdefghijklmnopabcdefghijklmnop",
        "capacitor://evil.example", "capacitor://localhost:80", "capacitor://localhost/", "ionic://",
        "tauri://localhost.", "app://evil.example",
        "tauri://LOCALHOST", "\(firefoxOrigin)/", "moz-extension://*",
        "https://" + String(repeating: "a", count: 64), "https://" + String(repeating: "a.", count: 130) + "com",
    ]

    @Test(arguments: unreadableOrigins) func `a text that is no origin`(text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test func `a text that is too long is no origin and no entry`() {
        let text = String(repeating: "a.", count: 50_000) + "com"
        #expect(WebOrigin("https://" + text) == nil)
        #expect(AuthorizedDomain(text) == nil)
        #expect(AuthorizedDomain("*." + text) == nil)
    }

    static let unreadableDomains = [
        "", "*", "*.", "*.com", "*.localhost", "*.example.com:443", "**.example.com", "*example.com",
        "a.*.example.com", "*.*.example.com", "*.0.0.1", "*.127.0.0.1", "*.[::1]", "https://example.com",
        "http://localhost", "example.com/", "example.com.", ".example.com", "example..com", "exam ple.com",
        " example.com", "example.com ", "user@example.com", "example.com:", "example.com:0", "example.com:0443",
        "example.com:65536", "example.com:https", "b\u{FC}cher.example", "*.b\u{FC}cher.example", "[::1", "::1",
        "[::1]:", "[::1]:0", "[0:0:0:0:0:0:0:1]", "[2001:db8::g]", "[2001:db8::1%lo]", "[::1::]", "127.1",
        "127.0.0.01", "256.0.0.1", "2130706433", "0x7f000001", "example.0x7f", "chrome-extension://",
        "chrome-extension://abc", "chrome-extension://*", "\(extensionOrigin)/",
        "chrome-extension://ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP", String(repeating: "a", count: 64),
        String(repeating: "a.", count: 127) + "com",
    ]

    @Test(arguments: unreadableDomains) func `a text that is no entry`(text: String) {
        #expect(AuthorizedDomain(text) == nil)
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("Example.com:8443", "example.com"), ("*.example.com", "example.com"),
        ("[::1]:5173", "[::1]"), (extensionOrigin, extensionOrigin),
    ])
    func `the SDK for JavaScript gets the host`(domain: String, host: String) throws {
        let domain = try #require(AuthorizedDomain(domain))
        #expect(domain.clientText == host)
    }
}
