// SPDX-License-Identifier: Apache-2.0

import NIOEmbedded
import NIOCore
import HTTPTypes
import InMemoryTracing
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport
import Tracing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The spans of requests, and of the requests to providers under them.
struct SpanTreeTests {
    @Test func `a sign-in is a start, a callback and a redemption, each with its requests to the provider`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        let app = AppClient.shop
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).status == 200)
        #expect(tracer.tree == ["authorize(discovery)", "callback(token jwks)", "token"])
        let servers = tracer.finished.filter { $0.kind == .server }
        #expect(servers.allSatisfy { $0.parentSpanID == nil })
        #expect(Set(servers.map(\.traceID)).count == 3)
        #expect(servers.map { $0.text("auth.endpoint") } == ["authorize", "callback", "token"])
        #expect(servers.map { $0.text("auth.outcome") } == ["redirected", "signed_in", "redeemed"])
        #expect(servers.map { $0.text("auth.app") } == ["shop", "shop", "shop"])
        #expect(servers.map { $0.text("auth.provider") } == ["oidc.acme", "oidc.acme", nil])
        #expect(servers.map(\.responseStatus) == [303, 303, 200])
        let references = servers.compactMap { $0.text("auth.reference") }
        #expect(references.count == 3 && Set(references).count == 1)
        let clients = tracer.finished.filter { $0.kind == .client }
        #expect(clients.allSatisfy { $0.text("auth.provider") == "oidc.acme" && $0.responseStatus == 200 })
        #expect(tracer.finished.allSatisfy { !$0.isFailure && $0.errors.isEmpty && $0.events.isEmpty })
        #expect(tracer.ends.all.values.allSatisfy { $0 == 1 } && tracer.ends.all.count == 6)
    }

    @Test func `what is cached is not asked for again`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        for _ in 0..<2 {
            var browser = Browser(installation)
            #expect(try browser.signIn()["code"] != nil)
        }
        #expect(tracer.tree == ["authorize(discovery)", "callback(token jwks)", "authorize", "callback(token)"])
    }

    @Test func `a pushed request and UserInfo are spans`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer) {
            $0.providers[0].configuration.pushedAuthorization = true
            $0.providers[0].configuration.userInfo = true
        }
        installation.provider.behave { $0.announcesOptionalEndpoints = true }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        #expect(tracer.tree == ["authorize(discovery par)", "callback(token jwks userinfo)"])
    }

    @Test func `choosing a provider, and continuing to an app, are spans of their own`() throws {
        let tracer = TestTracer()
        let installation = try Installation(providers: ["acme", "globex"], tracer: tracer)
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        _ = try browser.submit(page, pressing: ("provider", "globex"))
        var app = AppClient.desk
        app.provider = "acme"
        _ = try browser.signIn(app)
        let servers = tracer.finished.filter { $0.kind == .server }
        #expect(
            servers.map { $0.text("auth.endpoint") } == ["authorize", "choose", "authorize", "callback", "continue"])
        #expect(servers.map(\.operationName) == ["authorize", "authorize", "authorize", "callback", "callback"])
        #expect(
            servers.map { $0.text("auth.outcome") }
                == ["choosing", "redirected", "redirected", "continuing", "signed_in"])
    }

    @Test func `logins of an embedding server are starts, by their path and by a call`() throws {
        let tracer = TestTracer()
        let installation = try Installation(
            signInHandlers: ["site": SignInHandler { _ in .redirect(headerFields: [:]) }], tracer: tracer
        ) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
        }
        var browser = Browser(installation)
        #expect(try browser.get("/__/auth/login/site").status == 303)
        let server = tracer.startSpan("server", context: .topLevel, ofKind: .server)
        var login = LoginRequest(app: "site")
        login.serviceContext = server.context
        let response = installation.broker.login(login, on: installation.eventLoop)
        installation.eventLoop.run()
        #expect(try response.wait().status == 303)
        login.app = "nobody"
        #expect(throws: LoginRequestError.self) {
            _ = try installation.broker.login(login, on: installation.eventLoop).wait()
        }
        let spans = tracer.finished.filter { $0.operationName == "authorize" }
        #expect(spans.map { $0.text("auth.endpoint") } == ["login", "login", "login"])
        #expect(spans.map(\.parentSpanID) == [nil, server.span.spanID, server.span.spanID])
        #expect(spans.map(\.isFailure) == [false, false, true])
    }

    @Test func `a credential and a revocation have their requests under them`() throws {
        let tracer = TestTracer()
        let setup = try AppleSetup(tracer: tracer)
        let signedIn = try setup.post("credential", setup.credentialForm(try setup.apple.credential()))
        #expect(signedIn.status == 200, "\(signedIn.text)")
        let idToken = try #require(try signedIn.json()["id_token"]?.text?.makeString())
        let code = try setup.apple.credential().code
        let revoked = try setup.post("revoke", [("client_id", "shop"), ("id_token", idToken), ("code", code)])
        #expect(revoked.status == 200, "\(revoked.text)")
        #expect(tracer.tree == ["credential(discovery jwks token)", "revoke(token revoke)"])
        let spans = tracer.finished.filter { $0.kind == .server }
        #expect(spans.map { $0.text("auth.provider") } == ["apple.com", "apple.com"])
        #expect(spans.map { $0.text("auth.app") } == ["shop", "shop"])
        #expect(spans.map { $0.text("auth.outcome") } == ["signed_in", "revoked"])
    }

    @Test func `other endpoints have no span`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        for path in ["userinfo", "jwks", ".well-known/openid-configuration", "logout", "nowhere"] {
            _ = try installation.get("/__/auth/" + path)
        }
        _ = try installation.get("/elsewhere/authorize?client_id=shop")
        #expect(tracer.finished.isEmpty)
    }
}
