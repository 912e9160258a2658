// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OpenIDConnect
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// Responses of a provider that are to reach a log, a page, another host or another user.
struct HostileProviderTests {
    @Test(.attack(.hostileProviderError), arguments: ["\r\n", "\n", "\u{1b}[2J", "\u{2028}"])
    func `log injection: no line of the log has another line in it`(text: String) throws {
        let installation = try Installation()
        let evil = "x\(text)auth.outcome=signed_in"
        var browser = Browser(installation)
        let request = try browser.start()
        for callback in [
            try installation.provider.refuse(request, evil, description: evil), [("state", evil)],
            [("code", evil), ("state", "a")], [(evil, "1"), (evil, "2"), ("state", "a")],
        ] {
            _ = try browser.bring(callback)
            installation.clock.advance(by: 1)
        }
        installation.provider.behave { $0.claims = ["aud": .string(evil)] }
        _ = try browser.bring(try browser.authenticate())
        installation.provider.behave { $0.responses["/token"] = .json(["error": .string(evil)], status: 400) }
        _ = try browser.bring(try browser.authenticate())
        #expect(installation.log.lines.count > 5)
        for line in installation.log.lines {
            #expect(line.text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(line.text)")
            #expect(line.metadata["auth.outcome"] != "signed_in")
            #expect(!line.text.contains("auth.outcome=signed_in"), "\(line.text)")
        }
    }

    @Test(.attack(.hostileProviderError))
    func `access_denied is told to an app, and is a page where there is none to tell; never the description`()
        throws
    {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let text = "<script>alert(1)</script>" + String(repeating: "d", count: 600)
        let response = try installation.provider.refuse(request, "access_denied", description: text)
        var other = Browser(installation)
        let page = try other.bring(response)
        #expect(page.status == 400)
        #expect(!page.text.contains("alert(1)"))
        let location = try Location(try browser.bring(response))
        #expect(location["error"] == "access_denied")
        #expect(!location.text.contains("alert"))
        #expect(!installation.log.text.contains("ddd"))
    }

    @Test(.attack(.silentLoginLoop))
    func `login_required is told to the app once, without a redirect to the provider`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try Location(try browser.get(AppClient.shop.target(["prompt": "none"])))
        #expect(request["prompt"] == "none")
        let location = try Location(try browser.bring(installation.provider.refuse(request, "login_required")))
        #expect(location.base == "https://shop.example/callback")
        #expect(location["error"] == "login_required")
        #expect(browser.jar.cookies.isEmpty)
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

    @Test(.attack(.clientAsPerson))
    func `a client that passes for a user, its id as the subject, is refused`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims = ["sub": "broker-at-acme"] }
        var browser = Browser(installation)
        #expect(try browser.signIn()["error"] == "server_error")
        #expect(installation.log.outcomes == ["failed_id_token"])
    }

    @Test(.attack(.hostileDiscovery))
    func `SSRF: nothing that a request names is requested, at the start or at the callback`() throws {
        let installation = try Installation()
        let url = "http://169.254.169.254/latest/meta-data"
        for name in ["iss", "issuer", "request_uri", "registration", "jwks_uri", "logo_uri", "provider", "request"] {
            _ = try installation.get(AppClient.shop.target([name: url]))
        }
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let more = [("jwks_uri", url), ("issuer", url), ("error_uri", url), ("user", url), ("response", url)]
        #expect(try browser.bring(callback + more).status == 303)
        #expect(installation.transport.strays.isEmpty)
        let paths = Set(installation.provider.requests.map(\.url.path))
        #expect(paths == ["/.well-known/openid-configuration", "/token", "/jwks"])
    }
}
