// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Responses that belong to another provider (RFC 9700 section 4.4).
struct MixUpTests {
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
}
