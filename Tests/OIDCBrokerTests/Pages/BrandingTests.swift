// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The operator's branding of pages.
struct BrandingTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    private static func page(_ configure: (inout BrokerConfiguration.Branding) -> Void) throws -> BrokerResponse {
        try Installation { configure(&$0.branding) }.get(Installation.handler + "?state=x&code=y")
    }

    @Test func `without one, pages name the host`() throws {
        let page = try Self.page { _ in }
        #expect(page.text.contains("<header><bdi>auth.example.com</bdi></header>"))
        #expect(!page.text.contains("<footer>") && !page.text.contains("<img"))
    }

    @Test func `every page says whose it is, and links the notices`() throws {
        let page = try Self.page {
            $0.operatorName = "Acme <b> & Co"
            $0.imprint = "https://acme.example/legal?a=1&b=2"
            $0.privacy = "https://acme.example/privacy"
        }
        #expect(page.text.contains("<header><bdi>Acme &lt;b&gt; &amp; Co</bdi></header>"))
        #expect(
            page.text.contains("<a id=\"imprint\" href=\"https://acme.example/legal?a=1&amp;b=2\">Legal notice</a>"))
        #expect(page.text.contains("<a id=\"privacy\" href=\"https://acme.example/privacy\">Privacy</a>"))
    }

    @Test func `a logo is part of the page, and nothing else may be loaded`() throws {
        let page = try Self.page {
            $0.logo = Self.png
            $0.operatorName = "Acme"
        }
        #expect(page.text.contains("<header><img src=\"data:image/png;base64,iVBORw0KGgoA\" alt=\"Acme\"></header>"))
        let policy = try #require(page.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("; img-src data:;"))
        let plain = try Self.page { _ in }
        #expect(plain.head.headerFields[.contentSecurityPolicy]?.contains("img-src") == false)
    }

    @Test func `colors and rules come after the stylesheet of the pages, under its hash`() throws {
        let page = try Self.page {
            $0.accentColor = "#7a0026"
            $0.darkAccentColor = "#ffB3c7"
            $0.stylesheet = "main{border:0}"
        }
        #expect(page.text.contains(":root{--accent:#7a0026;--on-accent:#ffffff}"))
        #expect(
            page.text.contains(
                "@media (prefers-color-scheme:dark){:root{--accent:#ffb3c7;--on-accent:#000000}}\nmain{border:0}</style>"
            ))
        let style = try #require(page.text.firstMatch(of: /<style>(.*?)<\/style>/.dotMatchesNewlines()))
        let hash = Stylesheet(String(style.1)).sourceExpression
        #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("style-src \(hash)") == true)
    }

    @Test func `line breaks are those that a parser of HTML makes, so that the hash is right`() throws {
        let page = try Self.page { $0.stylesheet = "main{\r\nborder:0}\rp{}\n" }
        #expect(page.text.contains("main{\nborder:0}\np{}\n</style>"))
        #expect(!page.text.utf8.contains(UInt8(ascii: "\r")))
    }

    private typealias Change = @Sendable (inout BrokerConfiguration.Branding) -> Void

    private static let unusable: [(String, Change)] = [
        ("operator", { $0.operatorName = "a\u{202E}" }), ("operator", { $0.operatorName = "" }),
        ("logo", { $0.logo = [] }), ("logo", { $0.logo = Array("GIF89a".utf8) }),
        ("logo", { $0.logo = png + [UInt8](repeating: 0, count: 65_536 - png.count + 1) }),
        ("accent-color", { $0.accentColor = "red" }), ("accent-color", { $0.accentColor = "#12345" }),
        // A contrast of 4.48 to the light card, and of 4.46 to the dark one.
        ("accent-color", { $0.accentColor = "#777777" }), ("dark-accent-color", { $0.darkAccentColor = "#838383" }),
        ("imprint", { $0.imprint = "http://acme.example" }), ("privacy", { $0.privacy = "javascript:alert(1)" }),
        ("stylesheet", { $0.stylesheet = "</style>" }), ("stylesheet", { $0.stylesheet = "a\u{0}" }),
        ("stylesheet", { $0.stylesheet = String(repeating: "a", count: 65_537) }),
    ]

    @Test func `what cannot be shown is an error of its key`() {
        for (key, change) in Self.unusable {
            let error = #expect(throws: BrokerConfigurationError.self) { try Installation { change(&$0.branding) } }
            #expect(error?.errors.map(\.key) == ["auth.branding." + key])
        }
    }

    @Test func `the largest logo and stylesheet, and colors just within the contrast, are accepted`() throws {
        let page = try Self.page {
            $0.logo = Self.png + [UInt8](repeating: 0, count: 65_536 - Self.png.count)
            $0.stylesheet = String(repeating: "a", count: 65_536)
            $0.accentColor = "#767676"
            $0.darkAccentColor = "#848484"
        }
        #expect(page.status == 400)
    }

    @Test(
        arguments: [
            ("https://accounts.google.com", ProviderMark.google),
            ("https://login.microsoftonline.com/common/v2.0", .microsoft),
            ("https://accounts.google.com.evil.example", nil),
            ("https://login.example.com", nil),
        ] as [(String, ProviderMark?)])
    func `the mark of a provider is known by its issuer`(issuer: String, mark: ProviderMark?) {
        let provider = BrokerConfiguration.Provider(name: "x", issuer: issuer, clientID: "c", clientSecret: nil)
        #expect(ProviderMark(provider) == mark)
    }

    @Test func `colors of the pages: texts at least 4.5, borders of controls at least 3`() throws {
        let blocks = Stylesheet.shared.text.split(separator: "@media (prefers-color-scheme:dark)").map(String.init)
        for block in [blocks[0], blocks[1]] {
            var colors: [String: Color] = [:]
            for match in block.matches(of: /--([a-z-]+):(#[0-9a-f]{3,6})/) where colors[String(match.1)] == nil {
                let text = String(match.2)
                colors[String(match.1)] = Color(
                    text.count == 4 ? "#" + text.dropFirst().map { "\($0)\($0)" }.joined() : text)
            }
            let card = try #require(colors["card"])
            let ground = try #require(colors["ground"])
            for name in ["text", "quiet", "accent", "good", "bad"] {
                #expect(try #require(colors[name]).contrast(with: card) >= 4.5, "\(name)")
            }
            #expect(try #require(colors["quiet"]).contrast(with: ground) >= 4.5)
            #expect(try #require(colors["accent"]).contrast(with: ground) >= 4.5)
            #expect(try #require(colors["on-accent"]).contrast(with: try #require(colors["accent"])) >= 4.5)
            #expect(try #require(colors["control"]).contrast(with: card) >= 3)
        }
        #expect(Color.lightCard.text == "#ffffff" && Color.darkCard.text == "#191d23")
        #expect(Stylesheet.shared.text.contains("--card:#fff;") && Stylesheet.shared.text.contains("--card:#191d23;"))
    }
}
