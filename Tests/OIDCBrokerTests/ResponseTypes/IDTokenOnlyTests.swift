// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// A provider that responds only with an ID token.
struct IDTokenOnlyTests {
    private func installation(configure: (inout BrokerConfiguration) -> Void = { _ in }) throws -> Installation {
        try Installation {
            $0.providers[0].configuration.responseType = .idToken
            $0.providers[0].configuration.responseMode = .formPost
            configure(&$0)
        }
    }

    @Test func `signs in without a token request`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let app = AppClient.back
        let request = try browser.start(app)
        #expect(request["response_type"] == "id_token")
        #expect(request["response_mode"] == "form_post")
        #expect(request["nonce"]?.count == 43)
        let location = try Location(try browser.bringForm(try installation.provider.signIn(request)))
        let response = try installation.redeem(try #require(location["code"]), app).json()
        #expect(installation.provider.requests.map(\.url.path) == ["/.well-known/openid-configuration", "/jwks"])
        let upstream = try #require(response["upstream"]?.objectValue)
        #expect(upstream["claims"]?.objectValue?["sub"]?.text?.makeString() == TestProvider.subject)
        #expect(upstream["access_token"] == nil)
        #expect(upstream["refresh_token"] == nil)
        #expect(upstream["raw_nonce"]?.text?.makeString() == request["nonce"])
    }

    @Test func `needs no client secret`() throws {
        let installation = try self.installation { $0.providers[0].configuration.clientSecret = nil }
        var browser = Browser(installation)
        let response = try browser.bringForm(try browser.authenticate())
        #expect(try Location(response)["code"] != nil)
    }

    @Test(
        arguments: ["iss", "aud", "sub", "nonce", "exp", "iat", "azp", "s_hash"])
    func `which lies is refused`(name: String) throws {
        let installation = try self.installation()
        installation.provider.behave { $0.frontChannelClaims = [name: name == "sub" ? .null : "wrong"] }
        var browser = Browser(installation)
        let location = try Location(try browser.bringForm(try browser.authenticate()))
        #expect(location["error"] == "server_error")
        #expect(location["code"] == nil)
        #expect(installation.log.outcomes == ["failed_id_token"])
    }

    @Test func `which has no nonce is refused`() throws {
        let installation = try self.installation()
        installation.provider.behave { $0.frontChannelClaims = ["nonce": .null] }
        var browser = Browser(installation)
        #expect(try Location(try browser.bringForm(try browser.authenticate()))["error"] == "server_error")
    }

    @Test func `of a key that is not published is refused`() throws {
        let installation = try self.installation()
        installation.provider.behave { $0.frontChannelKey = installation.provider.strangeKey }
        var browser = Browser(installation)
        #expect(try Location(try browser.bringForm(try browser.authenticate()))["error"] == "server_error")
    }

    @Test func `with a code beside it: the code was not asked for, and is sent nowhere`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let response = try browser.authenticate() + [("code", "x"), ("access_token", "forged")]
        #expect(try Location(try browser.bringForm(response))["code"] != nil)
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `which is not there: a page, and nothing is used up`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let others = Array(response.dropFirst())
        #expect(try browser.bringForm(others).status == 400)
        installation.clock.advance(by: 1)
        #expect(try browser.bringForm([("code", "x")] + others).status == 400)
        installation.clock.advance(by: 1)
        #expect(try browser.bringForm([("id_token", "")] + others).status == 400)
        #expect(installation.log.outcomes == ["unreadable", "unreadable", "unreadable"])
        #expect(try browser.bringForm(response).status == 303)
    }

    @Test(.attack(.replayedCallback)) func `which is repeated does not sign in twice`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bringForm(response).status == 303)
        browser.jar = jar
        #expect(try browser.bringForm(response).heading == "This sign-in is finished or was interrupted")
    }
}
