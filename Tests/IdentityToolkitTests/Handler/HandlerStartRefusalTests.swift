// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@testable import IdentityToolkit

/// Starts at the handler page that are refused, each by the name of its parameter.
struct HandlerStartRefusalTests {
    private typealias Queries = HandlerQueries

    /// A start with one fault.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let app: SDKApp
        let changes: [String: String?]
        let expected: HandlerStartError

        init(
            _ description: String, _ text: String, _ app: SDKApp, _ changes: [String: String?],
            _ code: HandlerStartError.Code, _ parameter: HandlerParameter, member: String? = nil
        ) {
            testDescription = description
            self.text = text
            self.app = app
            self.changes = changes
            expected = HandlerStartError(code, parameter, member: member)
        }
    }

    private static func web(
        _ description: String, _ changes: [String: String?], _ code: HandlerStartError.Code,
        _ parameter: HandlerParameter, member: String? = nil
    ) -> Row {
        Row(description, HandlerQueries.javaScriptText, HandlerQueries.web, changes, code, parameter, member: member)
    }

    private static func ios(
        _ description: String, _ changes: [String: String?], _ code: HandlerStartError.Code,
        _ parameter: HandlerParameter
    ) -> Row {
        Row(description, HandlerQueries.iosText, HandlerQueries.ios, changes, code, parameter)
    }

    private static func android(
        _ description: String, _ changes: [String: String?], _ code: HandlerStartError.Code,
        _ parameter: HandlerParameter
    ) -> Row {
        Row(description, HandlerQueries.androidText, HandlerQueries.android, changes, code, parameter)
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// An app whose pages may also be in a hybrid app.
    private static let hybridApp = SDKApp(
        name: HandlerQueries.web.name, apiKey: HandlerQueries.web.apiKey,
        authorizedDomains: [
            "localhost", "capacitor://localhost", "ionic://localhost", "tauri://localhost",
            AuthorizedDomainTests.firefoxOrigin,
        ])

    private static func hybrid(_ origin: String) -> Row {
        Row(
            "a page of every hybrid app, \(origin)", HandlerQueries.javaScriptText, hybridApp,
            ["redirectUrl": origin + "/"], .notAllowed, .redirectURL)
    }

    static let rows = [
        hybrid("https://localhost"), hybrid("capacitor://localhost"), hybrid("ionic://localhost"),
        hybrid("tauri://localhost"), hybrid(AuthorizedDomainTests.firefoxOrigin),
        web("no authType", ["authType": nil], .missing, .authType),
        web("an authType that is not known", ["authType": "verifyApp"], .unknown, .authType),
        web("an authType in another case", ["authType": "signinviapopup"], .unknown, .authType),
        web("a tenant", ["tid": "acme"], .unsupported, .tenant),
        web("no page", ["redirectUrl": nil], .missing, .redirectURL),
        web("an empty page", ["redirectUrl": ""], .missing, .redirectURL),
        web("a page elsewhere", ["redirectUrl": "https://evil.example/"], .notAllowed, .redirectURL),
        web("a page over http", ["redirectUrl": "http://app.example.com/"], .notAllowed, .redirectURL),
        web("a page at another port", ["redirectUrl": "https://app.example.com:444/"], .notAllowed, .redirectURL),
        web("a subdomain", ["redirectUrl": "https://x.app.example.com/"], .notAllowed, .redirectURL),
        web("a longer domain", ["redirectUrl": "https://app.example.com.evil.example/"], .notAllowed, .redirectURL),
        web("a trailing dot", ["redirectUrl": "https://app.example.com./"], .invalid, .redirectURL),
        web("user information", ["redirectUrl": "https://app.example.com@evil.example/"], .invalid, .redirectURL),
        web("a backslash", ["redirectUrl": #"https://app.example.com\@evil.example/"#], .invalid, .redirectURL),
        web("a name beyond ASCII", ["redirectUrl": "https://b\u{FC}cher.example/"], .invalid, .redirectURL),
        web("a script", ["redirectUrl": "javascript:alert(1)"], .invalid, .redirectURL),
        web("a path", ["redirectUrl": "//app.example.com/"], .invalid, .redirectURL),
        web("a line break", ["redirectUrl": "https://app.example.com/\r\nx"], .invalid, .redirectURL),
        web(
            "a space", ["authType": "signInViaRedirect", "redirectUrl": "https://app.example.com/ x"], .invalid,
            .redirectURL),
        web(
            "a page too long",
            ["authType": "signInViaRedirect", "redirectUrl": "https://app.example.com/" + a(8192 - 23)], .tooLong,
            .redirectURL),
        web("an older SDK", ["v": "8.6.2"], .tooOld, .version),
        web("an older SDK, which sends no page", ["v": "8.6.2", "redirectUrl": nil], .tooOld, .version),
        web("an event too long", ["eventId": a(401)], .tooLong, .eventID),
        web("an event with a control character", ["eventId": "a\u{7}"], .invalid, .eventID),
        web("an event with NUL", ["eventId": "a\0"], .invalid, .eventID),
        web("a session of a page", ["sessionId": "x"], .unsupported, .sessionID),
        web("no JSON", ["customParameters": "login_hint=joe"], .invalid, .customParameters),
        web("an array", ["customParameters": "[]"], .invalid, .customParameters),
        web("a number", ["customParameters": #"{"max_age":1}"#], .invalid, .customParameters, member: "max_age"),
        web("an object inside", ["customParameters": #"{"a":{}}"#], .invalid, .customParameters),
        web("a name twice", ["customParameters": #"{"a":"1","a":"2"}"#], .invalid, .customParameters),
        web("no name", ["customParameters": #"{"":"1"}"#], .invalid, .customParameters),
        web("a name beyond ASCII", ["customParameters": #"{"ä":"1"}"#], .invalid, .customParameters),
        web("a name too long", ["customParameters": "{\"\(a(65))\":\"1\"}"], .invalid, .customParameters),
        web(
            "a control character", ["customParameters": #"{"a":"\u0000"}"#], .invalid, .customParameters, member: "a"),
        web(
            "custom parameters too long", ["customParameters": "{\"a\":\"\(a(4097 - 8))\"}"], .tooLong,
            .customParameters),
        web("scopes too long", ["scopes": a(1025)], .tooLong, .scopes),
        web("a scope with a space", ["scopes": "a b"], .invalid, .scopes),
        web("a scope with a quote", ["scopes": "a\""], .invalid, .scopes),
        web("a scope with a backslash", ["scopes": "a\\b"], .invalid, .scopes),
        web("a language too long", ["hl": a(36)], .tooLong, .language),
        web("a language with a space", ["hl": "de en"], .invalid, .language),
        web("a language with a dot", ["hl": "de.UTF-8"], .invalid, .language),

        ios("no bundle ID", ["ibi": nil], .missing, .bundleID),
        ios("another bundle ID", ["ibi": "com.acme.other"], .notAllowed, .bundleID),
        ios("a bundle ID in another case", ["ibi": "com.acme.App"], .notAllowed, .bundleID),
        ios("another client", ["clientId": "456-abc.apps.googleusercontent.com"], .notAllowed, .clientID),
        ios("no client and no app", ["clientId": nil], .missing, .googleAppID),
        ios("another app", ["clientId": nil, "appId": "1:123:ios:abd"], .notAllowed, .googleAppID),
        ios("no event", ["eventId": nil], .missing, .eventID),
        ios("no session", ["sessionId": nil], .missing, .sessionID),
        ios("an empty session", ["sessionId": ""], .missing, .sessionID),
        ios("a session too long", ["sessionId": a(513)], .tooLong, .sessionID),
        ios("a page instead", ["authType": "signInViaPopup"], .notAllowed, .authType),

        android("no package", ["apn": nil], .missing, .packageName),
        android("another package", ["apn": "com.acme.app2"], .notAllowed, .packageName),
        android("no certificate", ["sha1Cert": nil], .missing, .certificate),
        android("another certificate", ["sha1Cert": String(repeating: "e", count: 40)], .notAllowed, .certificate),
        android(
            "a certificate with colons", ["sha1Cert": "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33"],
            .notAllowed, .certificate),
        android("a control character in another value", ["apn": "com.acme.app\0"], .invalid, .packageName),
        android(
            "a session too long", ["sessionId": String(repeating: "\u{FFFD}", count: 171)], .tooLong, .sessionID),
    ]

    @Test(arguments: rows) func `a start with a fault`(row: Row) {
        #expect(Queries.error(row.text, row.app, row.changes) == row.expected)
        #expect(row.expected.description.contains(row.expected.parameter?.rawValue ?? "the query"))
    }

    @Test func `what is just within its limit is taken`() throws {
        let limits: [String: String] = [
            "redirectUrl": "https://app.example.com/" + Self.a(8192 - 24), "eventId": Self.a(400),
            "customParameters": "{\"a\":\"\(Self.a(4096 - 8))\"}", "scopes": Self.a(1024), "hl": Self.a(35),
        ]
        for (name, value) in limits {
            let changes: [String: String?] = ["authType": "signInViaRedirect", name: value]
            #expect(Queries.error(Queries.javaScriptText, Queries.web, changes) == nil, "\(name)")
        }
        for session in [Self.a(512), String(repeating: "\0", count: 512), String(repeating: "\u{FFFD}", count: 170)] {
            #expect(Queries.error(Queries.androidText, Queries.android, ["sessionId": session]) == nil)
        }
    }

    @Test func `the port and the ASCII form of a name may be configured`() {
        for page in ["https://app.example.com:8443/", "https://xn--bcher-kva.example/", "http://localhost:5173/#/a"] {
            #expect(Queries.error(Queries.javaScriptText, Queries.web, ["redirectUrl": page]) == nil, "\(page)")
        }
    }

    @Test func `an app that has no handler page is named by nothing`() {
        let bare = (
            ios: SDKApp(name: "ios", kind: .ios, apiKey: "ios-4f1c0000"),
            android: SDKApp(name: "android", kind: .android, apiKey: "android-4f1c0000")
        )
        #expect(Queries.error(Queries.iosText, bare.ios, [:]) == HandlerStartError(.notAllowed, .bundleID))
        #expect(Queries.error(Queries.androidText, bare.android, [:]) == HandlerStartError(.notAllowed, .packageName))
    }

    @Test func `what is asked for is looked at before where the result goes, and that before the rest`() {
        let changes: [String: String?] = ["eventId": Self.a(401), "redirectUrl": "https://evil.example/"]
        #expect(
            Queries.error(Queries.javaScriptText, Queries.web, changes) == HandlerStartError(.notAllowed, .redirectURL))
        let all = changes.merging(["authType": "x"]) { _, new in new }
        #expect(Queries.error(Queries.javaScriptText, Queries.web, all) == HandlerStartError(.unknown, .authType))
    }

    @Test(arguments: [
        ("apiKey=a&apiKey=a", HandlerStartError(.duplicate, .apiKey)),
        ("apiKey=a&sessionId=1&sessionId=", HandlerStartError(.duplicate, .sessionID)),
        ("apiKey=a&else=1&else=2", HandlerStartError(.duplicate)),
        ("apiKey=%zz", HandlerStartError(.unreadable)),
        ("apiKey=%ff", HandlerStartError(.unreadable)),
        ("sessionId=a\u{7F}", HandlerStartError(.unreadable)),
        (String(repeating: "a&", count: 101), HandlerStartError(.unreadable)),
        ("eventId=" + String(repeating: "a", count: 16_384 - 7), HandlerStartError(.tooLong)),
    ])
    func `a query that cannot be read`(text: String, expected: HandlerStartError) {
        #expect(throws: expected) { try HandlerQuery(text[...]) }
    }

    @Test func `the key and the provider must be there`() throws {
        let query = try HandlerQuery("apiKey=&eventId="[...])
        #expect(throws: HandlerStartError(.missing, .apiKey)) { try query.apiKey() }
        #expect(throws: HandlerStartError(.missing, .providerID)) { try query.providerID() }
        for id in [Self.a(129), "oidc.%C3%A4", "a%20b"] {
            let other = try HandlerQuery("providerId=\(id)"[...])
            #expect(throws: HandlerStartError(.unknown, .providerID)) { try other.providerID() }
        }
    }
}
