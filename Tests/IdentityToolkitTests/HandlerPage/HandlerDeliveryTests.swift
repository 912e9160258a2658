// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Sign-ins that cannot be delivered as they are: what is too long, too many, or of another version of the server.
struct HandlerDeliveryTests {
    /// A broker whose logins are altered.
    private static func installation(
        _ alter: (inout AlteredToolkit) throws -> Void
    ) throws -> ToolkitInstallation {
        let installation = try HandlerBrowser.installation()
        let app = SDKApp(name: "web", apiKey: ToolkitInstallation.apiKey, authorizedDomains: ["app.example.com"])
        var altered = AlteredToolkit(
            base: try IdentityToolkit(
                service: installation.service, apps: [app, HandlerQueries.ios],
                publicURL: "https://auth.example.com/__/auth",
                limits: IdentityToolkit.AccountLimits(limiter: SwitchedLimiter(), elapsed: { 0 })))
        try alter(&altered)
        try installation.broker.reload(
            installation.configuration, extensions: BrokerExtensions(routes: [altered], logins: [altered]))
        return installation
    }

    /// A sign-in with a longer profile or another ID token.
    private static func altered(_ signIn: VerifiedSignIn, profile: Int = 0, idToken: Int? = nil) -> VerifiedSignIn {
        var claims = signIn.claims.object
        claims["bio"] = .string(String(repeating: "b", count: profile))
        return VerifiedSignIn(
            issuer: signIn.issuer, subject: signIn.subject, claims: Claims(claims),
            idToken: idToken.map { Secret(String(repeating: "t", count: $0)) } ?? signIn.idToken,
            accessToken: signIn.accessToken, refreshToken: signIn.refreshToken, expiresIn: signIn.expiresIn,
            rawNonce: signIn.rawNonce)
    }

    /// A profile within the bytes that may wait, and one beyond them.
    @Test(arguments: [(50_000, true), (70_000, false)])
    func `a profile that no store takes is left out, and the user signs in`(
        length: Int, isKept: Bool
    ) async throws {
        let installation = try Self.installation { $0.signIn = { Self.altered($0, profile: length) } }
        var browser = HandlerBrowser(installation)
        let (claimed, verifier) = try await browser.claim(
            try await browser.signIn(HandlerBrowser.web(.signInViaRedirect)))
        let ticket = try #require(try HandlerBrowser.fragment(claimed)["ticket"])
        let answer = try await HandlerBrowser.redeem(
            "https://auth.example.com/__/auth/handler?ticket=" + ticket, session: verifier, at: installation)
        #expect(answer.status == 200)
        #expect(answer.members.string("rawUserInfo")?.contains("bbbb") == isKept)
    }

    @Test func `an ID token that no store takes is a failure of this server`() async throws {
        let installation = try Self.installation { $0.signIn = { Self.altered($0, idToken: 70_000) } }
        var browser = HandlerBrowser(installation)
        let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        #expect(event["error"]?.objectValue?.string("code") == "auth/internal-error" && event["urlResponse"] == .null)
        let redirect = try HandlerBrowser.fragment(
            try await browser.signIn(HandlerBrowser.web(.signInViaRedirect)))
        #expect(redirect["oidc-broker"] == "error" && redirect["code"] == "auth/internal-error")
    }

    @Test func `of the tickets of one user at one app thirty-two wait`() async throws {
        let installation = try HandlerBrowser.installation()
        var browser = HandlerBrowser(installation)
        for _ in 0..<32 {
            let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
            #expect(event["error"] == .null)
        }
        let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        #expect(event["error"]?.objectValue?.string("code") == "auth/internal-error" && event["urlResponse"] == .null)
        installation.clock.advance(by: 301)
        let later = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        #expect(later["error"] == .null)
    }

    @Test func `a login that cannot be read ends in a page, whatever it ends in`() async throws {
        let installation = try Self.installation { $0.content = [2, 0, 3] }
        var browser = HandlerBrowser(installation)
        let signedIn = try await browser.signIn(HandlerBrowser.web())
        let canceled = try await browser.get(try await browser.refuse(HandlerBrowser.web()))
        for page in [signedIn, canceled] {
            #expect(page.head.headerFields[.location] == nil)
            #expect(page.head.status != .seeOther && !String(buffer: page.body).contains("auth-event"))
        }
        #expect(signedIn.head.status == .badRequest && browser.cookies == nil)
    }

    @Test func `what waited and cannot be read is no ticket`() async throws {
        let installation = try Self.installation { $0.waiting = { [0] + $0 } }
        var browser = HandlerBrowser(installation)
        let page = try await browser.submit(try await browser.signIn(HandlerBrowser.ios()))
        #expect(page.head.status == .badRequest && page.head.headerFields[.location] == nil)
        #expect(browser.cookies == nil)
    }

    @Test func `a login of an app without a session gets no ticket`() async throws {
        // Such a one was begun by no start.
        let login = HandlerLogin(
            try HandlerQueries.start(HandlerQueries.iosText, HandlerQueries.ios), app: HandlerQueries.ios)
        let unbound = Array(login.encoded.dropLast(2 + SessionBinding.byteCount)) + [0, 0]
        #expect(HandlerLogin(encoded: unbound)?.destination == login.destination)
        let installation = try Self.installation { $0.content = unbound }
        var browser = HandlerBrowser(installation)
        let page = try await browser.submit(try await browser.signIn(HandlerBrowser.ios()))
        #expect(page.head.status == .badRequest && page.head.headerFields[.location] == nil)
    }
}
