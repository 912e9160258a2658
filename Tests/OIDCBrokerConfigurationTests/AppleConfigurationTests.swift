// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBrokerConfiguration
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A provider of kind apple: four values.
@Suite struct AppleConfigurationTests {
    private typealias Fixture = ConfigurationFixture

    private func read(_ changes: [String: ConfigValue?] = [:]) async throws -> BrokerConfiguration.Provider {
        let configuration = try await Fixture.read(Fixture.apple.merging(changes) { $1 })
        return try #require(configuration.providers.last)
    }

    @Test func `four values are enough`() async throws {
        let provider = try await read()
        #expect(
            provider
                == .apple(
                    clientID: "com.example.web", teamID: "TEAM123456", keyID: "KEY1234567",
                    privateKey: Secret(Fixture.appleKey)))
        #expect(provider.apple?.configuration == provider.configuration)
        #expect(provider.id == "apple.com")
        #expect(provider.configuration.issuer == "https://appleid.apple.com")
        #expect(provider.configuration.scopes == ["name", "email"])
        #expect(provider.configuration.responseType == .codeIDToken)
        #expect(provider.configuration.responseMode == .formPost)
        #expect(provider.configuration.clientSecret == nil)
        #expect(provider.apple?.privateKeyFile == nil)
        #expect(provider.appParameters.contains("language"))
        #expect(provider.appParameters.contains("locale"))
    }

    @Test(.attack(.applePrivateKey))
    func `the key may stand in a file, with CRLF and without its last line end`() async throws {
        let lines = Fixture.appleKey.split(whereSeparator: \.isNewline).joined(separator: "\r\n")
        for text in [Fixture.appleKey, lines, lines + "\r\n\r\n"] {
            try await Fixture.withFile(text) { path in
                let provider = try await read([
                    "auth.provider.apple.private-key": nil,
                    "auth.provider.apple.private-key-file": Fixture.text(path),
                ])
                #expect(provider.apple?.privateKeyFile == path)
                #expect(provider.apple?.privateKey != nil)
                #expect(provider.apple?.keyIDFile == nil)
            }
        }
    }

    @Test func `the key's id may stand in a file beside it`() async throws {
        try await Fixture.withFile("NEWKEY0001\n") { path in
            let provider = try await read([
                "auth.provider.apple.key-id": nil, "auth.provider.apple.key-id-file": Fixture.text(path),
            ])
            #expect(provider.apple?.keyID == "NEWKEY0001")
            #expect(provider.apple?.keyIDFile == path)
        }
    }

    @Test(.attack(.applePrivateKey)) func `a file without a key is an error of its setting`() async throws {
        let found = try await Fixture.withFile("garbage") { path in
            try await Fixture.errors(
                Fixture.apple.merging([
                    "auth.provider.apple.private-key": nil,
                    "auth.provider.apple.private-key-file": Fixture.text(path),
                ]) { $1 })
        }
        #expect(found.map(\.key) == ["auth.provider.apple.private-key-file"])
        #expect(!"\(found)".contains("garbage"))
    }

    @Test(
        .attack(.appleScopesInQuery),
        arguments: [
            (["openid"], "code", ResponseMode.query), (["openid"], "code id_token", .formPost),
            (["name"], "code", .formPost), (["email", "openid"], "code", .formPost), ([], "code", .query),
        ] as [([String], String, ResponseMode)])
    func `the mode follows the scopes`(scopes: [String], type: String, mode: ResponseMode) async throws {
        let provider = try await read([
            "auth.provider.apple.scopes": ConfigValue(.stringArray(scopes), isSecret: false),
            "auth.provider.apple.response-type": Fixture.text(type),
            "auth.provider.apple.callback-path": "/__/auth/apple",
        ])
        #expect(provider.configuration.responseMode == mode)
        #expect(provider.configuration.scopes == scopes)
    }

    @Test func `with native audiences only, Services ID, team and key may be left empty`() async throws {
        let native: [String: ConfigValue?] = [
            "auth.provider.apple.client-id": "", "auth.provider.apple.team-id": "",
            "auth.provider.apple.key-id": "", "auth.provider.apple.private-key": "",
            "auth.app.shop.native-audiences": Fixture.list("apple.com:com.example.app"),
        ]
        let provider = try await read(native)
        #expect(provider.configuration.clientID.isEmpty)
        #expect(provider.apple?.teamID == nil)
        #expect(provider.apple?.keyID == nil)
        #expect(provider.apple?.privateKey == nil)
        // The app must be one that may use it.
        let other = try await Fixture.errors(
            Fixture.apple.merging(native) { $1 }.merging(["auth.app.shop.providers": Fixture.list("acme")]) { $1 })
        #expect(other.map(\.key) == ["auth.provider.apple.client-id"])
        // And the audience one of this provider.
        let elsewhere = try await Fixture.errors(
            Fixture.apple.merging(native) { $1 }
                .merging(["auth.app.shop.native-audiences": Fixture.list("oidc.acme:com.example.app")]) { $1 })
        #expect(elsewhere.map(\.key) == ["auth.provider.apple.client-id"])
        // With the key, but without a Services ID: native credentials whose codes are exchanged.
        let exchanging = try await read(
            native.merging([
                "auth.provider.apple.team-id": "TEAM123456", "auth.provider.apple.key-id": "KEY1234567",
                "auth.provider.apple.private-key": Fixture.text(Fixture.appleKey),
            ]) { $1 })
        #expect(exchanging.apple?.privateKey != nil)
    }

    @Test func `an app with native audiences needs no redirect URI`() async throws {
        let configuration = try await Fixture.read(
            Fixture.apple.merging([
                "auth.app.shop.redirect-uris": nil,
                "auth.app.shop.native-audiences": Fixture.list("apple:com.example.app"),
            ]) { $1 })
        #expect(configuration.apps.first?.redirectURIs == [])
    }

    @Test(.attack(.appleAudienceSwap)) func `an audience is one app's alone, and no provider's`() async throws {
        let two: [String: ConfigValue?] = [
            "auth.apps": Fixture.list("shop", "desk"),
            "auth.app.desk.redirect-uris": Fixture.list("com.example.desk:/cb"),
            "auth.app.shop.native-audiences": Fixture.list("apple.com:com.example.app"),
            "auth.app.desk.native-audiences": Fixture.list("apple.com:com.example.desk", "apple:com.example.app"),
        ]
        let shared = try await Fixture.errors(Fixture.apple.merging(two) { $1 })
        #expect(shared.map(\.key) == ["auth.app.shop.native-audiences", "auth.app.desk.native-audiences"])
        let services = try await Fixture.errors(
            Fixture.apple.merging(["auth.app.shop.native-audiences": Fixture.list("apple.com:com.example.web")]) { $1 })
        #expect(services.map(\.key) == ["auth.app.shop.native-audiences"])
        // At another provider it is one app's alone all the same: two of them may be one issuer.
        let elsewhere = try await Fixture.errors(
            Fixture.apple.merging(two) { $1 }
                .merging(["auth.app.desk.native-audiences": Fixture.list("acme:com.example.app")]) { $1 })
        #expect(elsewhere.map(\.key) == ["auth.app.shop.native-audiences", "auth.app.desk.native-audiences"])
    }

    @Test func `one app may have the same audience at two providers`() async throws {
        let configuration = try await Fixture.read(
            Fixture.apple.merging([
                "auth.app.shop.native-audiences": Fixture.list("apple.com:com.example.app", "acme:com.example.app")
            ]) { $1 })
        let app = try #require(configuration.apps.first)
        #expect(app.nativeAudiences.map(\.description) == ["apple.com:com.example.app", "acme:com.example.app"])
    }

    @Test func `the issuer is Apple's whatever is built in code; only a stand-in takes its place`() async throws {
        var configuration = try await Fixture.read(Fixture.apple)
        configuration.providers[1].configuration.issuer = "https://apple.example"
        #expect(configuration.validate().map(\.key) == ["auth.provider.apple.issuer"])
        configuration.providers[1].replaceApple(by: AppleStandIn(issuer: "https://apple.example"))
        #expect(configuration.validate() == [])
        configuration.providers[1].configuration.certificateAuthorities = [1]
        #expect(configuration.validate().map(\.key) == ["auth.provider.apple.certificate-authorities"])
        // Nor is anything else that has no key for Apple.
        let changes: [(@Sendable (inout ProviderConfiguration) -> Void, String)] = [
            ({ $0.userInfo = true }, "user-info"), ({ $0.tenants = ["one"] }, "tenants"),
            ({ $0.clientSecret = Secret("a secret") }, "client-secret"),
            ({ $0.clientAuthentication = nil }, "client-authentication"),
            ({ $0.trustedAudiences = ["other"] }, "trusted-audiences"), ({ $0.profile = .openIDConnect }, "kind"),
        ]
        for (change, key) in changes {
            var changed = try await Fixture.read(Fixture.apple)
            change(&changed.providers[1].configuration)
            #expect(changed.validate().map(\.key).contains("auth.provider.apple." + key))
        }
        // No other provider can be replaced.
        let issuer = configuration.providers[0].configuration.issuer
        configuration.providers[0].replaceApple(by: AppleStandIn(issuer: "https://apple.example"))
        #expect(configuration.providers[0].configuration.issuer == issuer)
    }

    @Test(.attack(.secretsInLogs)) func `the key is in no description`() async throws {
        let configuration = try await Fixture.read(
            Fixture.apple.merging([
                "auth.webhook.url": "https://app.example/hook",
                "auth.webhook.signing-key": Fixture.text(Fixture.clientKey),
            ]) { $1 })
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("PRIVATE KEY"))
        }
    }
}
