// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// Authorization requests to a provider that are signed (RFC 9101).
struct SignedRequestTests {
    private static let key = Result { try SigningKey.generatePEM(.es256) }

    private func installation(
        announced: Bool = false, _ configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        let installation = try Installation {
            $0.providers[0].configuration.clientSigningKey = Secret(try Self.key.get())
            configure(&$0.providers[0].configuration)
        }
        installation.provider.behave {
            $0.metadata["pushed_authorization_request_endpoint"] = "https://login.acme.example/par"
            $0.metadata["require_signed_request_object"] = .bool(announced)
        }
        return installation
    }

    private func claims(_ object: String?) throws -> JSONObject {
        let key = try SigningKey(pem: try Self.key.get(), algorithm: .es256)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        let signature = try JSONWebSignature(compact: try #require(object))
        #expect(signature.type?.makeString() == "oauth-authz-req+jwt")
        return try signature.verified(by: keys, algorithms: [.es256]).claims
    }

    @Test(arguments: [true, false]) func `the user agent carries the request object alone`(announced: Bool) throws {
        let installation = try self.installation(announced: announced) { $0.requestObject = announced ? nil : .sign }
        var browser = Browser(installation)
        let response = try browser.get(AppClient.shop.target(["login_hint": "ada"]))
        let location = try Location(response)
        #expect(location.base == "https://login.acme.example/authorize")
        #expect(location.query.names == ["response_type", "client_id", "scope", "request"])
        #expect(response.setCookies.count == 1)
        let claims = try claims(location["request"])
        #expect(claims["aud"] == .string(installation.provider.issuer) && claims["iss"] == "broker-at-acme")
        #expect(claims["login_hint"] == "ada" && claims["code_challenge_method"] == "S256")
        // What it holds is the login: the provider's response to it completes the sign-in.
        let asked = Query(
            claims.members.compactMap { member in
                member.value.text.map { (name: member.name.makeString(), value: $0.makeString()) }
            })
        let end = try Location(try browser.bring(try installation.provider.authorize(asked)))
        #expect(end["code"] != nil && end["state"] == "state-of-the-app")
    }

    @Test func `a pushed request is a request object`() throws {
        let installation = try self.installation { configuration in
            configuration.requestObject = .sign
            configuration.pushedAuthorization = true
        }
        var browser = Browser(installation)
        let location = try browser.start()
        #expect(location.query.names.sorted() == ["client_id", "request_uri"])
        let push = try #require(installation.provider.requests.first { $0.url.path == "/par" })
        let form = Query(push.form ?? "")
        #expect(form["state"] == nil && form["redirect_uri"] == nil)
        #expect(try claims(form["request"])["redirect_uri"] == .string(Installation.origin + Installation.handler))
    }

    @Test func `off is off, whatever is announced`() throws {
        let installation = try self.installation(announced: true) { $0.requestObject = .off }
        var browser = Browser(installation)
        let location = try browser.start()
        #expect(location["request"] == nil && location["state"] != nil)
    }
}
