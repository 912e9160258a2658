// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Starts at the handler page that ask the provider to show no page: no sign-in that the user does not see.
struct HandlerSilentStartTests {
    /// Each of them is, or contains, the word by which a provider shows no page.
    static let silent = ["none", "none login", "login none", " none "]

    private static func changes(_ prompt: String, _ more: [String: String?] = [:]) -> [String: String?] {
        ["customParameters": #"{"login_hint":"joe","prompt":"\#(prompt)"}"#].merging(more) { $1 }
    }

    private static func target(_ query: [(String, String)], at path: String = HandlerBrowser.handler) -> String {
        path + "?" + Query.encode(query)
    }

    /// Where the link of a page leads.
    private static func link(of page: BrokerResponse) throws -> String {
        let html = String(buffer: page.body)
        let link = try #require(html.firstMatch(of: /id="start" href="([^"]*)"/), "\(html)")
        return String(link.1).replacing("&amp;", with: "&")
    }

    @Test(
        arguments: [AuthType.signInViaPopup, .signInViaRedirect], ["login", "consent login", "select_account", "None"])
    func `what is not that word goes on to the provider`(authType: AuthType, prompt: String) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let asked = try await browser.start(HandlerBrowser.web(authType, Self.changes(prompt)))
        #expect(asked.base == "https://login.acme.example/authorize" && asked.query["prompt"] == prompt)
    }

    @Test(arguments: [AuthType.signInViaPopup, .linkViaPopup, .reauthViaPopup], silent)
    func `a popup ends in an error of the SDK`(authType: AuthType, prompt: String) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        for path in [HandlerBrowser.handler, HandlerBrowser.emulatorHandler] {
            let query = HandlerBrowser.web(authType, Self.changes(prompt))
            let response = try await browser.get(Self.target(query, at: path))
            #expect(response.head.status == .ok && response.head.headerFields[.location] == nil)
            let (origin, event) = try HandlerBrowser.event(response)
            #expect(origin == "https://app.example.com")
            #expect(event.string("type") == authType.rawValue && event.string("eventId") == "9010801184")
            #expect(event["error"]?.objectValue?.string("code") == "auth/invalid-credential")
            #expect(event["urlResponse"] == .null && event["sessionId"] == .null)
            #expect(browser.cookies == nil)
        }
    }

    @Test(arguments: [AuthType.signInViaRedirect, .linkViaRedirect, .reauthViaRedirect], silent)
    func `a redirect goes on by a click on a page that names the app and the provider`(
        authType: AuthType, prompt: String
    ) async throws {
        let installation = try HandlerBrowser.installation()
        for path in [HandlerBrowser.handler, HandlerBrowser.emulatorHandler] {
            var browser = HandlerBrowser(installation)
            let query = HandlerBrowser.web(authType, Self.changes(prompt, ["hl": "de"]))
            let page = try await browser.get(Self.target(query, at: path))
            #expect(page.head.status == .ok && page.head.headerFields[.location] == nil && browser.cookies == nil)
            let html = String(buffer: page.body)
            #expect(html.contains("<bdi>Web</bdi>") && html.contains("<bdi>Acme</bdi>") && html.contains("lang=\"de\""))
            #expect(!html.contains("<script") && !html.contains("http-equiv"))

            let link = try Self.link(of: page)
            #expect(link.hasPrefix(path + "?"))
            let location = try HandlerBrowser.location(try await browser.get(link))
            let asked = Query(location.drop { $0 != "?" }.dropFirst())
            #expect(location.hasPrefix("https://login.acme.example/authorize?"))
            #expect(asked["prompt"] == nil && asked["login_hint"] == "joe" && asked["ui_locales"] == "de")
            let provider = try #require(installation.providers["oidc.acme"])
            let callback = HandlerBrowser.handler + "?" + Query.encode(try provider.authorize(asked))
            let claimed = try await browser.claim(try await browser.get(callback)).response
            let result = try HandlerBrowser.fragment(claimed)
            #expect(result["ticket"] != nil && result["type"] == authType.rawValue)
            #expect(result["eventId"] == "9010801184")
        }
    }

    @Test func `an app on a device goes on by a click too, with the session with which it began`() async throws {
        for query in [HandlerBrowser.ios(Self.changes("none")), HandlerBrowser.android(Self.changes("none"))] {
            var browser = HandlerBrowser(try HandlerBrowser.installation())
            let link = try Self.link(of: try await browser.get(Self.target(query)))
            #expect(browser.cookies == nil)
            let again = try HandlerQuery(link.drop { $0 != "?" }.dropFirst())
            let first = try HandlerQuery(Query.encode(query)[...])
            #expect(again[.sessionID] == first[.sessionID] && again[.sessionID] != nil)
            #expect(again[.customParameters] == #"{"login_hint":"joe"}"#)
            let location = try HandlerBrowser.location(try await browser.get(link))
            #expect(location.hasPrefix("https://login.acme.example/authorize?") && browser.cookies != nil)
        }
    }

    @Test func `without another parameter the link has none`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let query = HandlerBrowser.web(.signInViaRedirect, ["customParameters": #"{"prompt":"none"}"#])
        let link = try Self.link(of: try await browser.get(Self.target(query)))
        let location = try HandlerBrowser.location(try await browser.get(link))
        #expect(!location.contains("prompt"))
    }

    @Test func `where an app may not set the parameter, that is what it is told`() async throws {
        let installation = try HandlerBrowser.installation()
        var configuration = installation.configuration
        configuration.providers[0].appParameters = ["login_hint"]
        try installation.broker.reload(configuration)
        var browser = HandlerBrowser(installation)
        let popup = try HandlerBrowser.event(
            try await browser.get(Self.target(HandlerBrowser.web(.signInViaPopup, Self.changes("none")))))
        #expect(popup.event["error"]?.objectValue?.string("code") == "auth/operation-not-allowed")
        let redirect = try HandlerBrowser.fragment(
            try await browser.get(Self.target(HandlerBrowser.web(.signInViaRedirect, Self.changes("none")))))
        #expect(redirect["code"] == "auth/operation-not-allowed")
        #expect(redirect["message"]?.hasPrefix("prompt in customParameters is not allowed") == true)
    }
}
