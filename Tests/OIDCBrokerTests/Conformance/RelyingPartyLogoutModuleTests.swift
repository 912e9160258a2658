// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// The modules of the conformance suite's plans for RP-initiated and back-channel logout of a relying party, by their names.
/// In each, a user signs in, and signs out at the provider with a valid hint.
struct RelyingPartyLogoutModuleTests {
    private static let prefix = "oidcc-client-test-rp-"
    private static let afterwards = "https://shop.example/signed-out"
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// A broker where the user signed in and is on the way to the end session endpoint.
    private struct Run {
        let installation: Installation
        var browser: Browser
        /// The request to the end session endpoint.
        let request: Location
        /// A key of the provider whose algorithm the client is not registered for.
        let otherKey: SigningKey

        init() throws {
            let otherKey = try SigningKey(pem: SharedRSAKeys.pem(1), algorithm: .rs256)
            self.otherKey = otherKey
            installation = try Installation {
                $0.apps[0].postLogoutRedirectURIs = [afterwards]
                $0.providers[0].backChannelLogout = true
                $0.providers[0].configuration.idTokenAlgorithms = ["ES256"]
                $0.webhook = BrokerConfiguration.Webhook(
                    url: "https://app.example/hook", signingKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
            }
            let provider = installation.provider
            provider.behave {
                $0.metadata["end_session_endpoint"] = .string(provider.issuer + "/end")
                $0.metadata["id_token_signing_alg_values_supported"] = ["ES256", "RS256"]
                $0.publishedKeys = [provider.key.publicJWK, otherKey.publicJWK]
                $0.claims["sid"] = "session-1"
            }
            browser = Browser(installation)
            let app = AppClient.shop
            let code = try #require(try browser.signIn(app)["code"])
            let response = try installation.redeem(code, app)
            let hint = try #require(try? response.json()["id_token"]?.text?.makeString())
            request = try Location(
                try browser.get(
                    "/__/auth/logout?"
                        + Query.encode([("id_token_hint", hint), ("post_logout_redirect_uri", afterwards)])))
        }
    }

    /// What the suite checks of the request to the end session endpoint.
    private static func expectValid(_ run: Run) throws {
        let provider = run.installation.provider
        #expect(run.request.base == provider.issuer + "/end")
        let hint = try #require(run.request["id_token_hint"])
        let set = try KeySet(json: (["keys": [.object(provider.key.publicJWK)]] as JSONObject).serialized())
        let claims = try JSONWebSignature(compact: hint).verified(by: set, algorithms: [.es256]).claims
        #expect(claims["iss"] == .string(provider.issuer) && claims["aud"] == .string(provider.client.id))
        #expect(run.request["post_logout_redirect_uri"] == Installation.issuer + "/logout/done")
    }

    // MARK: RP-initiated

    @Test(arguments: ["init-logout", "init-logout-other-state", "init-logout-no-state"])
    func `RP-initiated logout`(module: String) throws {
        var run = try Run()
        try Self.expectValid(run)
        let state = try #require(run.request["state"])
        let returned: [(String, String)] =
            switch module {
            case "init-logout": [("state", state)]
            case "init-logout-other-state": [("state", state + "_INVALID")]
            default: []
            }
        let response = try run.browser.get("/__/auth/logout/done?" + Query.encode(returned))
        guard module == "init-logout" else {
            #expect(response.status == 200 && response.text.contains("Sign-out is finished"))
            return
        }
        #expect(response.head.headerFields[.location] == Self.afterwards)
    }

    // MARK: Back-channel

    private static func claims(_ run: Run) -> JSONObject {
        let now = run.installation.clock.now()
        return [
            "iss": .string(run.installation.provider.issuer), "aud": .string(run.installation.provider.client.id),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 120)), "jti": "logout-1",
            "events": [Self.event: [:]], "sub": .string(TestProvider.subject), "sid": "session-1",
            "ignored_claim": "Any claims that are not understood are ignored.",
        ]
    }

    /// The modules, with the claims that replace the valid ones.
    private static let backChannel: [(module: String, changes: JSONObject)] = [
        ("backchannel-rpinitlogout", [:]), ("backchannel-rpinitlogout-alg-none", [:]),
        ("backchannel-rpinitlogout-wrong-alg", [:]),
        ("backchannel-rpinitlogout-wrong-iss", ["iss": "https://login.acme.example/INVALID"]),
        ("backchannel-rpinitlogout-wrong-aud", ["aud": "broker-at-acme1"]),
        ("backchannel-rpinitlogout-no-event", ["events": .null]),
        (
            "backchannel-rpinitlogout-wrong-event",
            ["events": ["http://schemas.openid.net/event/foobar": [:]]]
        ),
        ("backchannel-rpinitlogout-with-nonce", ["nonce": "n"]),
    ]

    @Test(arguments: backChannel.map(\.module)) func `back-channel logout`(module: String) throws {
        let run = try Run()
        try Self.expectValid(run)
        var claims = Self.claims(run)
        for change in Self.backChannel.first(where: { $0.module == module })?.changes.members ?? [] {
            claims[change.name] = change.value == .null ? nil : change.value
        }
        let provider = run.installation.provider
        var token = try provider.key.sign(claims, type: "logout+jwt", header: [:])
        if module.hasSuffix("-alg-none") {
            let payload = token.split(separator: ".")[1]
            token = Base64URL.encode(Array(#"{"alg":"none","typ":"logout+jwt"}"#.utf8)) + ".\(payload)."
        } else if module.hasSuffix("-wrong-alg") {
            token = try run.otherKey.sign(claims, type: "logout+jwt", header: [:])
        }
        var request = run.installation.tokenRequest([("logout_token", token), ("ignored_parameter", "ignored")])
        request.path = "/__/auth/notifications/acme"
        let response = try run.installation.respond(request)
        let isValid = module == "backchannel-rpinitlogout"
        #expect(response.status == (isValid ? 200 : 400))
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        #expect(run.installation.transport.webhook.requests.count == (isValid ? 1 : 0))
    }

    @Test func `the modules are those of the document, which says that they are run here`() {
        let named = ConformanceModule.notApplicable.filter { $0.reason.contains("RelyingPartyLogoutModuleTests") }
        let rpInitiated = ["init-logout", "init-logout-other-state", "init-logout-no-state"]
        let modules = rpInitiated + Self.backChannel.map(\.module)
        #expect(Set(named.map(\.name)) == Set(modules.map { Self.prefix + $0 }))
    }
}
