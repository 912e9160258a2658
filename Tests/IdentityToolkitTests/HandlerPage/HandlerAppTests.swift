// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Logins of apps on iOS and Android, which get their result only after "Continue to APP".
struct HandlerAppTests {
    /// What an app on iOS reads of the URL that opens it.
    private static func deepLink(_ response: BrokerResponse, scheme: String) throws -> AppLinkReader.Result {
        let (callback, result) = try AppLinkReader.deepLink(try HandlerBrowser.location(response), scheme: scheme)
        #expect(callback == "https://auth.example.com/__/auth/callback")
        return result
    }

    /// What an app on Android reads of the intent.
    private static func intent(
        _ response: BrokerResponse
    ) throws -> (values: [String: String], result: AppLinkReader.Result) {
        try AppLinkReader.intent(try HandlerBrowser.location(response))
    }

    @Test func `iOS: the user continues, and the raw session ID redeems the ticket`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let page = try await browser.signIn(HandlerBrowser.ios())
        let html = String(buffer: page.body)
        #expect(page.head.status == .ok && html.contains("com.googleusercontent.apps.123-abc"))
        #expect(html.contains("lang=\"de\""))
        let result = try Self.deepLink(
            try await browser.submit(page), scheme: "com.googleusercontent.apps.123-abc")
        #expect(result.authType == "signInWithRedirect" && result.eventID == "KLMNOPQRST")
        #expect(browser.cookies == nil)
        let signedIn = try await HandlerBrowser.redeem(
            result.link, session: HandlerQueries.iosSession, key: HandlerQueries.ios.apiKey, at: installation)
        #expect(signedIn.status == 200)
    }

    @Test(arguments: ["Acme Shop", nil] as [String?])
    func `pages have the title of the app, or a name that is made from its own`(title: String?) async throws {
        let ios = HandlerQueries.ios
        let app = SDKApp(name: ios.name, kind: ios.kind, title: title, apiKey: ios.apiKey, native: ios.native)
        let installation = try HandlerBrowser.installation { $0.apps = [app] }
        let (shown, hidden) = title == nil ? ("Ios", "Acme Shop") : ("Acme Shop", "Ios")
        func expect(_ page: BrokerResponse, _ comment: Comment) {
            let html = String(buffer: page.body)
            #expect(html.contains(shown) && !html.contains(hidden), comment)
        }
        var browser = HandlerBrowser(installation)
        expect(try await browser.signIn(HandlerBrowser.ios()), "the user continues")
        var other = HandlerBrowser(installation)
        let query = Query.encode(HandlerBrowser.ios(["eventId": nil]))
        expect(try await other.get(HandlerBrowser.handler + "?" + query), "the start is refused")
    }

    @Test func `iOS: the Google app ID gives another scheme`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let page = try await browser.signIn(
            HandlerBrowser.ios(["clientId": nil, "appId": "1:123:ios:abc"]))
        let result = try Self.deepLink(try await browser.submit(page), scheme: "app-1-123-ios-abc")
        #expect(result.link != nil)
    }

    @Test func `Android: the session ID with NUL and replacement characters redeems the ticket`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let page = try await browser.signIn(HandlerBrowser.android())
        #expect(String(buffer: page.body).contains("com.acme.app"))
        let (values, result) = try Self.intent(try await browser.submit(page))
        #expect(values["scheme"] == "genericidp" && values["package"] == "com.acme.app")
        #expect(result.authType == "signInWithRedirect" && values["B.encryptionEnabled"] == "false")
        #expect(result.eventID == "6f9619ff-8b86-d011-b42d-00cf4fc964ff")
        #expect(values["S.browser_fallback_url"]?.hasPrefix("https://auth.example.com/__/auth/") == true)
        let signedIn = try await HandlerBrowser.redeem(
            result.link, session: HandlerQueries.androidSession, key: HandlerQueries.android.apiKey,
            at: installation)
        #expect(signedIn.status == 200)
    }

    @Test func `a ticket of an app on a device links too`() async throws {
        let installation = try HandlerBrowser.installation()
        let session = try await installation.signIn(try installation.token("grace", at: "oidc.bold"), at: "oidc.bold")
        let idToken = try #require(session.members.string("idToken"))
        var browser = HandlerBrowser(installation)
        let result = try Self.intent(
            try await browser.submit(try await browser.signIn(HandlerBrowser.android()))
        ).result
        let linked = try await HandlerBrowser.redeem(
            result.link, session: HandlerQueries.androidSession, key: HandlerQueries.android.apiKey,
            idToken: idToken, at: installation)
        #expect(linked.status == 200)
        #expect(linked.members.string("localId") == session.members.string("localId"))
    }

    @Test func `Cancel, and a provider that says no, tell the app with its event ID`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let page = try await browser.signIn(HandlerBrowser.ios())
        let canceled = try Self.deepLink(
            try await browser.submit(page, [("action", "cancel")]), scheme: "com.googleusercontent.apps.123-abc")
        let callback = try await browser.refuse(HandlerBrowser.android())
        let refused = try Self.intent(try await browser.get(callback)).result
        for result in [canceled, refused] {
            #expect(result.authType == "signInWithRedirect" && result.eventID?.isEmpty == false)
            #expect(result.error?["code"] == "auth/user-cancelled" && result.error?["message"]?.isEmpty == false)
            #expect(result.link == nil)
        }
        #expect(browser.cookies == nil)
    }

    @Test func `Continue works once, with the cookie, and no page claims what waits for the user`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let page = try await browser.signIn(HandlerBrowser.ios())
        let login = try #require(
            String(buffer: page.body).firstMatch(of: /name="login" value="([^"]*)"/).map { String($0.1) })
        #expect(try await browser.get(HandlerBrowser.claimTarget(login, "v")).head.status == .badRequest)
        var other = HandlerBrowser(installation)
        #expect(try await other.submit(page).head.status == .badRequest)
        #expect(try await browser.submit(page).head.status == .seeOther)
        #expect(try await browser.submit(page).head.status == .badRequest)
    }
}
