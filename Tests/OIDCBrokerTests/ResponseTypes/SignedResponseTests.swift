// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A provider that signs its responses (JARM).
struct SignedResponseTests {
    private static let modes: [ResponseMode] = [.jwt, .queryJWT, .formPostJWT, .fragmentJWT]

    private func installation(_ mode: ResponseMode = .jwt, providers: [String] = ["acme"]) throws -> Installation {
        try Installation(providers: providers) { configuration in
            for index in configuration.providers.indices {
                configuration.providers[index].configuration.responseMode = mode
            }
        }
    }

    /// A response as the provider signs it.
    private func signed(
        _ response: [(String, String)], by provider: TestProvider, _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> [(String, String)] {
        var claims = JSONObject()
        for (name, value) in response { claims[name] = .string(value) }
        claims["iss"] = .string(provider.issuer)
        claims["aud"] = .string(provider.client.id)
        claims["exp"] = .number(JSONNumber(provider.clock.now() + 300))
        change(&claims)
        return [("response", try provider.key.sign(claims))]
    }

    private func bring(
        _ response: [(String, String)], by mode: ResponseMode, _ browser: inout Browser
    ) throws -> BrokerResponse {
        switch mode {
        case .formPostJWT: try browser.bringForm(response)
        case .fragmentJWT: try browser.bringFragment(response)
        default: try browser.bring(response)
        }
    }

    @Test(arguments: modes) func `is asked to, and signs in`(mode: ResponseMode) throws {
        let installation = try self.installation(mode)
        var browser = Browser(installation)
        let request = try browser.start()
        #expect(request["response_mode"] == mode.name)
        #expect(browser.jar.cookies.map(\.sameSite) == [mode == .formPostJWT ? "none" : "lax"])
        let response = try signed(try installation.provider.signIn(request), by: installation.provider)
        let location = try Location(try bring(response, by: mode, &browser))
        #expect(location["code"] != nil && location["state"] == "state-of-the-app")
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test func `an error in it is told to the app`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let refusal = try installation.provider.refuse(request, "access_denied")
        let response = try signed(refusal, by: installation.provider)
        #expect(try Location(try browser.bring(response))["error"] == "access_denied")
        #expect(installation.log.outcomes == ["cancelled"])
    }

    @Test(.attack(.forgedSignedResponse), arguments: modes)
    func `without a signature it is refused, an error too, and nothing is used up`(mode: ResponseMode) throws {
        let installation = try self.installation(mode)
        var browser = Browser(installation)
        let request = try browser.start()
        let callback = try installation.provider.signIn(request)
        for plain in [callback, try installation.provider.refuse(request, "access_denied")] {
            #expect(try bring(plain, by: mode, &browser).status == 400)
            installation.clock.advance(by: 1)
        }
        #expect(installation.log.outcomes.filter { $0 != "reading_fragment" } == ["unreadable", "unreadable"])
        #expect(installation.provider.count("/token") == 0 && installation.provider.count("/jwks") == 0)
        let response = try signed(callback, by: installation.provider)
        #expect(try bring(response, by: mode, &browser).status == 303)
    }

    @Test func `where none was asked for it is refused, and nothing is used up`() throws {
        let installation = try self.installation(.query)
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        #expect(try browser.bring(try signed(callback, by: installation.provider)).status == 400)
        #expect(installation.log.outcomes == ["unreadable"])
        #expect(try browser.bring(callback).status == 303)
    }

    @Test(.attack(.responseModeDowngrade))
    func `in a form instead of the query it is refused, the reverse, and in the query instead of the fragment`() throws
    {
        for (mode, other) in [
            (ResponseMode.jwt, ResponseMode.formPostJWT), (.formPostJWT, .jwt), (.fragmentJWT, .jwt),
        ] {
            let installation = try self.installation(mode)
            var browser = Browser(installation)
            let response = try signed(try browser.authenticate(), by: installation.provider)
            #expect(try bring(response, by: other, &browser).status == 400)
            #expect(installation.log.outcomes == ["misdirected"])
            #expect(try bring(response, by: mode, &browser).status == 303)
        }
    }

    @Test(.attack(.forgedSignedResponse))
    func `the sealed state decides whose keys verify it, whatever issuer it names`() throws {
        let installation = try self.installation(providers: ["acme", "globex"])
        let (acme, globex) = (installation.providers[0], installation.providers[1])
        var app = AppClient.shop
        app.provider = "acme"
        for isForged in [false, true] {
            var browser = Browser(installation)
            // Signed by another provider, with the state of this login: in its own name, or in that of this one.
            let response = try signed(try browser.authenticate(app), by: globex) { claims in
                guard isForged else { return }
                claims["iss"] = .string(acme.issuer)
                claims["aud"] = .string(acme.client.id)
            }
            #expect(try Location(try browser.bring(response))["error"] == "server_error")
        }
        #expect(globex.requests.isEmpty)
        #expect(acme.count("/token") == 0)
    }

    @Test func `the form is sent again by the broker's own page where the cookie is withheld`() throws {
        let installation = try self.installation(.formPostJWT)
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        let response = try signed(try browser.authenticate(), by: installation.provider)
        let page = try browser.bringForm(response)
        #expect(page.status == 200)
        #expect(try PageForm(page).hidden.map { $0.0 } == ["response", CallbackReader.repostMark])
        #expect(try Location(try browser.submit(page))["code"] != nil)
    }
}
