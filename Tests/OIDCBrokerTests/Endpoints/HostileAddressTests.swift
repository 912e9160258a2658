// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Addresses that are to send a user somewhere else, wherever the broker takes an address: the destination of a login in
/// process, the redirect URI of an app, and where it wants its users after a logout.
@Suite(.attack(.openRedirection, .nearlyARedirectURI)) struct HostileAddressTests {
    private static let loginPath = "/__/auth/login/site?to="
    private static let logoutPath = "/__/auth/logout"

    /// How an address stands in a request.
    enum Spelling: CaseIterable, Sendable {
        /// Every character that may be encoded is.
        case encoded
        /// As it is, so that what it has of encodings is decoded once. The bytes that separate parameters, and those that
        /// no request line has, are encoded.
        case asItIs

        fileprivate func write(_ address: String) -> String {
            guard self == .asItIs else { return Query.encode(address) }
            return address.utf8.reduce(into: "") { text, byte in
                let isPlain = (0x21...0x7E).contains(byte) && !"#&+".utf8.contains(byte)
                text += isPlain ? String(UnicodeScalar(byte)) : Query.encodedByte(byte)
            }
        }
    }

    /// Other origins, in every way in which a browser might read one.
    static let otherOrigins = [
        "//thief.example", "///thief.example/in", "////thief.example", "//thief.example:443/in", "//thief.example./",
        "//thief%2Eexample/", "//[2001:db8::1]/in", "//0x7f.1/in", "//127.1:9/in", "//127.0.0.1:51004@thief.example/in",
        "//auth.example.com/", "//auth.example.com@thief.example/", "//auth.example.com:x@thief.example/",
        "/\\thief.example", "\\/thief.example", "\\\\thief.example\\in", "/\\/thief.example/in", "/in\\..\\..\\thief",
        "/%5Cthief.example", "/in/%5c%5cthief.example", "/%2Fthief.example", "/%2f%2Fthief.example",
        "%2F%2Fthief.example",
        "/%252Fthief.example", "/%25252fthief.example", "/in//thief.example", "/in/..//thief.example",
        "/in/%2e%2e//thief.example", "/.//thief.example", "/..//thief.example", "/%2E//thief.example",
        "/in/..%2f..%2f/thief.example", "https://thief.example/in", "HTTPS://thief.example/in", "https:thief.example",
        "https:/thief.example/in", "https:\\\\thief.example", "https://auth.example.com/",
        "https://auth.example.com.thief.example/", "https://auth.example.com\\.thief.example/",
        "https://shop.example/callback\\@thief.example", "https://shop.example/callback#@thief.example",
        "https://shop.example/callback;@thief.example", "https://shop.example?@thief.example/callback",
        "https://shop.example:443/callback", "https://shop.example:@thief.example/callback",
        "https://shop.example%2f@thief.example/callback", "https://[shop.example]/callback",
        "http://shop.example/callback", "http://127.0.0.1:51004@thief.example/callback",
        "http://127.0.0.1:51004%40thief.example/callback", "http://127.0.0.1.thief.example/callback",
        "http://127.0.0.1:51004\\callback", "com.example.phone:/callback/../thief",
        "com.example.phone://thief.example/callback", "com.example.phone.thief:/callback", "@thief.example", ":443/in",
        ".thief.example", "thief.example/in", "in", "./in", "../in", "?in", "#in",
    ]

    /// Characters that parsers skip, split at, or take for others.
    static let strangeCharacters = [
        "\t//thief.example", " //thief.example", "/\t/thief.example", "/\n/thief.example", "/\r\n/thief.example",
        "/ /thief.example", "/in\r\nLocation: https://thief.example", "/in\nSet-Cookie: s=thief",
        "\u{0}//thief.example",
        "/\u{0}/thief.example", "/%00//thief.example", "/%09/thief.example", "/%0A/thief.example", "/%0d%0aX:%20thief",
        "/%7f/thief.example", "/in%", "/in%2", "/in%2x", "/in%u002fthief", "/%C0%AFthief.example/%2f",
        "/\u{2044}thief.example", "/\u{2215}thief.example", "\u{FF0F}\u{FF0F}thief.example", "/\u{FF3C}thief.example",
        "//thief\u{3002}example", "//th\u{131}ef.example", "/\u{200B}/thief.example", "/\u{FEFF}/thief.example",
        "/\u{202E}elpmaxe.feiht//", "/\u{AD}/thief.example", "/\u{85}/thief.example", "/\u{2028}/thief.example",
        "https://shop.example\u{2024}thief.example/callback", "https://shop\u{3002}example/callback",
        "https://shop.example/callback\u{301}", "https://shop.example/callback\t",
        "http\u{17F}://shop.example/callback",
    ]

    /// Schemes that run, open or show something.
    static let schemes = [
        "javascript:alert('thief')", "JavaScript://shop.example/%0aalert('thief')", "java\tscript:alert('thief')",
        "javascript&colon;alert('thief')", "vbscript:thief", "data:text/html,<b>thief</b>", "data:,thief",
        "blob:https://shop.example/thief", "filesystem:https://shop.example/thief", "file://thief.example/share",
        "ftp://thief.example/", "intent://thief.example/#Intent;scheme=https;end", "about:blank#thief",
        "view-source:https://thief.example", "urn:thief", "mailto:thief@thief.example", "tel:+1", "ws://thief.example/",
    ]

    /// The broker's own paths, to which a destination must not lead either.
    static let ownPaths = [
        "/__/auth", "/__/auth/", "/__/auth?x=thief", "/__/auth/authorize?client_id=shop", "/__/AUTH/handler",
        "/__/auth/login/site?to=/", "/__/auth/logout?client_id=shop", "/%5F%5F/auth/handler", "/_%5f/%61uth/handler",
        "/__/auth%2Fhandler", "/in/../__/auth/handler", "/in/%2e%2e/__/auth/handler", "/./__/auth/handler",
        "/__//auth/handler", "//__/auth/handler", "/__/auth/../auth/handler", "/__/./auth/handler",
        "/__\\auth\\handler", "/%2e/__/auth/handler",
    ]

    static let all = otherOrigins + strangeCharacters + schemes + ownPaths

    private static func installation() throws -> Installation {
        try Installation(signInHandlers: ["site": SignInHandler { _ in .redirect() }]) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
            $0.apps[0].postLogoutRedirectURIs = ["https://shop.example/callback", "http://127.0.0.1/callback"]
            $0.apps[3].postLogoutRedirectURIs = ["com.example.phone:/callback"]
        }
    }

    /// A page that says that nothing begins here, and neither goes nor links anywhere but to the root of the app.
    private static func expectEnd(
        _ response: BrokerResponse, _ title: String, of app: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let back = app.map { "href=\"https://\($0).example/\"" }
        let text = back.map { response.text.replacing($0, with: "") } ?? response.text
        #expect(response.status == 400, sourceLocation: sourceLocation)
        #expect(response.heading == title, sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.location] == nil, sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
        for mark in ["thief", "feiht", "href", "<form"] {
            #expect(!text.contains(mark), sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: HostileAddressTests.all)
    func `no login in process begins with it`(address: String) throws {
        let installation = try Self.installation()
        for spelling in Spelling.allCases {
            let response = try installation.get(Self.loginPath + spelling.write(address))
            Self.expectEnd(response, "This sign-in cannot begin")
        }
        #expect(installation.provider.requests.isEmpty)
    }

    @Test(arguments: HostileAddressTests.all)
    func `no app has it for its redirect URI, in a query or in a form`(address: String) throws {
        let installation = try Self.installation()
        let apps: [(AppClient, String?)] = [(.shop, "shop"), (.back, "back"), (.desk, nil), (.phone, nil)]
        for (app, name) in apps {
            for spelling in Spelling.allCases {
                let others = Query.encode(app.parameters.filter { $0.0 != "redirect_uri" })
                let parameters = others + "&redirect_uri=" + spelling.write(address)
                let title = "This sign-in cannot begin"
                Self.expectEnd(try installation.get("/__/auth/authorize?" + parameters), title, of: name)
                var browser = Browser(installation)
                let posted = try browser.post(
                    "/__/auth/authorize", body: parameters, site: .crossSite, origin: "https://shop.example")
                Self.expectEnd(posted, title, of: name)
            }
        }
        #expect(installation.provider.requests.isEmpty)
    }

    @Test(arguments: HostileAddressTests.all)
    func `no logout ends there`(address: String) throws {
        let installation = try Self.installation()
        for app in ["shop", "back-office", "desk", "phone"] {
            for spelling in Spelling.allCases {
                let parameters = "client_id=\(app)&state=s&post_logout_redirect_uri=" + spelling.write(address)
                var browser = Browser(installation)
                try Self.expectNoWay(try browser.get(Self.logoutPath + "?" + parameters), &browser)
                let posted = try browser.post(
                    Self.logoutPath, body: parameters, site: .crossSite, origin: "https://shop.example")
                try Self.expectNoWay(posted, &browser)
            }
        }
    }

    /// The user is asked, or the request is refused. Whatever follows, no page leads there.
    private static func expectNoWay(
        _ response: BrokerResponse, _ browser: inout Browser, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var pages = [response]
        if response.status == 200 {
            pages.append(try browser.submit(response))
            #expect(pages[1].heading == "Sign-out is finished", sourceLocation: sourceLocation)
        } else {
            #expect(response.heading == "This sign-out does not work", sourceLocation: sourceLocation)
        }
        for page in pages {
            #expect(page.head.headerFields[.location] == nil, sourceLocation: sourceLocation)
            #expect(!page.text.contains("thief") && !page.text.contains("feiht"), sourceLocation: sourceLocation)
        }
    }

    // What the handler says is trusted no more than what the browser brings.
    @Test(arguments: HostileAddressTests.all)
    func `no handler sends a user there`(address: String) throws {
        let installation = try Installation(signInHandlers: ["site": SignInHandler { _ in .redirect(to: address) }]) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
        }
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site"))
        let response = try browser.bring(try installation.provider.signIn(request))
        #expect(response.status == 500)
        #expect(response.head.headerFields[.location] == nil)
        #expect(!response.text.contains("thief"))
    }

    @Test func `other addresses do begin, so the tests above can fail`() throws {
        let installation = try Self.installation()
        for spelling in Spelling.allCases {
            #expect(try installation.get(Self.loginPath + spelling.write("/in?x=%2F%2Fthief")).status == 303)
            let parameters =
                "client_id=shop&post_logout_redirect_uri=" + spelling.write("https://shop.example/callback")
            var browser = Browser(installation)
            let asked = try browser.get(Self.logoutPath + "?" + parameters)
            #expect(try Location(try browser.submit(asked)).text == "https://shop.example/callback")
        }
        #expect(try installation.get(AppClient.shop.target()).status == 303)
    }
}

extension Query {
    /// A byte as `%XX`.
    fileprivate static func encodedByte(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
}
