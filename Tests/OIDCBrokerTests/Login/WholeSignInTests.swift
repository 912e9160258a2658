// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import NIOEmbedded
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A whole sign-in in memory.
struct WholeSignInTests {
    @Test func `sends the browser to the provider with the protocol's parameters and nothing of the app`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let request = try browser.start(app)
        #expect(request.base == "https://login.acme.example/authorize")
        #expect(
            Set(request.query.names) == [
                "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
                "code_challenge_method",
            ])
        #expect(request.query.names.count == 8)
        #expect(request["response_type"] == "code")
        #expect(request["client_id"] == "broker-at-acme")
        #expect(request["redirect_uri"] == "https://auth.example.com/__/auth/handler")
        #expect(request["scope"] == "openid email profile")
        #expect(request["code_challenge_method"] == "S256")
        #expect(request["code_challenge"]?.count == 43)
        #expect(request["code_challenge"] != ProofKey.challenge(of: app.verifier))
        #expect(request["nonce"]?.count == 43)
        #expect(request["nonce"] != app.nonce)
        let state = try #require(request["state"])
        #expect(state.utf8.count <= 1100)
        let sealed = try #require(Base64URL.decode(state))
        let texts = ["state-of-the-app", "nonce-of-the-app", "shop", "acme", "https://shop.example/callback"]
        for text in texts {
            #expect(!request.text.contains("=" + text))
            #expect(!String(decoding: sealed, as: UTF8.self).contains(text))
        }
    }

    @Test func `sets one cookie that binds the login to the browser`() throws {
        let installation = try Installation()
        let response = try installation.get(AppClient.shop.target())
        #expect(response.status == 303)
        #expect(response.setCookies.count == 1)
        let cookie = try #require(response.setCookies.first)
        let form = /__Host-oidc-[\w-]{11}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure/
        let isOfForm = cookie.wholeMatch(of: form) != nil
        #expect(isOfForm, "\(cookie)")
    }

    @Test func `gives every start a state, a nonce, a challenge and a cookie of its own`() throws {
        let installation = try Installation()
        var states: Set<String?> = []
        var nonces: Set<String?> = []
        var challenges: Set<String?> = []
        var cookies: Set<String> = []
        for _ in 0..<20 {
            let response = try installation.get(AppClient.shop.target())
            let request = try Location(response)
            states.insert(request["state"])
            nonces.insert(request["nonce"])
            challenges.insert(request["code_challenge"])
            cookies.formUnion(response.setCookies)
        }
        #expect(states.count == 20)
        #expect(nonces.count == 20)
        #expect(challenges.count == 20)
        #expect(cookies.count == 20)
    }

    @Test func `ends at the app with code, state and iss, and the login's cookie is deleted`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let cookie = try #require(browser.jar.cookies.first)
        let response = try browser.bring(callback)
        let location = try Location(response)
        #expect(location.base == "https://shop.example/callback")
        #expect(location.query.names == ["code", "state", "iss"])
        #expect(location["state"] == "state-of-the-app")
        #expect(location["iss"] == "https://auth.example.com/__/auth")
        #expect(location["code"]?.count == 43)
        #expect(response.body.readableBytes == 0)
        #expect(response.setCookies == ["\(cookie.name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure"])
        #expect(browser.jar.cookies.isEmpty)
        #expect(installation.log.outcomes == ["signed_in"])
    }

    @Test func `no table of an HTTP/2 connection keeps a code, a state or a cookie (RFC 7541 section 7.1.3)`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let begun = try installation.get(AppClient.shop.target())
        let returned = try browser.bring(try browser.authenticate())
        for response in [begun, returned] {
            let ofOneLogin = response.head.headerFields.filter { $0.name == .location || $0.name == .setCookie }
            #expect(ofOneLogin.count == 2)
            #expect(ofOneLogin.allSatisfy { $0.indexingStrategy == .disallow })
        }
    }

    @Test func `an app that sent no state gets none, and a redirect URI keeps its query`() throws {
        var browser = Browser(try Installation())
        var app = AppClient.back
        app.state = nil
        let location = try browser.signIn(app)
        #expect(location.base == "https://back.example/callback")
        #expect(location.query.names == ["from", "code", "iss"])
        #expect(location["from"] == "broker")
    }

    @Test func `asks the provider three times: for its metadata, for the tokens, for its keys`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let callback = try installation.provider.signIn(request)
        _ = try browser.bring(callback)
        #expect(
            installation.provider.requests.map(\.url.path) == ["/.well-known/openid-configuration", "/token", "/jwks"])
        let form = try #require(installation.provider.tokenForms.first)
        #expect(form.names.sorted() == ["code", "code_verifier", "grant_type", "redirect_uri"])
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == callback[0].1)
        #expect(form["redirect_uri"] == "https://auth.example.com/__/auth/handler")
        #expect(ProofKey.challenge(of: form["code_verifier"] ?? "") == request["code_challenge"])
        _ = try browser.signIn()
        #expect(installation.provider.requests.count == 4)
    }

    @Test func `is answered when a slow provider answers, not before`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.latePaths = ["/.well-known/openid-configuration", "/token"] }
        let target = AppClient.shop.target()
        let starts = (0..<3).map { _ in
            PendingResponse(
                installation.broker.respond(
                    to: BrokerRequest(
                        head: HTTPRequest(
                            method: .get, scheme: "https", authority: "auth.example.com", path: target)),
                    on: installation.eventLoop))
        }
        #expect(starts.allSatisfy { $0.response == nil })
        #expect(installation.provider.requests.count == 1)
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(starts.compactMap { $0.response?.status } == [303, 303, 303])

        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let pending = try browser.bringWithoutWaiting(callback)
        #expect(pending.response == nil)
        // The same callback again while the first is under way: no second exchange.
        let second = try browser.bring(callback)
        #expect(second.heading == "This sign-in is finished or was interrupted")
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 303)
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(arguments: ["shop", "back", "desk", "phone"])
    func `works for every kind of app`(name: String) throws {
        let app = try #require(
            ["shop": AppClient.shop, "back": .back, "desk": .desk, "phone": .phone][name])
        let installation = try Installation()
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        #expect(location.text.hasPrefix(app.redirectURI + (app.redirectURI.contains("?") ? "&" : "?")))
        let callback = try installation.redeem(try #require(location["code"]), app)
        #expect(callback.status == 200, "\(callback.text)")
    }

    @Test func `works with an http loopback public URL`() throws {
        let installation = try Installation { $0.publicURL = try #require(PublicURL("http://localhost:8080")) }
        var browser = Browser(installation)
        let request = try browser.start()
        #expect(request["redirect_uri"] == "http://localhost:8080/__/auth/handler")
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location["iss"] == "http://localhost:8080/__/auth")
        #expect(browser.jar.cookies.isEmpty)
    }
}
