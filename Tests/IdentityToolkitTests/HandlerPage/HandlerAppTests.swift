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

/// Logins of apps on iOS and Android, which get their result only after "Continue to APP".
struct HandlerAppTests {
    /// What an app on iOS reads of the URL that opens it.
    private static func deepLink(_ response: BrokerResponse, scheme: String) throws -> Query {
        let text = try HandlerBrowser.location(response)
        let head = scheme + "://firebaseauth/link?"
        #expect(text.hasPrefix(head))
        let deep = try #require(Query(text.dropFirst(head.count))["deep_link_id"])
        #expect(deep.hasPrefix("https://auth.example.com/__/auth/callback?"))
        return Query(try #require(deep.split(separator: "?", maxSplits: 1).last))
    }

    /// What an app on Android reads of the intent.
    private static func intent(_ response: BrokerResponse) throws -> [String: String] {
        let text = try HandlerBrowser.location(response)
        let (head, tail) = ("intent://firebase.auth/#Intent;", ";end;")
        #expect(text.hasPrefix(head) && text.hasSuffix(tail))
        var values: [String: String] = [:]
        for part in text.dropFirst(head.count).dropLast(tail.count).split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(pair[0])] = String(pair[1]).removingPercentEncoding
        }
        return values
    }

    @Test func `iOS: the person continues, and the raw session ID redeems the ticket`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let page = try await browser.signIn(HandlerBrowser.ios())
        let html = String(buffer: page.body)
        #expect(page.head.status == .ok && html.contains("com.googleusercontent.apps.123-abc"))
        #expect(html.contains("lang=\"de\""))
        let values = try Self.deepLink(
            try await browser.submit(page), scheme: "com.googleusercontent.apps.123-abc")
        #expect(values["authType"] == "signInWithRedirect" && values["eventId"] == "KLMNOPQRST")
        #expect(browser.cookies == nil)
        let signedIn = try await HandlerBrowser.redeem(
            values["link"], session: HandlerBrowser.iosSession, key: HandlerBrowser.ios.apiKey, at: installation)
        #expect(signedIn.status == 200)
    }

    @Test func `iOS: the Google app ID gives another scheme`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let page = try await browser.signIn(
            HandlerBrowser.ios(["clientId": nil, "appId": "1:123:ios:abc"]))
        let values = try Self.deepLink(try await browser.submit(page), scheme: "app-1-123-ios-abc")
        #expect(values["link"] != nil)
    }

    @Test func `Android: the session ID with NUL and replacement characters redeems the ticket`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let page = try await browser.signIn(HandlerBrowser.android())
        #expect(String(buffer: page.body).contains("com.acme.app"))
        let values = try Self.intent(try await browser.submit(page))
        #expect(values["scheme"] == "genericidp" && values["package"] == "com.acme.app")
        #expect(values["S.authType"] == "signInWithRedirect" && values["B.encryptionEnabled"] == "false")
        #expect(values["S.eventId"] == "6f9619ff-8b86-d011-b42d-00cf4fc964ff")
        #expect(values["S.browser_fallback_url"]?.hasPrefix("https://auth.example.com/__/auth/") == true)
        let signedIn = try await HandlerBrowser.redeem(
            values["S.link"], session: HandlerBrowser.androidSession, key: HandlerBrowser.android.apiKey,
            at: installation)
        #expect(signedIn.status == 200)
    }

    @Test func `a ticket of an app on a device links too`() async throws {
        let installation = try HandlerBrowser.installation()
        let session = try await installation.signIn(try installation.token("grace", at: "oidc.bold"), at: "oidc.bold")
        let idToken = try #require(session.members.string("idToken"))
        var browser = HandlerBrowser(installation)
        let values = try Self.intent(try await browser.submit(try await browser.signIn(HandlerBrowser.android())))
        let linked = try await HandlerBrowser.redeem(
            values["S.link"], session: HandlerBrowser.androidSession, key: HandlerBrowser.android.apiKey,
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
        let refused = try Self.intent(try await browser.get(callback))
        for (type, event, error) in [
            (canceled["authType"], canceled["eventId"], canceled["firebaseError"]),
            (refused["S.authType"], refused["S.eventId"], refused["S.firebaseError"]),
        ] {
            #expect(type == "signInWithRedirect" && event?.isEmpty == false)
            let object = try JSONParser.object(
                Array(try #require(error).utf8), limits: JSONLimits(maximumBytes: 4096))
            #expect(object.string("code") == "auth/user-cancelled" && object.string("message")?.isEmpty == false)
        }
        #expect(canceled["link"] == nil && refused["S.link"] == nil && browser.cookies == nil)
    }

    @Test func `Continue works once, with the cookie, and no page claims what waits for the person`() async throws {
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
