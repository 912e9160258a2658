// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Starts at the handler page: what goes to the provider, and what a page says of those that are refused.
struct HandlerStartPageTests {
    /// A start that is refused, and what its page names.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let query: [(String, String)]
        let cause: String
        var testDescription: String { "\(cause): \(Query.encode(query).prefix(400))" }

        init(_ query: [(String, String)], _ cause: String) {
            self.query = query
            self.cause = cause
        }
    }

    private static func web(_ changes: [String: String?]) -> [(String, String)] {
        HandlerBrowser.web(.signInViaPopup, changes)
    }

    static let keysAndTypes: [Refusal] = [
        Refusal(web(["apiKey": "web-4f1c0001"]), "apiKey"), Refusal(web(["apiKey": ""]), "apiKey"),
        Refusal(web(["apiKey": "another-key", "providerId": "no", "authType": "no"]), "apiKey"),
        Refusal(web(["providerId": "phone", "authType": "no"]), "authType"),
        Refusal(web(["authType": nil]), "authType"), Refusal(web(["authType": "verifyApp"]), "authType"),
        Refusal(web(["authType": "signinviapopup"]), "authType"),
        Refusal(web(["authType": "signInWithRedirect"]), "authType"),
        Refusal(HandlerBrowser.ios(["authType": "signInViaPopup"]), "authType"),
        Refusal(HandlerBrowser.android(["authType": "signInViaRedirect"]), "authType"),
        Refusal(web([:]) + [("apiKey", ToolkitInstallation.apiKey)], "apiKey"),
    ]

    static let pages: [Refusal] = [
        "", "https://evil.example/", "http://app.example.com/", "https://app.example.com@evil.example/",
        "https://evil.example\\@app.example.com/", "https://app.example.com\\.evil.example/",
        "https://user:secret@app.example.com/", "https://app.example.com:8443/", "https://app.example.com./",
        "https://www.app.example.com/", "https://app.example.com.evil.example/", "https://xn--pp-7ka.example.com/",
        "https://\u{430}pp.example.com/", "https:app.example.com/", "//app.example.com/", "/app",
        "javascript:alert(1)//app.example.com", "data:text/html,app.example.com",
        "https://app.example.com%2F@evil.example/",
        "https://app.example.com\t.evil.example/", " https://app.example.com/",
    ].flatMap { page in
        [AuthType.signInViaPopup, .signInViaRedirect].map {
            Refusal(HandlerBrowser.web($0, ["redirectUrl": page]), "redirectUrl")
        }
    }

    /// A page of a redirect whose URL is longer than 8 KB.
    static let longPages: [Refusal] = {
        let page = "https://app.example.com/" + String(repeating: "a", count: RedirectURL.maximumLength - 23)
        return [Refusal(HandlerBrowser.web(.signInViaRedirect, ["redirectUrl": page]), "redirectUrl")]
    }()

    /// The SDKs below the oldest supported one. One of them does not say where the result of a popup goes.
    static let versions: [Refusal] = [
        Refusal(web(["v": "8.6.2", "redirectUrl": nil]), "v"), Refusal(web(["v": "8.10.1"]), "v"),
        Refusal(web(["v": "9.6.5"]), "v"), Refusal(web(["v": "9.6.5-20220101"]), "v"),
    ]

    static let apps: [Refusal] = [
        Refusal(HandlerBrowser.ios(["ibi": "com.acme.app2"]), "ibi"),
        Refusal(HandlerBrowser.ios(["ibi": nil]), "ibi"),
        Refusal(HandlerBrowser.ios(["ibi": "com.acme.App"]), "ibi"),
        Refusal(HandlerBrowser.ios(["clientId": "124-abc.apps.googleusercontent.com"]), "clientId"),
        Refusal(HandlerBrowser.ios(["clientId": nil, "appId": "1:123:ios:abd"]), "appId"),
        Refusal(HandlerBrowser.ios(["clientId": nil]), "appId"),
        Refusal(HandlerBrowser.ios(["eventId": nil]), "eventId"),
        Refusal(HandlerBrowser.android(["apn": "com.acme.app2"]), "apn"),
        Refusal(HandlerBrowser.android(["sha1Cert": "10112233445566778899aabbccddeeff00112233"]), "sha1Cert"),
        Refusal(HandlerBrowser.android(["sha1Cert": nil]), "sha1Cert"),
    ]

    static let events: [Refusal] = [
        Refusal(web(["eventId": String(repeating: "e", count: 401)]), "eventId")
    ]

    @Test(arguments: [keysAndTypes, pages, longPages, versions, apps, events].flatMap { $0 })
    func `a page says what is wrong, and nothing begins`(refusal: Refusal) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        for path in [HandlerBrowser.handler, HandlerBrowser.emulatorHandler] {
            let response = try await browser.get(path + "?" + Query.encode(refusal.query))
            #expect(response.head.status == .badRequest && response.head.headerFields[.location] == nil)
            let html = String(buffer: response.body)
            let cause = Self.cause(response)
            #expect(cause?.hasPrefix(refusal.cause + " ") == true, "\(cause ?? html)")
            #expect(browser.cookies == nil && !html.contains("<script"))
        }
    }

    // MARK: Events

    /// A change of a start that the app is told of, by a code and a message.
    struct Told: Sendable, CustomTestStringConvertible {
        let changes: [String: String?]
        let code: HandlerFailure.Code
        let cause: String
        var testDescription: String { cause }

        init(_ changes: [String: String?], _ code: HandlerFailure.Code, _ cause: String) {
            self.changes = changes
            self.code = code
            self.cause = cause
        }
    }

    static let mistakes: [Told] =
        [
            Told(["providerId": nil], .invalidOAuthProvider, "providerId is missing"),
            Told(["providerId": "acme.com"], .invalidOAuthProvider, "providerId is not known"),
            Told(["providerId": "phone"], .invalidOAuthProvider, "providerId is not known"),
            Told(["tid": "tenant"], .operationNotAllowed, "tid is not supported here"),
            Told(["scopes": "openid,contacts"], .operationNotAllowed, "contacts in scopes"),
            Told(["hl": "de<script>"], .argumentError, "hl is invalid"),
            Told(["customParameters": "[]"], .argumentError, "customParameters is invalid"),
            Told(["customParameters": #"{"prompt":1}"#], .argumentError, "prompt in customParameters"),
            Told(
                ["customParameters": #"{"login_hint":"\#(String(repeating: "a", count: 4100))"}"#], .argumentError,
                "customParameters is too long"),
        ]
        + [
            "state", "redirect_uri", "client_id", "nonce", "client_secret", "scope", "request", "claims", "unlisted",
        ].map { Told(["customParameters": #"{"\#($0)":"x"}"#], .operationNotAllowed, "\($0) in customParameters") }

    @Test(arguments: mistakes + [Told(["sessionId": "s"], .operationNotAllowed, "sessionId is not supported here")])
    func `once it is known which page gets the result, the app is told what is wrong`(told: Told) async throws {
        let installation = try HandlerBrowser.installation()
        for path in [HandlerBrowser.handler, HandlerBrowser.emulatorHandler] {
            var browser = HandlerBrowser(installation)
            let popup = try await browser.get(
                path + "?" + Query.encode(HandlerBrowser.web(.linkViaPopup, told.changes)))
            let (origin, event) = try HandlerBrowser.event(popup)
            #expect(origin == "https://app.example.com" && event.string("eventId") == "9010801184")
            #expect(event.string("type") == "linkViaPopup" && event["urlResponse"] == .null)
            let error = try #require(event["error"]?.objectValue)
            #expect(error.string("code") == told.code.rawValue)
            #expect(error.string("message")?.hasPrefix(told.cause) == true)

            let page = HandlerBrowser.page + "#/cart"
            let redirect = try await browser.get(
                path + "?"
                    + Query.encode(
                        HandlerBrowser.web(.signInViaRedirect, told.changes.merging(["redirectUrl": page]) { $1 })))
            #expect(try HandlerBrowser.location(redirect).hasPrefix(HandlerBrowser.page + "#oidc-broker=error&"))
            let result = try HandlerBrowser.fragment(redirect)
            #expect(result["code"] == told.code.rawValue && result["fragment"] == "/cart")
            #expect(browser.cookies == nil)
        }
    }

    @Test(arguments: mistakes)
    func `an app on a device is told too`(told: Told) async throws {
        let installation = try HandlerBrowser.installation()
        for (query, scheme) in [
            (HandlerBrowser.ios(told.changes), "com.googleusercontent.apps.123-abc://firebaseauth/link?"),
            (HandlerBrowser.android(told.changes), "intent://firebase.auth/#Intent;"),
        ] {
            var browser = HandlerBrowser(installation)
            let location = try HandlerBrowser.location(
                try await browser.get(HandlerBrowser.handler + "?" + Query.encode(query)))
            #expect(location.hasPrefix(scheme) && location.contains("firebaseError"))
            #expect(location.contains(told.code.rawValue.split(separator: "/")[1]))
        }
    }

    @Test func `profile and email need no setting`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let asked = try await browser.start(HandlerBrowser.web(.signInViaPopup, ["scopes": "profile,email"]))
        #expect(asked.query["scope"]?.split(separator: " ").suffix(2) == ["profile", "email"])
    }

    @Test func `a provider that is down when a sign-in begins is an event`() async throws {
        let installation = try HandlerBrowser.installation()
        let provider = try #require(installation.providers["oidc.acme"])
        provider.behave { $0.isDown = true }
        var browser = HandlerBrowser(installation)
        let response = try await browser.get(HandlerBrowser.handler + "?" + Query.encode(HandlerBrowser.web()))
        let event = try HandlerBrowser.event(response).event
        #expect(event["error"]?.objectValue?.string("code") == "auth/network-request-failed")
    }

    /// The oldest version that works, later ones, and clients that are not that SDK.
    @Test(arguments: ["9.6.6", "9.6.6-20220101", "10.0.0", "13.2.0", "demo", "", "9.6", "X23.2.1"])
    func `what is not an older SDK begins`(version: String) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let asked = try await browser.start(HandlerBrowser.web(.signInViaPopup, ["v": version]))
        #expect(asked.base == "https://login.acme.example/authorize")
    }

    @Test func `a popup begins at a page whose URL is of any length`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let page = "https://app.example.com/#" + String(repeating: "a", count: 12_000)
        let event = try HandlerBrowser.event(
            try await browser.signIn(HandlerBrowser.web(.signInViaPopup, ["redirectUrl": page])))
        #expect(event.origin == "https://app.example.com" && event.event["error"] == .null)
    }

    /// What the page of a refusal names.
    private static func cause(_ response: BrokerResponse) -> String? {
        String(buffer: response.body).firstMatch(of: /<code id="cause"[^>]*>(.*?)<\/code>/).map { String($0.1) }
    }

    @Test func `an app begins only at a provider that it may use and that has pages`() async throws {
        let limited = SDKApp(
            name: "limited", apiKey: "limited-4f1c0000", authorizedDomains: ["app.example.com"], providers: ["bold"])
        let installation = try HandlerBrowser.installation { $0.apps.append(limited) }
        var configuration = installation.configuration
        configuration.providers.append(.apple(clientID: "", teamID: nil, keyID: nil, privateKey: nil))
        configuration.apps[0].nativeAudiences = [
            BrokerConfiguration.NativeAudience(provider: "apple", audience: "com.example.app")
        ]
        try installation.broker.reload(configuration)
        let rows: [(changes: [String: String?], cause: String)] = [
            (["apiKey": limited.apiKey], "providerId is not allowed by the configuration"),
            (["providerId": "apple.com"], "providerId is not supported here"),
        ]
        for (changes, cause) in rows {
            var browser = HandlerBrowser(installation)
            let response = try await browser.get(
                HandlerBrowser.handler + "?" + Query.encode(Self.web(changes)))
            let error = try HandlerBrowser.event(response).event["error"]?.objectValue
            #expect(error?.string("code") == "auth/operation-not-allowed" && error?.string("message") == cause)
            #expect(browser.cookies == nil)
        }
        var browser = HandlerBrowser(installation)
        let asked = try await browser.start(Self.web(["apiKey": limited.apiKey, "providerId": "oidc.bold"]))
        #expect(asked.base == "https://login.bold.example/authorize")
    }

    @Test(arguments: AuthType.allCases) func `every kind of start goes to the provider`(authType: AuthType) async throws
    {
        let installation = try HandlerBrowser.installation()
        let queries =
            authType == .signInWithRedirect
            ? [HandlerBrowser.ios(), HandlerBrowser.android()] : [HandlerBrowser.web(authType)]
        for query in queries {
            for path in [HandlerBrowser.handler, HandlerBrowser.emulatorHandler] {
                var browser = HandlerBrowser(installation)
                let asked = try await browser.start(query, at: path)
                #expect(asked.base == "https://login.acme.example/authorize")
                #expect(asked.query["redirect_uri"] == "https://auth.example.com/__/auth/handler")
                #expect(try #require(asked.query["state"]).utf8.count <= 2048 && browser.cookies != nil)
            }
        }
    }

    @Test func `parameters, scopes and the language go on where they may`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let query = HandlerBrowser.web(
            .signInViaPopup,
            ["customParameters": #"{"login_hint":"joe","prompt":""}"#, "scopes": "openid,", "hl": "de_AT"])
        let asked = try await browser.start(query).query
        #expect(asked["login_hint"] == "joe" && asked["prompt"] == nil && asked["ui_locales"] == "de_AT")
        #expect(asked["scope"] == "openid")
        let own = HandlerBrowser.web(
            .signInViaPopup, ["customParameters": #"{"ui_locales":"fr"}"#, "hl": "de"])
        #expect(try await browser.start(own).query["ui_locales"] == "fr")
    }

    @Test func `the longest start that is allowed comes back`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let page = "https://app.example.com/" + String(repeating: "a", count: RedirectURL.maximumLength - 24)
        let query = HandlerBrowser.web(
            .reauthViaRedirect,
            ["redirectUrl": page, "eventId": String(repeating: "\u{FFFD}", count: 42) + "ee", "hl": "zh-Hant-TW"])
        let response = try await browser.signIn(query)
        #expect(try HandlerBrowser.location(response).hasPrefix(page + "#oidc-broker=done&login="))
    }

    @Test func `an app of a configuration that does not have it any more is a change`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let callback = try await browser.authenticate(HandlerBrowser.web(.signInViaRedirect))
        let app = SDKApp(name: "web", apiKey: ToolkitInstallation.apiKey, authorizedDomains: ["new.example.com"])
        let toolkit = try IdentityToolkit(
            service: installation.service, apps: [app], publicURL: "https://auth.example.com/__/auth",
            limits: IdentityToolkit.AccountLimits(limiter: SwitchedLimiter(), elapsed: { 0 }))
        try installation.broker.reload(installation.configuration, extensions: toolkit.extensions)
        let page = try await browser.get(callback)
        #expect(page.head.status == .badRequest && page.head.headerFields[.location] == nil)
    }

    @Test func `a start is a navigation by GET`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let query = "?" + Query.encode(HandlerBrowser.web())
        for path in [HandlerBrowser.handler, HandlerBrowser.emulatorHandler] {
            #expect(try await browser.get(path + query, fields: ["Sec-Fetch-Dest": "iframe"]).head.status == .forbidden)
            #expect(try await browser.get(path + query, fields: ["Sec-Purpose": "prefetch"]).head.status.code == 425)
            // A service worker of this origin passed it on, and a page of this origin fetches it.
            var worker = HandlerBrowser(installation)
            for (mode, isNavigation) in [("navigate", true), ("cors", false)] {
                let fields = ["Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "same-origin"]
                let response = try await worker.get(path + query, fields: fields)
                #expect((response.head.status != .forbidden) == isNavigation)
            }
        }
        let post = try await installation.respond(.post, HandlerBrowser.emulatorHandler + query)
        #expect(post.head.status == .methodNotAllowed && browser.cookies == nil)
    }
}
