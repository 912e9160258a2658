// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// Providers that share a callback path.
struct SharedCallbackPathTests {
    private static var atAcme: AppClient {
        var app = AppClient.shop
        app.provider = "acme"
        return app
    }

    private static var atGlobex: AppClient {
        var app = AppClient.shop
        app.provider = "globex"
        return app
    }

    @Test func `one of them need not announce iss`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        installation.provider.behave { $0.announcesIssuer = false }
        var browser = Browser(installation)
        #expect(try browser.signIn(Self.atAcme)["code"] != nil)
        // A callback without iss is fine for it.
        let response = try browser.authenticate(Self.atAcme).filter { $0.0 != "iss" }
        #expect(try Location(try browser.bring(response))["code"] != nil)
        #expect(try browser.signIn(Self.atGlobex)["code"] != nil)
    }

    @Test func `any other is refused at its first login, and the log says what to do`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        installation.providers[1].behave { $0.announcesIssuer = false }
        var browser = Browser(installation)
        let response = try browser.get(Self.atGlobex.target())
        let location = try Location(response)
        #expect(location.base == "https://shop.example/callback")
        #expect(location["error"] == "server_error")
        #expect(location["state"] == "state-of-the-app")
        #expect(response.setCookies.isEmpty)
        let line = try #require(installation.log.lines.last)
        #expect(line.level == .warning)
        #expect(line.text.contains("give it a 'callback-path' of its own"))
        #expect(line.metadata["auth.provider"] == "oidc.globex")
        #expect(try browser.signIn(Self.atAcme)["code"] != nil)
    }

    @Test(.attack(.mixUpByCallbackPath, .loginCookieOfAnotherProvider))
    func `with a path of its own it need not announce iss`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) {
            $0.providers[1].callbackPath = "/__/auth/globex"
        }
        for provider in installation.providers { provider.behave { $0.announcesIssuer = false } }
        var browser = Browser(installation)
        let request = try browser.start(Self.atGlobex)
        #expect(request["redirect_uri"] == "https://auth.example.com/__/auth/globex")
        let response = try installation.providers[1].signIn(request)
        // On another's path it is refused and not used up.
        #expect(try browser.bring(response).status == 400)
        #expect(installation.log.outcomes == ["misdirected"])
        #expect(try Location(try browser.bring(response, to: "/__/auth/globex"))["code"] != nil)
    }

    @Test(
        arguments: [ResponseType.codeIDToken, .idToken])
    func `one whose responses have an ID token need not announce iss: the token identifies it`(type: ResponseType)
        throws
    {
        let installation = try Installation(providers: ["acme", "globex"]) {
            $0.providers[1].configuration.responseType = type
            $0.providers[1].configuration.responseMode = .formPost
        }
        installation.providers[1].behave { $0.announcesIssuer = false }
        var browser = Browser(installation)
        let response = try browser.authenticate(Self.atGlobex).filter { $0.0 != "iss" }
        #expect(try Location(try browser.bringForm(response))["code"] != nil)
        // An ID token of another issuer ends it before any token request.
        installation.providers[1].behave { $0.frontChannelClaims = ["iss": "https://login.acme.example"] }
        let count = installation.providers[1].count("/token")
        let wrong = try browser.authenticate(Self.atGlobex).filter { $0.0 != "iss" }
        #expect(try Location(try browser.bringForm(wrong))["error"] == "server_error")
        #expect(installation.providers[1].count("/token") == count)
        #expect(installation.log.text.contains("issuer"))
    }

    @Test func `a callback path outside the prefix is handled, exactly`() throws {
        let installation = try Installation { $0.providers[0].callbackPath = "/login/acme" }
        #expect(installation.broker.handles(path: "/login/acme"))
        #expect(installation.broker.handles(path: "/login/acme?code=x"))
        let others = [
            "/login/acme/", "/login/acmex", "/login", "/login/Acme", "/login/%61cme", "/__/auth", "/__/authx", "/",
        ]
        for target in others {
            #expect(!installation.broker.handles(path: target), "\(target)")
        }
        #expect(installation.broker.handles(path: "/__/auth/anything"))
        var browser = Browser(installation)
        let response = try browser.authenticate()
        #expect(try browser.bring(response, to: "/login/acme").status == 303)
    }

    @Test func `an iss of another issuer is refused before any token request, for the exempt one too`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        installation.provider.behave { $0.announcesIssuer = false }
        for app in [Self.atAcme, Self.atGlobex] {
            for issuer in [
                "https://login.evil.example", "https://login.acme.example/", "https://LOGIN.globex.example",
            ] {
                var browser = Browser(installation)
                var response = try browser.authenticate(app)
                response[2].1 = issuer
                let location = try Location(try browser.bring(response))
                #expect(location["error"] == "server_error")
                #expect(location["code"] == nil)
            }
        }
        #expect(installation.providers.allSatisfy { $0.count("/token") == 0 })
        // One without a value counts as omitted, which the exempt one may do and the other may not.
        for (app, error) in [(Self.atAcme, nil), (Self.atGlobex, "server_error")] {
            var browser = Browser(installation)
            var response = try browser.authenticate(app)
            response[2].1 = ""
            #expect(try Location(try browser.bring(response))["error"] == error)
        }
    }

    @Test func `a mix-up: the state of one with the code and iss of another`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let mine = try browser.authenticate(Self.atAcme)
        let other = try browser.authenticate(Self.atGlobex)
        let location = try Location(try browser.bring([other[0], mine[1], other[2]]))
        #expect(location["error"] == "server_error")
        #expect(installation.providers.allSatisfy { $0.count("/token") == 0 })
    }

    @Test func `iss that is announced and missing is refused before any token request`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate().filter { $0.0 != "iss" }
        #expect(try Location(try browser.bring(response))["error"] == "server_error")
        #expect(installation.provider.count("/token") == 0)
    }

    @Test
    func `one that sends iss and does not announce it may share the path by sends-issuer, and is refused without it`()
        throws
    {
        let installation = try Installation(providers: ["acme", "globex"]) {
            $0.providers[1].configuration.sendsIssuer = true
        }
        installation.providers[1].behave { $0.announcesIssuer = false }
        var browser = Browser(installation)
        var response = try browser.authenticate(Self.atGlobex)
        if !response.contains(where: { $0.0 == "iss" }) { response.append(("iss", installation.providers[1].issuer)) }
        #expect(try Location(try browser.bring(response))["code"] != nil)
        let count = installation.providers[1].count("/token")
        let without = try browser.authenticate(Self.atGlobex).filter { $0.0 != "iss" }
        #expect(try Location(try browser.bring(without))["error"] == "server_error")
        #expect(installation.providers[1].count("/token") == count)
    }

    @Test func `sends-issuer asks for iss on a path of its own, too`() throws {
        let installation = try Installation { $0.providers[0].configuration.sendsIssuer = true }
        installation.provider.behave { $0.announcesIssuer = false }
        var browser = Browser(installation)
        let response = try browser.authenticate().filter { $0.0 != "iss" }
        #expect(try Location(try browser.bring(response))["error"] == "server_error")
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `who had to announce iss must send it, even where its metadata no longer says so`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let refreshAfter = FreshnessLifetime(cacheControl: nil).refreshAfter
        _ = try browser.start(Self.atGlobex)
        installation.clock.advance(by: refreshAfter - 10)
        let response = try browser.authenticate(Self.atGlobex).filter { $0.0 != "iss" }
        #expect(installation.providers[1].count("/.well-known/openid-configuration") == 1)
        installation.providers[1].behave { $0.announcesIssuer = false }
        installation.clock.advance(by: 20)
        // Another start has the metadata refreshed meanwhile.
        _ = try browser.get(Self.atGlobex.target())
        #expect(installation.providers[1].count("/.well-known/openid-configuration") == 2)
        #expect(try Location(try browser.bring(response))["error"] == "server_error")
        #expect(installation.providers[1].count("/token") == 0)
    }
}
