// SPDX-License-Identifier: Apache-2.0

import Crypto
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

/// Logins in a popup, from the start to the redemption of the ticket.
struct HandlerPopupTests {
    @Test(arguments: [AuthType.signInViaPopup, .linkViaPopup, .reauthViaPopup])
    func `the page posts the event to exactly the origin at which the login began`(authType: AuthType) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let response = try await browser.signIn(HandlerBrowser.web(authType))
        let (origin, event) = try HandlerBrowser.event(response)
        #expect(origin == "https://app.example.com")
        #expect(event.string("type") == authType.rawValue && event.string("eventId") == "9010801184")
        #expect(event["error"] == .null && event["tenantId"] == .null && event["postBody"] == .null)
        let link = try #require(event.string("urlResponse"))
        #expect(link.wholeMatch(of: /https:\/\/auth\.example\.com\/__\/auth\/handler\?ticket=[A-Za-z0-9_-]{43}/) != nil)
        #expect(event.string("sessionId")?.isEmpty == false)
        #expect(browser.cookies == nil)
    }

    @Test func `the page runs one constant script and can be closed by its opener`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let response = try await browser.signIn(HandlerBrowser.web())
        let html = String(buffer: response.body)
        let scripts = html.matches(of: /<script>(.*?)<\/script>/.dotMatchesNewlines()).map { String($0.1) }
        let script = try #require(scripts.first)
        #expect(scripts.count == 1 && html.components(separatedBy: "<script").count == 3)
        let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        let policy = try #require(response.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-\(hash)'"))
        let fields = response.head.headerFields
        let openerPolicy = try #require(HTTPField.Name("Cross-Origin-Opener-Policy"))
        #expect(fields[openerPolicy] == nil)
        #expect(fields[.cacheControl] == "no-store")
        #expect(html.contains(#"<p id="closable" hidden>"#))
        // The same for all.
        var other = HandlerBrowser(try HandlerBrowser.installation())
        #expect(String(buffer: try await other.signIn(HandlerBrowser.web()).body).contains(script))
    }

    @Test func `the ticket signs in once, for the session of the event`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        let (link, session) = (event.string("urlResponse"), event.string("sessionId"))
        let signedIn = try await HandlerBrowser.redeem(link, session: session, at: installation)
        #expect(signedIn.status == 200 && signedIn.members.string("providerId") == "oidc.acme")
        #expect(signedIn.members["isNewUser"]?.boolValue == true)
        #expect(try await HandlerBrowser.redeem(link, session: session, at: installation).status == 400)
        // What is begun to link needs the account, and what is not must not have it.
        let idToken = try #require(signedIn.members.string("idToken"))
        let again = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web(.reauthViaPopup))).event
        let same = try await HandlerBrowser.redeem(
            again.string("urlResponse"), session: again.string("sessionId"), at: installation)
        #expect(same.status == 200 && same.members.string("localId") == signedIn.members.string("localId"))
        let link2 = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web(.linkViaPopup))).event
        let refused = try await HandlerBrowser.redeem(
            link2.string("urlResponse"), session: link2.string("sessionId"), at: installation)
        #expect(refused.status == 400)
        let third = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web(.signInViaPopup))).event
        let mixed = try await HandlerBrowser.redeem(
            third.string("urlResponse"), session: third.string("sessionId"), idToken: idToken, at: installation)
        #expect(mixed.status == 400)
    }

    @Test(arguments: [nil, "", "another-session"] as [String?])
    func `another session redeems nothing`(session: String?) async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        let answer = try await HandlerBrowser.redeem(event.string("urlResponse"), session: session, at: installation)
        #expect(answer.status == 400 && answer.members.message?.hasPrefix("INVALID_IDP_RESPONSE") == true)
    }

    @Test func `another app redeems nothing`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        let answer = try await HandlerBrowser.redeem(
            event.string("urlResponse"), session: event.string("sessionId"), key: HandlerBrowser.other.apiKey,
            at: installation)
        #expect(answer.status == 400)
    }

    @Test func `a ticket lives five minutes`() async throws {
        let installation = try HandlerBrowser.installation()
        for (age, status) in [(299 as Int64, 200), (301, 400)] {
            var browser = HandlerBrowser(installation)
            let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
            installation.clock.advance(by: age)
            let answer = try await HandlerBrowser.redeem(
                event.string("urlResponse"), session: event.string("sessionId"), at: installation)
            #expect(answer.status == status, "\(age)")
        }
    }

    @Test(arguments: [
        ("access_denied", "auth/user-cancelled"), ("user_cancelled_authorize", "auth/user-cancelled"),
        ("temporarily_unavailable", "auth/network-request-failed"), ("invalid_scope", "auth/invalid-credential"),
    ])
    func `a refusal of the provider is an event`(error: String, code: String) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let callback = try await browser.refuse(HandlerBrowser.web(), error)
        let (origin, event) = try HandlerBrowser.event(try await browser.get(callback))
        #expect(origin == "https://app.example.com" && browser.cookies == nil)
        #expect(event["error"]?.objectValue?.string("code") == code)
        #expect(event["error"]?.objectValue?.string("message")?.isEmpty == false)
        #expect(event["urlResponse"] == .null && event["sessionId"] == .null)
        #expect(event.string("type") == "signInViaPopup" && event.string("eventId") == "9010801184")
    }

    @Test(arguments: [true, false])
    func `a provider that is down, and a token that is not for this login, are events`(isDown: Bool) async throws {
        let installation = try HandlerBrowser.installation()
        let provider = try #require(installation.providers["oidc.acme"])
        var browser = HandlerBrowser(installation)
        let callback = try await browser.authenticate(HandlerBrowser.web())
        provider.behave {
            if isDown { $0.deadPaths = ["/token"] } else { $0.claims = ["nonce": "another"] }
        }
        let event = try HandlerBrowser.event(try await browser.get(callback)).event
        #expect(
            event["error"]?.objectValue?.string("code")
                == (isDown ? "auth/network-request-failed" : "auth/invalid-credential"))
    }

    @Test(.attack(.loginCSRF)) func `without the cookie there is a page, and no event`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let callback = try await browser.authenticate(HandlerBrowser.web())
        var other = HandlerBrowser(installation)
        let page = try await other.get(callback)
        #expect(page.head.status == .badRequest && !String(buffer: page.body).contains("auth-event"))
        #expect(try HandlerBrowser.event(try await browser.get(callback)).origin == "https://app.example.com")
    }

    @Test(.attack(.markupInClaims)) func `nothing that was sent ends the data block`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let hostile = "</script><script>alert(1)</script><!--\u{2028}&"
        let response = try await browser.signIn(HandlerBrowser.web(.signInViaPopup, ["eventId": hostile]))
        let html = String(buffer: response.body)
        #expect(html.components(separatedBy: "<script").count == 3 && !html.contains("alert(1)</script>"))
        #expect(try HandlerBrowser.event(response).event.string("eventId") == hostile)
    }
}
