// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// ID tokens of providers other than Apple, which an app brings: the manual flow.
@Suite struct ManualCredentialTests {
    private static let atAcme = BrokerConfiguration.NativeAudience(provider: "oidc.acme", audience: "app-at-acme")

    private func error(_ response: BrokerResponse) throws -> String? {
        try response.json()["error"]?.text?.makeString()
    }

    /// Returns the response to an ID token that the first provider signed.
    private func present(
        _ installation: Installation, nonce: String?, rawNonce: String?, audience: String = "app-at-acme",
        changes: JSONObject = [:], fields: [(String, String)] = []
    ) throws -> BrokerResponse {
        let now = installation.clock.now()
        installation.clock.advance(by: 1)
        var claims: JSONObject = [
            "iss": .string(installation.provider.issuer), "sub": .string(TestProvider.subject),
            "aud": .string(audience), "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        for member in changes.members { claims[member.name] = member.value }
        var request = installation.tokenRequest(
            [("client_id", "shop"), ("id_token", try installation.provider.key.sign(claims))]
                + (rawNonce.map { [("raw_nonce", $0)] } ?? []) + fields)
        request.path = "/__/auth/credential"
        return try installation.respond(request)
    }

    // MARK: The nonce

    @Test(.attack(.tokenOfAnotherClient)) func `any provider's ID token, bound to a raw nonce`() throws {
        let installation = try Installation { $0.apps[0].nativeAudiences = [Self.atAcme] }
        let hashed = NoncePair(raw: "raw").hashed
        let first = try present(installation, nonce: hashed, rawNonce: "raw")
        #expect(first.status == 200, "\(first.text)")
        #expect(try first.json()["user"] == nil)
        // A nonce that the token contains unhashed does not bind it, since any reader of the token has it.
        for (nonce, raw) in [("raw", "raw"), (hashed, nil), (nil, "raw"), (hashed, "other")] {
            let refused = try present(installation, nonce: nonce, rawNonce: raw)
            #expect(try error(refused) == "missing_or_invalid_nonce", "\(nonce ?? "none") \(raw ?? "none")")
        }
        // The broker's own client id is never one.
        let own = try present(installation, nonce: hashed, rawNonce: "raw", audience: installation.provider.client.id)
        #expect(try error(own) == "invalid_grant")
        #expect(installation.provider.count("/token") == 0)
    }

    @Test(.attack(.replayedNonce), arguments: [false, true])
    func `every kind of provider's may have none only where that is optional`(isOptional: Bool) throws {
        let installation = try Installation {
            $0.apps[0].nativeAudiences = [Self.atAcme]
            if isOptional { $0.apps[0].nativeNonce = .optional }
        }
        let none = try present(installation, nonce: nil, rawNonce: nil)
        #expect(none.status == (isOptional ? 200 : 400), "\(none.text)")
        #expect(try error(none) == (isOptional ? nil : "missing_or_invalid_nonce"))
        // What the app presents is compared, and another provider's token excuses nothing.
        for changes: JSONObject in [[:], ["nonce_supported": false]] {
            let one = try present(installation, nonce: nil, rawNonce: "raw", changes: changes)
            #expect(try error(one) == "missing_or_invalid_nonce")
        }
        let other = try present(installation, nonce: NoncePair(raw: "raw").hashed, rawNonce: "other")
        #expect(try error(other) == "missing_or_invalid_nonce")
        // Google's SDK for iOS sends a nonce that the app does not know.
        let unknown = try present(installation, nonce: "of-the-sdk", rawNonce: nil)
        #expect(unknown.status == (isOptional ? 200 : 400), "\(unknown.text)")
        #expect(try error(unknown) == (isOptional ? nil : "missing_or_invalid_nonce"))
    }

    // MARK: The provider

    @Test(
        arguments: [["token_endpoint": .null], ["token_endpoint": .null, "authorization_endpoint": 7]] as [JSONObject])
    func `a provider of native credentials alone needs no endpoints, and no browser is sent there`(
        metadata: JSONObject
    ) throws {
        let installation = try Installation { $0.apps[0].nativeAudiences = [Self.atAcme] }
        installation.provider.behave { $0.metadata = metadata }
        let response = try present(installation, nonce: NoncePair(raw: "raw").hashed, rawNonce: "raw")
        #expect(response.status == 200, "\(response.text)")
        let location = try Location(try installation.get(AppClient.shop.target()))
        location.expectError("temporarily_unavailable")
    }

    // MARK: The store

    @Test func `a provider that signs as many tokens as it likes stops no one else's sign-ins`() throws {
        let installation = try Installation(
            providers: ["acme", "globex"], store: InMemorySingleUseStore(capacity: 8)
        ) {
            $0.apps[0].nativeAudiences = [Self.atAcme]
            $0.apps[0].nativeNonce = .optional
        }
        let fields = [("provider", "acme")]
        for _ in 0..<4 {
            #expect(try present(installation, nonce: nil, rawNonce: nil, fields: fields).status == 200)
        }
        let refused = try present(installation, nonce: nil, rawNonce: nil, fields: fields)
        #expect(refused.status == 503, "\(refused.text)")
        #expect(installation.log.outcomes.last == "too_many_of_provider")
        // The claims of the same provider's logins are elsewhere.
        var browser = Browser(installation)
        var app = AppClient.shop
        app.provider = "acme"
        let page = try browser.bring(try browser.authenticate(app))
        #expect(page.status == 303, "\(page.text)")
    }

    // MARK: The audience

    /// Whatever it names, `azp` is not compared beside one audience; several audiences are refused with any.
    @Test(.attack(.tokenOfAnotherClient))
    func `the authorized party of a token for the app alone may be another client of the app`() throws {
        let installation = try Installation { $0.apps[0].nativeAudiences = [Self.atAcme] }
        let nonce = NoncePair(raw: "raw").hashed
        let parties: [JSONValue] = ["android-client", "app-at-acme", .null, "", [], 7]
        for party in parties {
            for audience: JSONValue in ["app-at-acme", ["app-at-acme"]] {
                let alone = try present(
                    installation, nonce: nonce, rawNonce: "raw", changes: ["aud": audience, "azp": party])
                #expect(alone.status == 200, "\(alone.text)")
            }
        }
        let audiences: [JSONValue] = [
            "android-client", ["app-at-acme", "android-client"], ["app-at-acme", "app-at-acme"],
            ["app-at-acme", .string(installation.provider.client.id)], [], .null,
        ]
        for audience in audiences {
            for party in parties {
                let several = try present(
                    installation, nonce: nonce, rawNonce: "raw", changes: ["aud": audience, "azp": party])
                #expect(try error(several) == "invalid_grant", "\(audience) \(party)")
            }
        }
    }

    /// The bundle ID of an app, registered by an attacker at a provider where clients choose their client IDs.
    @Test(.attack(.appleAudienceSwap), arguments: ["acme", "oidc.acme"])
    func `the bundle id registered at another provider is not the app`(provider: String) throws {
        let setup = try AppleSetup(providers: ["acme"])
        let nonce = NoncePair(raw: "raw").hashed
        let fields = [("provider", provider)]
        func forged(_ setup: AppleSetup) throws -> BrokerResponse {
            try present(
                setup.installation, nonce: nonce, rawNonce: "raw", audience: StubApple.bundleID, fields: fields)
        }
        let nowhere = try forged(setup)
        #expect(try error(nowhere) == "unauthorized_client", "\(nowhere.text)")
        #expect(setup.installation.provider.requests.isEmpty)
        // Nor where the app has a client id of its own there.
        let both = try AppleSetup(providers: ["acme"]) { $0.apps[0].nativeAudiences.append(Self.atAcme) }
        let refused = try forged(both)
        #expect(try error(refused) == "invalid_grant", "\(refused.text)")
        #expect(refused.text.contains("audience"))
        let own = try present(both.installation, nonce: nonce, rawNonce: "raw", fields: fields)
        #expect(own.status == 200, "\(own.text)")
        // And Apple's of the other's.
        let swapped = try both.apple.credential(changes: ["aud": "app-at-acme"])
        let crossed = try both.post("credential", both.credentialForm(swapped, hasCode: false))
        #expect(try error(crossed) == "invalid_grant")
        let honest = both.credentialForm(try both.apple.credential(), hasCode: false)
        #expect(try both.post("credential", honest).status == 200)
    }

    @Test(arguments: ["acme", "oidc.acme"])
    func `an audience is bound to its provider by name or by id, and may be one at two`(provider: String) throws {
        let setup = try AppleSetup(providers: ["acme"]) {
            $0.apps[0].nativeAudiences.append(.init(provider: provider, audience: StubApple.bundleID))
        }
        let atAcme = try present(
            setup.installation, nonce: NoncePair(raw: "raw").hashed, rawNonce: "raw", audience: StubApple.bundleID,
            fields: [("provider", "acme")])
        #expect(atAcme.status == 200, "\(atAcme.text)")
        let atApple = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        #expect(try setup.post("credential", atApple).status == 200)
    }

    @Test(.attack(.forgedAppleNotification, .foreignAppleRevocation))
    func `what is said and revoked at Apple concerns Apple's audiences only`() throws {
        let setup = try AppleSetup(providers: ["acme"]) { $0.apps[1].nativeAudiences.append(Self.atAcme) }
        let app = AppleSetup.confidential + [("provider", "apple"), ("code", "x")]
        let named = try setup.post("revoke", app + [("audience", "app-at-acme")])
        #expect(try error(named) == "invalid_request")
        #expect(setup.apple.paths == [])
        // There is one at Apple: it need not be named.
        _ = try setup.post("revoke", app)
        #expect(setup.apple.forms("/auth/token").map { $0["client_id"] } == [StubApple.otherBundleID])
        let notification = try setup.apple.notification("consent-revoked", audience: "app-at-acme")
        #expect(try setup.notify(notification).status == 400)
    }
}
