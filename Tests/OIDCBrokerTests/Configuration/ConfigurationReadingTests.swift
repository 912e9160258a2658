// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@Suite("Reading a configuration")
struct ConfigurationReadingTests {
    private typealias Fixture = ConfigurationFixture

    @Test("What is left out has its default")
    func defaults() async throws {
        let configuration = try await Fixture.read()
        #expect(configuration.pathPrefix == "/__/auth")
        #expect(configuration.issuer == "https://auth.example.com/__/auth")
        #expect(configuration.handlerPath == "/__/auth/handler")
        #expect(configuration.warnings.isEmpty)
        let provider = try #require(configuration.providers.first)
        #expect(
            provider
                == BrokerConfiguration.Provider(
                    name: "acme", issuer: "https://login.acme.example", clientID: "broker-at-acme",
                    clientSecret: Secret("s3cret-of-acme")))
        #expect(provider.kind == .oidc)
        #expect(provider.id == "oidc.acme")
        #expect(provider.clientAuthentication == nil)
        #expect(provider.certificateAuthorities == nil)
        #expect(!provider.allowsInsecureLoopbackIssuer)
        #expect(provider.returnPath == nil)
        #expect(provider.responseType == "code")
        #expect(provider.responseMode == .query)
        #expect(!provider.userInfo)
        #expect(
            provider.appParameters == [
                "login_hint", "ui_locales", "prompt", "max_age", "acr_values", "language", "locale", "hd",
                "domain_hint",
            ])
        #expect(provider.appScopes.isEmpty)
        #expect(provider.scopes == ["openid"])
        #expect(provider.authorizationParameters.isEmpty)
        #expect(provider.clockSkewSeconds == 60)
        #expect(
            configuration.apps == [
                BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"])
            ])
        let app = try #require(configuration.apps.first)
        #expect(app.clientID == "shop")
        #expect(app.clientSecret == nil)
        #expect(app.providers == nil)
        #expect(!app.upstreamTokens)
    }

    @Test("Every key is read")
    func everyKey() async throws {
        let pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
        let configuration = try await Fixture.withFile(pem) { path in
            try await Fixture.read([
                "auth.path-prefix": "/sign-in",
                "auth.sealing-keys": Fixture.list(Fixture.secondSealingKey, Fixture.sealingKey),
                "auth.providers": Fixture.list("acme", "other"),
                "auth.provider.acme.kind": "oidc",
                "auth.provider.acme.id": "acme.example",
                "auth.provider.acme.issuer": "http://127.0.0.1:4444",
                "auth.provider.acme.insecure-loopback-issuer": true,
                "auth.provider.acme.client-authentication": "client_secret_post",
                "auth.provider.acme.certificate-authorities": Fixture.text(path),
                "auth.provider.acme.return-path": "/sign-in/handler/acme",
                "auth.provider.acme.response-type": "code",
                "auth.provider.acme.response-mode": "form_post",
                "auth.provider.acme.user-info": true,
                "auth.provider.acme.app-parameters": Fixture.list("login_hint"),
                "auth.provider.acme.app-scopes": Fixture.list("calendar"),
                "auth.provider.acme.scopes": Fixture.list("openid", "email"),
                "auth.provider.acme.authorization-parameters": Fixture.list("prompt=consent", "x=a=b", "empty="),
                "auth.provider.acme.clock-skew-seconds": 299,
                "auth.provider.other.issuer": "https://other.example/tenant",
                "auth.provider.other.client-id": "b",
                "auth.provider.other.client-secret": "c",
                "auth.app.shop.client-id": "the shop",
                "auth.app.shop.client-secret": "shop-secret",
                "auth.app.shop.redirect-uris": Fixture.list(
                    "https://shop.example/callback", "http://127.0.0.1/cb", "com.example.shop:/cb"),
                "auth.app.shop.providers": Fixture.list("acme"),
                "auth.app.shop.upstream-tokens": true,
            ])
        }
        #expect(configuration.pathPrefix == "/sign-in")
        #expect(configuration.sealingKeys.map(\.exposed) == [Fixture.secondSealingKey, Fixture.sealingKey])
        #expect(
            configuration.providers.first
                == BrokerConfiguration.Provider(
                    name: "acme", id: "acme.example", issuer: "http://127.0.0.1:4444", clientID: "broker-at-acme",
                    clientSecret: Secret("s3cret-of-acme"), clientAuthentication: .clientSecretPost,
                    certificateAuthorities: Array(pem.utf8), allowsInsecureLoopbackIssuer: true,
                    returnPath: "/sign-in/handler/acme", responseMode: .formPost, userInfo: true,
                    appParameters: ["login_hint"], appScopes: ["calendar"], scopes: ["openid", "email"],
                    authorizationParameters: [
                        .init(name: "prompt", value: "consent"), .init(name: "x", value: "a=b"),
                        .init(name: "empty", value: ""),
                    ], clockSkewSeconds: 299))
        #expect(configuration.providers.map(\.name) == ["acme", "other"])
        #expect(
            configuration.apps == [
                BrokerConfiguration.App(
                    name: "shop", clientID: "the shop", clientSecret: Secret("shop-secret"),
                    redirectURIs: ["https://shop.example/callback", "http://127.0.0.1/cb", "com.example.shop:/cb"],
                    providers: ["acme"], upstreamTokens: true)
            ])
    }

    @Test(
        "Missing keys are made on loopback, with warnings, and differ from run to run",
        arguments: ["http://localhost:8080", "https://127.0.0.1", "http://[::1]:8080"])
    func makesKeysOnLoopback(url: String) async throws {
        let changes: [String: ConfigValue?] = [
            "auth.public-url": Fixture.text(url), "auth.sealing-keys": nil, "auth.signing-key": nil,
        ]
        let first = try await Fixture.read(changes)
        let second = try await Fixture.read(changes)
        #expect(first.warnings.contains { $0.contains("auth.sealing-keys") })
        #expect(first.warnings.contains { $0.contains("auth.signing-key") })
        #expect(first.validate().isEmpty)
        #expect(first.sealingKeys.count == 1)
        #expect(first.sealingKeys != second.sealingKeys)
        #expect(first.signingKey != nil)
        #expect(first.signingKey != second.signingKey)
        #expect(first.warnings.contains { $0.contains("not Secure") } == url.hasPrefix("http:"))
    }

    @Test("Keys that are given are not made anew on loopback")
    func keepsGivenKeys() async throws {
        let configuration = try await Fixture.read(["auth.public-url": "https://localhost"])
        #expect(configuration.warnings.isEmpty)
        #expect(configuration.sealingKeys == [Secret(Fixture.sealingKey)])
    }

    @Test("An empty text where a list is expected is an empty list")
    func emptyList() async throws {
        let configuration = try await Fixture.read(["auth.provider.acme.app-parameters": Fixture.list("")])
        #expect(configuration.providers.first?.appParameters == [])
    }

    @Test("The recorder knows what was read, and the source of what was given")
    func recorder() async throws {
        let accesses = ConfigurationAccessRecorder()
        let config = ConfigReader(
            provider: InMemoryProvider(name: "memory", values: ["auth.public-url": "https://auth.example.com"]),
            accessReporter: accesses)
        await #expect(throws: BrokerConfigurationError.self) {
            try await BrokerConfiguration(config: config, accesses: accesses)
        }
        #expect(accesses.keys.isSuperset(of: ["auth.public-url", "auth.path-prefix", "auth.signing-key-file"]))
        #expect(accesses.source(of: "auth.public-url") == "InMemoryProvider[memory]")
        #expect(accesses.source(of: "auth.path-prefix") == nil)
        #expect(accesses.source(of: "auth.nothing") == nil)
    }
}
