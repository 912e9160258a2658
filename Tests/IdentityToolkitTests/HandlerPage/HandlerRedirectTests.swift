// SPDX-License-Identifier: Apache-2.0

import Admission
import BrowserTesting
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

/// Logins by redirect: the result waits for the page that claims it, in the browser that began the login.
struct HandlerRedirectTests {
    private static let invalid = "INVALID_IDP_RESPONSE"

    @Test(arguments: [AuthType.signInViaRedirect, .linkViaRedirect, .reauthViaRedirect])
    func `the page claims the result and gets its own fragment back`(authType: AuthType) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let page = "https://app.example.com/app?a=1#/cart?b=2&c=%20"
        let response = try await browser.signIn(
            HandlerBrowser.web(authType, ["redirectUrl": page, "eventId": "uid:::a b"]))
        #expect(try HandlerBrowser.location(response).hasPrefix("https://app.example.com/app?a=1#oidc-broker=done&"))
        let done = try HandlerBrowser.fragment(response)
        #expect(done.names == ["oidc-broker", "login", "fragment"] && done["fragment"] == "/cart?b=2&c=%20")
        #expect(browser.cookies != nil)
        let (claimed, _) = try await browser.claim(response)
        #expect(try HandlerBrowser.location(claimed).hasPrefix("https://app.example.com/app?a=1#oidc-broker=ticket&"))
        let result = try HandlerBrowser.fragment(claimed)
        #expect(result["ticket"]?.utf8.count == 43 && result["type"] == authType.rawValue)
        #expect(result["eventId"] == "uid:::a b" && result["fragment"] == "/cart?b=2&c=%20")
        #expect(browser.cookies == nil && claimed.head.headerFields[.cacheControl] == "no-store")
    }

    @Test func `a page whose URL has 8 KB gets its result, and the state does not grow with it`() async throws {
        let start = "https://app.example.com/app?q=" + String(repeating: "%E3%81%82", count: 110) + "&b=\\#/cart"
        let page = start + String(repeating: "a", count: RedirectURL.maximumLength - start.utf8.count)
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let query = HandlerBrowser.web(.signInViaRedirect, ["redirectUrl": page])
        let (short, long) = (
            try await browser.start(HandlerBrowser.web(.signInViaRedirect)), try await browser.start(query)
        )
        #expect(short.query["state"]?.utf8.count == long.query["state"]?.utf8.count && long.query["state"] != nil)
        let done = try await browser.signIn(query)
        let parts = page.split(separator: "#", maxSplits: 1)
        #expect(try HandlerBrowser.location(done).hasPrefix(parts[0] + "#oidc-broker=done&"))
        let claimed = try await browser.claim(done).response
        #expect(try HandlerBrowser.location(claimed).hasPrefix(parts[0] + "#oidc-broker=ticket&"))
        #expect(try HandlerBrowser.fragment(claimed)["fragment"] == String(parts[1]))
    }

    @Test func `what another tab kept, or one for another origin, leads to the root of the origin`() async throws {
        let second = SDKApp(
            name: "second", apiKey: "second-4f1c0000", authorizedDomains: ["app.example.com:8443"])
        let installation = try HandlerBrowser.installation { $0.apps.append(second) }
        var browser = HandlerBrowser(installation)
        let callback = try await browser.authenticate(HandlerBrowser.web(.signInViaRedirect))
        // The same tab began a sign-in at another origin meanwhile.
        _ = try await browser.start(
            HandlerBrowser.web(
                .signInViaRedirect,
                ["apiKey": second.apiKey, "redirectUrl": "https://app.example.com:8443/other?c=1"]))
        #expect(
            try HandlerBrowser.location(try await browser.get(callback)).hasPrefix(
                "https://app.example.com#oidc-broker=done&"))
    }

    @Test func `the page in between runs one constant script, and nothing that was sent ends its data`() async throws {
        let installation = try HandlerBrowser.installation()
        let hostile = "https://app.example.com/</script><script>alert(1)</script><!--&"
        let query = Query.encode(HandlerBrowser.web(.signInViaRedirect, ["redirectUrl": hostile]))
        let response = try await installation.respond(.get, HandlerBrowser.handler + "?" + query)
        #expect(response.head.status == .ok && response.head.headerFields[.cacheControl] == "no-store")
        #expect(!response.head.headerFields[values: .setCookie].isEmpty)
        let html = String(buffer: response.body)
        #expect(html.components(separatedBy: "<script").count == 3 && !html.contains("alert(1)</script>"))
        let script = try #require(html.firstMatch(of: /<script>(.*?)<\/script>/.dotMatchesNewlines())).1
        let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        let policy = try #require(response.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-\(hash)'"))
        var tab = TabStorage()
        #expect(tab.follow(html: html)?.hasPrefix("https://login.acme.example/authorize?") == true)
    }

    @Test func `without an event ID and a fragment there are none`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let response = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect, ["eventId": nil]))
        #expect(try HandlerBrowser.fragment(response).names == ["oidc-broker", "login"])
        let claimed = try await browser.claim(response).response
        #expect(try HandlerBrowser.fragment(claimed).names == ["oidc-broker", "ticket", "type"])
    }

    @Test func `the verifier of the page that claimed redeems the ticket, once`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let (claimed, verifier) = try await browser.claim(
            try await browser.signIn(HandlerBrowser.web(.signInViaRedirect)))
        let ticket = try #require(try HandlerBrowser.fragment(claimed)["ticket"])
        let link = "https://auth.example.com/__/auth/handler?ticket=" + ticket
        let signedIn = try await HandlerBrowser.redeem(link, session: verifier, at: installation)
        #expect(signedIn.status == 200 && signedIn.members.string("idToken") != nil)
        let again = try await HandlerBrowser.redeem(link, session: verifier, at: installation)
        #expect(again.status == 400 && again.members.message?.hasPrefix(Self.invalid) == true)
    }

    @Test func `a foreign ticket signs no user in`() async throws {
        let installation = try HandlerBrowser.installation()
        var attacker = HandlerBrowser(installation)
        let claimed = try await attacker.claim(try await attacker.signIn(HandlerBrowser.web(.signInViaRedirect)))
        let ticket = try #require(try HandlerBrowser.fragment(claimed.response)["ticket"])
        // The user's browser has another verifier.
        let answer = try await HandlerBrowser.redeem(
            "https://auth.example.com/__/auth/handler?ticket=" + ticket, session: "verifier-of-the-person",
            at: installation)
        #expect(answer.status == 400)
    }

    @Test(.attack(.loginCSRF)) func `a foreign login is claimed by no other page, and not used up`() async throws {
        let installation = try HandlerBrowser.installation()
        var attacker = HandlerBrowser(installation)
        let done = try await attacker.signIn(HandlerBrowser.web(.signInViaRedirect))
        // One with a login of its own, and one without any.
        var person = HandlerBrowser(installation)
        _ = try await person.start(HandlerBrowser.web(.signInViaRedirect))
        for var browser in [person, HandlerBrowser(installation)] {
            let page = try await browser.claim(done).response
            #expect(page.head.status == .badRequest && page.head.headerFields[.location] == nil)
        }
        #expect(try HandlerBrowser.fragment(try await attacker.claim(done).response)["ticket"] != nil)
    }

    @Test func `a claim works once, and its cookie goes`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let cookies = try #require(browser.cookies)
        #expect(try await browser.claim(done).response.head.status == .seeOther)
        #expect(try await browser.claim(done).response.head.status == .badRequest)
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let again = try await browser.get(HandlerBrowser.claimTarget(login, "v"), fields: ["Cookie": cookies])
        #expect(again.head.status == .badRequest && again.head.headerFields[.location] == nil)
    }

    /// Any web page can make a browser begin sign-ins with unclaimed results.
    @Test func `a browser keeps the last four results for an app, and its user is never refused`() async throws {
        let installation = try HandlerBrowser.installation()
        var elsewhere = HandlerBrowser(installation)
        let others = try await elsewhere.signIn(HandlerBrowser.web(.signInViaRedirect))
        var browser = HandlerBrowser(installation)
        var results: [BrokerResponse] = []
        for _ in 0..<40 {
            results.append(try await browser.signIn(HandlerBrowser.web(.signInViaRedirect)))
            #expect(try HandlerBrowser.fragment(try #require(results.last))["oidc-broker"] == "done")
        }
        for (number, result) in results.enumerated().suffix(6) {
            let claimed = try await browser.claim(result).response
            #expect(claimed.head.status == (number < 36 ? .badRequest : .seeOther), "\(number)")
        }
        // The same user in another browser loses nothing.
        #expect(try await elsewhere.claim(others).response.head.status == .seeOther)
    }

    @Test func `of fifty claims at once one wins`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let cookies = try #require(browser.cookies)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await installation.respond(
                        .get, HandlerBrowser.claimTarget(login, "verifier-\(number)"),
                        fields: [.cookie: cookies, .referer: "https://app.example.com/"]
                    ).head.status.code
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count(where: { $0 == 200 }) == 1 && statuses.count(where: { $0 == 400 }) == 49)
    }

    @Test(.attack(.openRedirection)) func `where the claim goes stands in what was held, not in the query`()
        async throws
    {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let evil = Query.encode("https://evil.example/")
        let response = try await browser.get(
            HandlerBrowser.claimTarget(login, "v") + "&redirectUrl=\(evil)&redirect_uri=\(evil)")
        #expect(try HandlerBrowser.location(response).hasPrefix(HandlerBrowser.page + "#oidc-broker=ticket&"))
    }

    @Test(
        .attack(.openRedirection),
        arguments: [
            "", "https://evil.example/", "https://app.example.com.evil.example/", "http://app.example.com/",
            "https://app.example.com:8443/", "https://app.example.com@evil.example/", "null", "app.example.com",
        ])
    func `a page of another origin gets no ticket, though it knows the login`(referer: String) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let response = try await browser.get(HandlerBrowser.claimTarget(login, "v"), fields: ["Referer": referer])
        #expect(response.head.headerFields[.location]?.contains("ticket") != true)
        #expect(!String(buffer: response.body).contains("ticket="))
        #expect(try await browser.claim(done).response.head.status == .badRequest)
    }

    @Test func `a page may tell all of its address, however long it is`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let referer = HandlerBrowser.page + String(repeating: "a", count: 4000)
        let response = try await browser.get(HandlerBrowser.claimTarget(login, "v"), fields: ["Referer": referer])
        #expect(try HandlerBrowser.fragment(response)["ticket"] != nil)
    }

    @Test(arguments: [
        "", "&challenge=", "&challenge=abc", "&challenge=" + String(repeating: "A", count: 44),
        "&challenge=" + String(repeating: "!", count: 43),
        "&challenge=" + String(repeating: "A", count: 43) + "&challenge=" + String(repeating: "A", count: 43),
        "&challenge=" + String(repeating: "A", count: 43) + "&login=AAAAAAAAAAAAAAAAAAAAAA", "&challenge=%",
    ])
    func `a claim that cannot be read uses nothing up`(rest: String) async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let page = try await browser.get("/__/auth/claim?login=\(login)" + rest)
        #expect(page.head.status == .badRequest && browser.cookies != nil)
        #expect(try await browser.claim(done).response.head.status == .seeOther)
    }

    @Test func `two logins in one browser are claimed each by itself`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        let first = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect, ["eventId": "first"]))
        let second = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect, ["eventId": "second"]))
        let later = try await browser.claim(second).response
        let earlier = try await browser.claim(first).response
        #expect(try HandlerBrowser.fragment(later)["eventId"] == "second")
        #expect(try HandlerBrowser.fragment(earlier)["eventId"] == "first" && browser.cookies == nil)
    }

    @Test func `a refusal goes to the page at once, and nothing waits`() async throws {
        var browser = HandlerBrowser(try HandlerBrowser.installation())
        let callback = try await browser.refuse(
            HandlerBrowser.web(.linkViaRedirect, ["redirectUrl": HandlerBrowser.page + "#/cart"]))
        let response = try await browser.get(callback)
        #expect(try HandlerBrowser.location(response).hasPrefix(HandlerBrowser.page + "#oidc-broker=error&"))
        let result = try HandlerBrowser.fragment(response)
        #expect(result["code"] == "auth/user-cancelled" && result["type"] == "linkViaRedirect")
        #expect(result["eventId"] == "9010801184" && result["fragment"] == "/cart" && browser.cookies == nil)
    }

    @Test func `what waits is there for ten minutes from the start`() async throws {
        let installation = try HandlerBrowser.installation { $0.hasTestClockOnly = true }
        var browser = HandlerBrowser(installation)
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let cookies = try #require(browser.cookies)
        installation.clock.advance(by: 601)
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let page = try await browser.get(HandlerBrowser.claimTarget(login, "v"), fields: ["Cookie": cookies])
        #expect(page.head.status == .badRequest)
    }

    @Test func `a claim is a navigation, and one of those whose rate is limited`() async throws {
        let installation = try HandlerBrowser.installation {
            $0.requestLimits.browserPerSecond = 1
            $0.requestLimits.browserBurst = 5
            $0.hasTestClockOnly = true
        }
        var limited = installation
        limited.client = IPAddress("192.0.2.1")
        var browser = HandlerBrowser(limited)
        let done = try await browser.signIn(HandlerBrowser.web(.signInViaRedirect))
        let login = try #require(try HandlerBrowser.fragment(done)["login"])
        let target = HandlerBrowser.claimTarget(login, "v")
        #expect(try await browser.get(target, fields: ["Sec-Fetch-Mode": "cors"]).head.status == .forbidden)
        #expect(try await browser.get(target, fields: ["Sec-Purpose": "prefetch"]).head.status.code == 425)
        // The start and the callback counted once each: there is room for one more.
        #expect(try await browser.get(HandlerBrowser.emulatorHandler).head.status == .badRequest)
        #expect(try await browser.get(target).head.status == .tooManyRequests)
        #expect(try await browser.get(HandlerBrowser.emulatorHandler).head.status == .tooManyRequests)
        installation.clock.advance(by: 2)
        #expect(try await browser.get(target).head.status == .seeOther)
        #expect(
            try await installation.respond(.post, "/__/auth/claim").head.status == .methodNotAllowed)
    }
}
