// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A token is signed with an algorithm that the client registered, or, where it registered none, that the provider
/// announces.
@Suite struct RegisteredAlgorithmTests {
    @Test(
        .attack(.unexpectedAlgorithm),
        arguments: [
            (["ES256"], nil, true), (["ES384"], nil, false), (["ES384"], ["ES256"], true),
            (["ES256"], ["ES384"], false),
            (["ES256"], ["ES384", "ES256"], true), (["ES256"], [], false),
        ] as [([String], [String]?, Bool)])
    func `registered or announced`(announced: [String], registered: [String]?, isAccepted: Bool) throws {
        let provider = try TestProvider(.es256)
        provider.behave { behavior in
            behavior.metadata["id_token_signing_alg_values_supported"] = .array(announced.map { .string($0) })
        }
        let error = try UnpluggedSession(provider) { $0.idTokenAlgorithms = registered }.refusal()
        #expect((error == nil) == isAccepted)
        guard !isAccepted else { return }
        #expect(error?.step == .idToken)
        // No keys are requested for such a token.
        #expect(!provider.paths.contains("/jwks"))
    }

    @Test(arguments: [JSONWebAlgorithm.eddsa, .ed25519])
    func `RFC 9864 Ed25519 is one algorithm by both names`(signed: JSONWebAlgorithm) throws {
        for name in ["EdDSA", "Ed25519"] {
            let provider = try TestProvider(signed)
            provider.behave { behavior in behavior.metadata["id_token_signing_alg_values_supported"] = [.string(name)] }
            #expect(try UnpluggedSession(provider).refusal() == nil)
            provider.behave { behavior in behavior.metadata["id_token_signing_alg_values_supported"] = ["RS256"] }
            #expect(try UnpluggedSession(provider) { $0.idTokenAlgorithms = [name] }.refusal() == nil)
        }
    }

    @Test func `an audience beside the client is accepted where it is trusted and azp is the client`() throws {
        let provider = try TestProvider()
        func refusal(_ audiences: JSONValue, _ party: JSONValue?) throws -> String? {
            provider.behave { behavior in
                behavior.changeClaims = { claims, _ in
                    claims["aud"] = audiences
                    claims["azp"] = party
                }
            }
            let session = UnpluggedSession(provider) { $0.trustedAudiences = ["https://api.example"] }
            return try session.refusal()?.finding?.check
        }
        #expect(try refusal(["client", "https://api.example"], "client") == nil)
        #expect(try refusal(["client", "https://api.example"], nil) == IDTokenCheck.audience.name)
        #expect(try refusal(["client", "https://api.example"], "other") == IDTokenCheck.authorizedParty.name)
        #expect(try refusal(["client", "https://other.example"], "client") == IDTokenCheck.audience.name)
        #expect(try refusal(["https://api.example"], "client") == IDTokenCheck.audience.name)
        #expect(try refusal("client", nil) == nil)
    }

    @Test func `a required authentication context is asked for and validated`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { $0.requiredACRValues = ["gold", "silver"] }
        let url = try session.begin().url
        #expect(try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8).text("acr_values") == "gold silver")
        #expect(try session.refusal()?.finding?.check == IDTokenCheck.authenticationContext.name)
        for (context, isAccepted) in [("silver", true), ("gold", true), ("bronze", false), ("Gold", false)] {
            provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["acr"] = .string(context) } }
            #expect((try session.refusal() == nil) == isAccepted)
        }
        // An app that asks for another is held to the same.
        let asked = try session.begin(parameters: [.init(name: "acr_values", value: "bronze")]).url
        #expect(try FormURLEncoding.parse(asked.drop { $0 != "?" }.dropFirst().utf8).text("acr_values") == "bronze")
    }

    @Test func `the configured claims and resources are sent, and an app cannot set them`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.claimsParameter = #"{"id_token":{"acr":null}}"#
            configuration.resources = ["https://a.example/", "https://b.example/"]
        }
        let url = try session.begin(parameters: [
            .init(name: "claims", value: "{}"), .init(name: "resource", value: "x:y"),
        ]).url
        let asked = try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8)
        #expect(try asked.text("claims") == #"{"id_token":{"acr":null}}"#)
        #expect(
            asked.texts.filter { $0.name == "resource" }.map(\.value) == ["https://a.example/", "https://b.example/"])
    }

    @Test func `max_age among the parameters is sent once and verified`() throws {
        let provider = try TestProvider()
        let configured = UnpluggedSession(provider) {
            $0.authorizationParameters = [.init(name: "max_age", value: "60")]
        }
        #expect(try configured.begin().pending.maximumAge == .seconds(60))
        let session = UnpluggedSession(provider)
        #expect(try session.begin(parameters: [.init(name: "max_age", value: "90")]).pending.maximumAge == .seconds(90))
        let (url, pending) = try session.begin(
            parameters: [.init(name: "max_age", value: "90")], maximumAge: .seconds(30))
        #expect(pending.maximumAge == .seconds(30))
        #expect(try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8).text("max_age") == "30")
    }
}
