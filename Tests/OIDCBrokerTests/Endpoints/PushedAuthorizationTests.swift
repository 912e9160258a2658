// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import Logging
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// RFC 9126 an authorization request that is pushed.
struct PushedAuthorizationTests {
    private static let endpoint: JSONValue = "https://login.acme.example/par"

    /// - Parameter isRequired: whether the provider demands it; otherwise the configuration does.
    private func installation(
        isRequired: Bool = false, configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        let installation = try Installation {
            $0.providers[0].configuration.pushedAuthorization = !isRequired
            configure(&$0)
        }
        installation.provider.behave {
            $0.metadata = ["pushed_authorization_request_endpoint": Self.endpoint]
            if isRequired { $0.metadata["require_pushed_authorization_requests"] = true }
        }
        return installation
    }

    private func expectError(
        _ response: BrokerResponse, _ error: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try Location(response, sourceLocation: sourceLocation).expectError(error, sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test(arguments: [true, false])
    func `signs in, where the provider demands it and where the configuration does`(isRequired: Bool) throws {
        let installation = try self.installation(isRequired: isRequired)
        var browser = Browser(installation)
        let response = try browser.get(AppClient.shop.target(["login_hint": "ada"]))
        let request = try Location(response)
        #expect(request.query.names.sorted() == ["client_id", "request_uri"])
        #expect(request["client_id"] == "broker-at-acme")
        #expect(response.setCookies.count == 1)
        let push = try #require(installation.provider.requests.first { $0.url.path == "/par" })
        let form = Query(push.form ?? "")
        #expect(form["login_hint"] == "ada")
        #expect(form["code_challenge_method"] == "S256")
        #expect(form["redirect_uri"] == Installation.origin + Installation.handler)
        #expect(!request.text.contains("state="))
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location["code"] != nil)
        #expect(location["state"] == "state-of-the-app")
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test func `happens for neither if it is not required`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.metadata = ["pushed_authorization_request_endpoint": Self.endpoint] }
        var browser = Browser(installation)
        #expect(try browser.start()["code_challenge"] != nil)
        #expect(installation.provider.count("/par") == 0)
    }

    @Test func `evicts the oldest cookies as any start does`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        for _ in 0..<40 { _ = try browser.get(AppClient.shop.target()) }
        #expect(browser.jar.cookies.count == 24)
    }

    @Test(
        arguments: [
            (400, "invalid_request", "server_error"), (401, "invalid_client", "server_error"),
            (503, "temporarily_unavailable", "temporarily_unavailable"), (500, "x", "temporarily_unavailable"),
            (429, "x", "temporarily_unavailable"), (200, "x", "server_error"), (302, "x", "server_error"),
        ])
    func `the provider refuses it: the app is told, and the browser is not sent there`(
        status: Int, upstream: String, told: String
    ) throws {
        let installation = try self.installation()
        installation.provider.behave { $0.responses["/par"] = .json(["error": .string(upstream)], status: status) }
        try expectError(try installation.get(AppClient.shop.target()), told)
        #expect(installation.provider.count("/par") == 1)
        let line = try #require(installation.log.lines.last)
        #expect(line.level == .warning)
        let outcome = told == "server_error" ? "failed_pushed_authorization" : "provider_unavailable"
        #expect(line.metadata["auth.outcome"] == outcome)
        #expect(line.metadata["auth.provider"] == "oidc.acme")
    }

    @Test func `the endpoint does not answer, and recovers by itself`() throws {
        let installation = try self.installation()
        installation.provider.behave { $0.deadPaths = ["/par"] }
        try expectError(try installation.get(AppClient.shop.target()), "temporarily_unavailable")
        installation.provider.behave { $0.deadPaths = [] }
        installation.clock.advance(by: 60)
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test func `is demanded where there is no endpoint: the app is told`() throws {
        let installation = try Installation { $0.providers[0].configuration.pushedAuthorization = true }
        let location = try Location(try installation.get(AppClient.shop.target()))
        #expect(location["error"] == "server_error")
    }

    @Test func `what an app must not pass on is told to it before anything is pushed`() throws {
        let installation = try self.installation()
        let target = AppClient.shop.target(["login_hint": String(repeating: "h", count: 513)])
        try expectError(try installation.get(target), "invalid_request")
        #expect(installation.provider.count("/par") == 0)
    }

    @Test func `carries the type and mode, the claims and the resources of the configuration`() throws {
        let installation = try self.installation {
            $0.providers[0].configuration.responseType = .codeIDToken
            $0.providers[0].configuration.responseMode = .formPost
            $0.providers[0].configuration.claimsParameter = #"{"id_token":{"email":null}}"#
            $0.providers[0].configuration.resources = ["https://api.example/", "urn:api"]
            $0.providers[0].configuration.requiredACRValues = ["urn:acr:two"]
        }
        installation.provider.behave {
            $0.claims = ["acr": "urn:acr:two"]
        }
        var browser = Browser(installation)
        let location = try Location(try browser.bringForm(try browser.authenticate()))
        #expect(location["code"] != nil)
        let push = try #require(installation.provider.requests.first { $0.url.path == "/par" })
        let form = Query(push.form ?? "")
        #expect(form["response_type"] == "code id_token")
        #expect(form["response_mode"] == "form_post")
        #expect(form["claims"] == #"{"id_token":{"email":null}}"#)
        #expect(form.pairs.filter { $0.name == "resource" }.map(\.value) == ["https://api.example/", "urn:api"])
        #expect(form["acr_values"] == "urn:acr:two")
    }
}
