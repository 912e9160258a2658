// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import Testing

@testable import IdentityToolkit

/// What is read of a start at the handler page.
struct HandlerStartTests {
    private typealias Queries = HandlerQueries

    @Test func `the SDK for JavaScript opens a window`() throws {
        let query = try HandlerQuery(Queries.javaScriptText[...])
        #expect(try query.apiKey() == "web-4f1c0000")
        #expect(try query.providerID() == "oidc.acme")
        let start = try HandlerStart(query, for: Queries.web)
        #expect(start.authType == .signInViaPopup)
        // Only the origin is kept.
        #expect(start.destination == .popup(origin: try #require(WebOrigin("https://app.example.com"))))
        #expect(start.eventID == "9010801184")
        #expect(start.binding == nil)
        #expect(start.customParameters.map(\.name) == ["login_hint"])
        #expect(start.customParameters.map(\.value) == ["joe"])
        #expect(start.scopes == ["openid", "groups"])
        #expect(start.language == nil)
    }

    @Test func `the SDK for JavaScript leaves the page, and has no event for a sign-in`() throws {
        let start = try Queries.start(
            Queries.javaScriptText, Queries.web, ["authType": "signInViaRedirect", "eventId": nil])
        #expect(start.destination == .redirect(origin: try #require(WebOrigin("https://app.example.com"))))
        #expect(start.target.page?.text == "https://app.example.com/app?a=1#/cart")
        #expect(start.target.page?.rest == "/app?a=1#/cart")
        #expect(start.eventID == nil)
        let link = try Queries.start(
            Queries.javaScriptText, Queries.web, ["authType": "linkViaRedirect", "eventId": "uid:::1234"])
        #expect(link.eventID == "uid:::1234")
    }

    @Test func `the SDK for iOS sends the hash of its session, and an empty list of scopes`() throws {
        let query = try HandlerQuery(Queries.iosText[...])
        #expect(try query.apiKey() == "ios-4f1c0000")
        let start = try HandlerStart(query, for: Queries.ios)
        #expect(start.authType == .signInWithRedirect)
        #expect(start.destination == .ios(scheme: "com.googleusercontent.apps.123-abc"))
        #expect(start.eventID == "KLMNOPQRST")
        #expect(start.binding?.matches(sessionID: "ABCDEFGHIJ") == true)
        #expect(start.binding?.matches(sessionID: WireText(Queries.iosDigest)) == false)
        #expect(start.scopes == [])
        #expect(start.customParameters.map(\.value) == ["a+b"])
        #expect(start.language == "de")
        // With its other scheme.
        let other = try Queries.start(Queries.iosText, Queries.ios, ["clientId": nil, "appId": "1:123:ios:abc"])
        #expect(other.destination == .ios(scheme: "app-1-123-ios-abc"))
    }

    @Test func `the SDK for Android sends a hash that was read as text`() throws {
        let query = try HandlerQuery(Queries.androidText[...])
        #expect(query[.sessionID] == WireText(Queries.androidSession))
        let start = try HandlerStart(query, for: Queries.android)
        #expect(start.authType == .signInWithRedirect)
        #expect(start.destination == .android(package: "com.acme.app"))
        #expect(start.eventID == "6f9619ff-8b86-d011-b42d-00cf4fc964ff")
        #expect(start.binding?.matches(sessionID: WireText(Queries.androidSession)) == true)
        #expect(start.binding?.matches(sessionID: "") == false)
        #expect(start.scopes == ["a", "b"])
        let other = try Queries.start(
            Queries.androidText, Queries.android, ["sha1Cert": String(repeating: "f", count: 40)])
        #expect(other.destination == .android(package: "com.acme.app"))
    }

    @Test(arguments: AuthType.allCases) func `each kind of start has the app that it is for`(authType: AuthType) {
        let texts = [
            (Queries.javaScriptText, Queries.web), (Queries.iosText, Queries.ios),
            (Queries.androidText, Queries.android),
        ]
        for (text, app) in texts {
            let error = Queries.error(text, app, ["authType": authType.rawValue])
            let isFitting = (authType == .signInWithRedirect) == (app.kind != .web)
            #expect(error == (isFitting ? nil : HandlerStartError(.notAllowed, .authType)), "\(app.kind)")
        }
        let desktop = SDKApp(name: "desktop", kind: .desktop, apiKey: "desktop-4f1c")
        let error = Queries.error(Queries.javaScriptText, desktop, ["authType": authType.rawValue])
        #expect(error == HandlerStartError(.notAllowed, .authType))
    }

    @Test func `scopes are there once, and empty ones are passed over`() throws {
        let start = try Queries.start(Queries.iosText, Queries.ios, ["scopes": ",email,,name,email"])
        #expect(start.scopes == ["email", "name"])
    }

    @Test func `what a start says to the provider is compared to what that allows`() throws {
        let start = try Queries.start(
            Queries.iosText, Queries.ios,
            ["customParameters": #"{"prompt":"login","login_hint":"","hd":null}"#, "hl": "de"])
        let all = try start.parameters(languageAs: "ui_locales") { _ in true }
        #expect(all.map(\.name) == ["prompt", "ui_locales"])
        #expect(all.map(\.value) == ["login", "de"])
        let apple = try start.parameters(languageAs: "locale") { $0 != "ui_locales" }
        #expect(apple.map(\.name) == ["prompt", "locale"])
        // A language that the provider does not take is left out.
        let none = try start.parameters(languageAs: "ui_locales") { $0 != "ui_locales" }
        #expect(none.map(\.name) == ["prompt"])
        // One that the app set itself stays.
        let own = try Queries.start(
            Queries.iosText, Queries.ios, ["customParameters": #"{"ui_locales":"fr"}"#, "hl": "de"])
        #expect(try own.parameters(languageAs: "ui_locales") { _ in true }.map(\.value) == ["fr"])

        #expect(
            throws: HandlerStartError(.notAllowed, .customParameters, member: "login_hint")
        ) { try start.parameters(languageAs: "ui_locales") { $0 != "login_hint" } }
        for name in ["client_id", "state", "nonce", "redirect_uri", "code_challenge_x", "client_assertion_type"] {
            let reserved = try Queries.start(
                Queries.iosText, Queries.ios, ["customParameters": "{\"\(name)\":\"x\"}"])
            #expect(throws: HandlerStartError(.notAllowed, .customParameters, member: name)) {
                try reserved.parameters(languageAs: "ui_locales") { _ in true }
            }
        }
    }

    @Test func `a scope is asked for anyway, or allowed, or refused by its name`() throws {
        let start = try Queries.start(Queries.androidText, Queries.android, ["scopes": "openid,groups"])
        #expect(try start.additionalScopes(beyond: ["openid"], allowed: ["groups", "more"]) == ["groups"])
        #expect(throws: HandlerStartError(.notAllowed, .scopes, member: "groups")) {
            try start.additionalScopes(beyond: ["openid"], allowed: [])
        }
        // A page shows the name of a scope only if it is short.
        for (length, isShown) in [(64, true), (65, false)] {
            let scope = String(repeating: "s", count: length)
            let long = try Queries.start(Queries.androidText, Queries.android, ["scopes": scope])
            #expect(throws: HandlerStartError(.notAllowed, .scopes, member: isShown ? scope : nil)) {
                try long.additionalScopes(beyond: ["openid"], allowed: [])
            }
        }
    }
}
