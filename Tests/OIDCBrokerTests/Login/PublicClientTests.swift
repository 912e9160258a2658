// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// A client of the provider that has no secret.
struct PublicClientTests {
    private func installation(configure: (inout BrokerConfiguration) -> Void = { _ in }) throws -> Installation {
        let installation = try Installation {
            $0.providers[0].configuration.clientSecret = nil
            $0.providers[0].configuration.clientAuthentication = ClientAuthenticationMethod.none
            configure(&$0)
        }
        installation.provider.behave { $0.isPublicClient = true }
        return installation
    }

    @Test func `signs in: it says who it is, and the verifier proves the rest`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        let form = try #require(installation.provider.tokenForms.first)
        #expect(form.names.sorted() == ["client_id", "code", "code_verifier", "grant_type", "redirect_uri"])
        #expect(form["client_id"] == "broker-at-acme")
        let request = try #require(installation.provider.requests.first { $0.url.path == "/token" })
        #expect(request.authorization == nil)
    }

    @Test func `is refused where the verifier is not this login's`() throws {
        let installation = try self.installation()
        var attacker = Browser(installation)
        let stolen = try attacker.authenticate()
        var victim = Browser(installation)
        var response = try victim.authenticate()
        response[0] = stolen[0]
        #expect(try Location(try victim.bring(response))["error"] == "server_error")
    }

    @Test func `pushes its request with its id alone`() throws {
        let installation = try self.installation { $0.providers[0].configuration.pushedAuthorization = true }
        installation.provider.behave {
            $0.metadata = ["pushed_authorization_request_endpoint": "https://login.acme.example/par"]
        }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        let push = try #require(installation.provider.requests.first { $0.url.path == "/par" })
        #expect(push.authorization == nil)
        #expect(Query(push.form ?? "")["client_id"] == "broker-at-acme")
    }
}
