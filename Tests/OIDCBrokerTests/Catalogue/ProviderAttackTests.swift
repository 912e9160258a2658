// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// The attacks of RFC 9700 that a provider, or a callback in its name, is part of.
struct ProviderAttackTests {
    private static func app(at provider: String) -> AppClient {
        var app = AppClient.shop
        app.provider = provider
        return app
    }

    private func expectRefusal(
        _ response: BrokerResponse, _ installation: Installation, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if response.status == 303 {
            let location = try Location(response, sourceLocation: sourceLocation)
            #expect(location["error"] == "server_error", sourceLocation: sourceLocation)
            #expect(location["code"] == nil, sourceLocation: sourceLocation)
        } else {
            #expect(response.status == 400, sourceLocation: sourceLocation)
        }
        #expect(installation.providers.allSatisfy { $0.count("/token") == 0 }, sourceLocation: sourceLocation)
    }

    @Test(.attack(.mixUp))
    func `mix-up: one's state with the other's code and iss goes to neither token endpoint`() throws {
        for types in [[ResponseType.code, .code], [.codeIDToken, .code], [.code, .codeIDToken]] {
            let installation = try Installation(providers: ["acme", "globex"]) {
                for number in 0..<2 {
                    $0.providers[number].configuration.responseType = types[number]
                    $0.providers[number].configuration.responseMode = .formPost
                }
            }
            for (mine, other) in [("acme", "globex"), ("globex", "acme")] {
                var browser = Browser(installation)
                let own = try browser.authenticate(Self.app(at: mine))
                let foreign = try browser.authenticate(Self.app(at: other))
                let state = try #require(own.first { $0.0 == "state" })
                let mixed = foreign.map { $0.0 == "state" ? state : $0 }
                try expectRefusal(try browser.bringForm(mixed), installation)
            }
        }
    }

    @Test(.attack(.mixUp))
    func `mix-up: where the other says nothing of itself, its ID token or its absence tells`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) {
            for number in 0..<2 {
                $0.providers[number].configuration.responseType = .codeIDToken
                $0.providers[number].configuration.responseMode = .formPost
            }
        }
        for provider in installation.providers { provider.behave { $0.announcesIssuer = false } }
        var browser = Browser(installation)
        let own = try browser.authenticate(Self.app(at: "acme"))
        let foreign = try browser.authenticate(Self.app(at: "globex"))
        try expectRefusal(try browser.bringForm([foreign[0], own[1], foreign[3]]), installation)
        let again = try browser.authenticate(Self.app(at: "acme"))
        // Its own ID token with the other's code.
        try expectRefusal(try browser.bringForm([foreign[0], again[1], again[3]]), installation)
    }

    @Test(.attack(.mixUpByCallbackPath))
    func `one's state on the path of the other: a page, nothing is sent, nothing used up`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) {
            $0.providers[0].callbackPath = "/__/auth/acme"
            $0.providers[1].callbackPath = "/__/auth/globex"
        }
        for provider in installation.providers { provider.behave { $0.announcesIssuer = false } }
        var browser = Browser(installation)
        let response = try browser.authenticate(Self.app(at: "acme")).filter { $0.0 != "iss" }
        for path in ["/__/auth/globex", Installation.handler] {
            let page = try browser.bring(response, to: path)
            #expect(page.status == 400, "\(path)")
            try expectRefusal(page, installation)
            installation.clock.advance(by: 1)
        }
        #expect(installation.log.outcomes == ["misdirected", "misdirected"])
        #expect(try browser.bring(response, to: "/__/auth/acme").status == 303)
    }

    // "Cuckoo token", partial redirect URI tampering: the path alone says where a callback belongs.
    @Test(.attack(.mixUpByCallbackPath))
    func `other query parameters of a response never select another provider`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let response = try browser.authenticate(Self.app(at: "acme"))
        let more = [
            ("provider", "globex"), ("issuer", "https://login.globex.example"), ("client_id", "broker-at-globex"),
        ]
        #expect(try Location(try browser.bring(more + response))["code"] != nil)
        #expect(installation.providers[1].requests.isEmpty)
        #expect(installation.provider.tokenForms[0]["redirect_uri"] == Installation.origin + Installation.handler)
    }

    @Test(.attack(.strippedIssuer)) func `iss is announced and missing: no token request`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate().filter { $0.0 != "iss" }
        try expectRefusal(try browser.bring(response), installation)
        #expect(installation.log.outcomes == ["failed_authorization"])
    }

    @Test(.attack(.codeInjection))
    func `an injected code goes out with the victim's own verifier, which does not fit`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let stolen = try attacker.authenticate()
        var victim = Browser(installation)
        let request = try victim.start()
        var response = try installation.provider.signIn(request)
        response[0] = stolen[0]
        #expect(try Location(try victim.bring(response))["error"] == "server_error")
        let form = try #require(installation.provider.tokenForms.first)
        #expect(form["code"] == stolen[0].1)
        #expect(ProofKey.challenge(of: form["code_verifier"] ?? "") == request["code_challenge"])
        #expect(installation.log.outcomes == ["failed_token"])
    }

    @Test(.attack(.accessTokenInjection))
    func `an access token from the browser is ignored, and appears nowhere later`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.back
        let forged = [("access_token", "forged-token"), ("token_type", "Bearer"), ("expires_in", "3600")]
        let location = try Location(try browser.bring(try browser.authenticate(app) + forged))
        let response = try installation.redeem(try #require(location["code"]), app)
        #expect(response.status == 200)
        #expect(!response.text.contains("forged-token"))
        // Alone it is no response at all.
        let state = try browser.authenticate().filter { $0.0 != "code" }
        #expect(try browser.bring(state + forged).status == 400)
    }

    // Login CSRF.
    @Test(.attack(.loginCSRF))
    func `a valid response in a browser without the login's cookie: no sign-in, no cookie`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let response = try attacker.authenticate()
        var victim = Browser(installation)
        let page = try victim.bring(response)
        #expect(page.status == 400)
        #expect(page.head.headerFields[.location] == nil)
        #expect(page.setCookies.isEmpty)
        #expect(installation.provider.count("/token") == 0)
    }

    @Test(.attack(.pkceDowngrade), arguments: [nil, "plain", ""])
    func `S256 is sent whatever the metadata says of PKCE`(method: String?) throws {
        let installation = try Installation()
        let announced = method.map { JSONValue.array($0.isEmpty ? [] : [.string($0)]) } ?? .null
        installation.provider.behave { $0.metadata = ["code_challenge_methods_supported": announced] }
        var browser = Browser(installation)
        let request = try browser.start()
        #expect(request["code_challenge_method"] == "S256")
        #expect(request["code_challenge"]?.count == 43)
        _ = try browser.bring(try installation.provider.signIn(request))
        #expect(installation.provider.tokenForms.first?["code_verifier"] != nil)
    }

    @Test(.attack(.pkceDowngrade)) func `without metadata there is no redirect, with or without PKCE`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.deadPaths = ["/.well-known/openid-configuration"] }
        var browser = Browser(installation)
        #expect(try Location(try browser.get(AppClient.shop.target()))["error"] == "temporarily_unavailable")
    }

    // Stolen tokens must be refused by resource servers; the broker is not one, and passes on the token's binding.
    @Test(.attack(.unboundAccessToken)) func `what binds a token to its holder is handed on as it came`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims = ["cnf": ["jkt": "thumbprint-of-a-key"]] }
        var browser = Browser(installation)
        let app = AppClient.back
        let response = try installation.redeem(try #require(try browser.signIn(app)["code"]), app).json()
        let claims = try #require(response["upstream"]?.objectValue?["claims"]?.objectValue)
        #expect(claims["cnf"]?.objectValue?["jkt"]?.text?.makeString() == "thumbprint-of-a-key")
    }

    @Test(.attack(.clientAsPerson))
    func `a client that passes for a person, its id as the subject, is refused`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims = ["sub": "broker-at-acme"] }
        var browser = Browser(installation)
        #expect(try browser.signIn()["error"] == "server_error")
        #expect(installation.log.outcomes == ["failed_id_token"])
    }
}
