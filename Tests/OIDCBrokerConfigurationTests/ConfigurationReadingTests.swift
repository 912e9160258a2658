// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Reading a configuration.
struct ConfigurationReadingTests {
    private typealias Fixture = ConfigurationFixture
    private struct NotOIDC: Error {}

    @Test func `An omitted key has its default`() async throws {
        let configuration = try await Fixture.read()
        #expect(configuration.pathPrefix == "/__/auth")
        #expect(configuration.issuer == "https://auth.example.com/__/auth")
        #expect(configuration.handlerPath == "/__/auth/handler")
        // The signing key is a P-256 one.
        #expect(configuration.warnings.count == 1)
        #expect(configuration.warnings.first?.contains("RS256") == true)
        let provider = try #require(configuration.providers.first)
        #expect(
            provider
                == BrokerConfiguration.Provider(
                    name: "acme", issuer: "https://login.acme.example", clientID: "broker-at-acme",
                    clientSecret: Secret("s3cret-of-acme")))
        #expect(provider.id == "oidc.acme")
        #expect(provider.callbackPath == nil)
        #expect(
            provider.appParameters == [
                "login_hint", "ui_locales", "prompt", "max_age", "acr_values", "language", "locale", "hd",
                "domain_hint",
            ])
        #expect(provider.appScopes.isEmpty)
        #expect(provider.clientSecretExpires == nil)
        #expect(provider.loginLifetime == .seconds(600))
        #expect(provider.apple == nil)
        guard case .oidc(let client) = provider.kind else { throw NotOIDC() }
        #expect(client == provider.configuration)
        #expect(client.clientAuthentication == nil)
        #expect(client.certificateAuthorities == nil)
        #expect(!client.insecureLoopbackIssuer)
        #expect(client.responseType == .code)
        #expect(client.responseMode == .query)
        #expect(!client.userInfo)
        #expect(client.scopes == ["openid"])
        #expect(client.authorizationParameters.isEmpty)
        #expect(client.clockSkew == .seconds(60))
        #expect(client.clientSigningKey == nil)
        #expect(client.clientSigningAlgorithm == nil)
        #expect(client.clientCertificate == nil)
        #expect(client.idTokenAlgorithms == nil)
        #expect(client.decryptionKeys.isEmpty && client.decryptionAlgorithm == nil)
        #expect(!client.pushedAuthorization)
        #expect(!client.traceContext)
        #expect(client.tenants.isEmpty)
        #expect(client.trustedAudiences.isEmpty)
        #expect(client.requiredACRValues.isEmpty)
        #expect(client.claimsParameter == nil)
        #expect(client.resources.isEmpty)
        #expect(client.proxy == nil)
        #expect(
            configuration.apps == [
                BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"])
            ])
        let app = try #require(configuration.apps.first)
        #expect(app.clientID == "shop")
        #expect(app.clientSecret == nil)
        #expect(app.clientSecrets == nil)
        #expect(app.idTokenLifetime == .seconds(3600))
        #expect(app.accessTokenLifetime == .seconds(3600))
        #expect(!configuration.wellKnownPaths)
        #expect(app.providers == nil)
        #expect(!app.upstreamTokens)
        #expect(app.nativeAudiences.isEmpty)
        #expect(app.nativeNonce == .required)
        #expect(configuration.webhook == nil)
        #expect(configuration.appleDomainAssociation == nil)
    }

    @Test func `Two secrets make an app confidential, and an app that binds no code is warned of`() async throws {
        let configuration = try await Fixture.read([
            "auth.app.shop.client-secrets": Fixture.list("the-newer-secret", "the-older-secret"),
            "auth.app.shop.code-binding": "none",
        ])
        #expect(configuration.apps[0].clientSecrets?.map(\.exposed) == ["the-newer-secret", "the-older-secret"])
        #expect(configuration.apps[0].codeBinding == .none)
        #expect(configuration.warnings.contains { $0.hasPrefix("auth.app.shop.code-binding is none") })
    }

    @Test func `With the profile fapi-2 a key is false only where the profile does not ask for true`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["client.example"])
        try await Fixture.withFile(certificate.certificatePEM) { path in
            let base: [String: ConfigValue?] = [
                "auth.provider.acme.profile": "fapi-2", "auth.provider.acme.client-secret": nil,
                "auth.provider.acme.client-certificate": Fixture.text(path),
                "auth.provider.acme.client-certificate-key": Fixture.text(certificate.privateKeyPEM),
                "auth.provider.acme.pushed-authorization": true, "auth.provider.acme.sends-issuer": true,
            ]
            let none = try await Fixture.errors(base)
            #expect(none == [])
            let key = "auth.provider.acme.certificate-bound-access-tokens"
            let unbound = base.merging([key: false]) { $1 }
            let found = try await Fixture.errors(unbound)
            #expect(found.map(\.key) == [key])
            // Then DPoP binds them.
            let bound = try await Fixture.errors(unbound.merging(["auth.provider.acme.dpop": "on"]) { $1 })
            #expect(bound == [])
        }
        let without = try await Fixture.errors([
            "auth.provider.acme.pushed-authorization": false, "auth.provider.acme.sends-issuer": false,
        ])
        #expect(without == [])
    }

    @Test func `Every key is read`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["client.example"])
        let pem = certificate.certificatePEM
        let configuration = try await Fixture.withFile(pem) { path in
            try await Fixture.read([
                "auth.path-prefix": "/sign-in",
                "auth.well-known-paths": true,
                "auth.sealing-keys": Fixture.list(Fixture.secondSealingKey, Fixture.sealingKey),
                "auth.providers": Fixture.list("acme", "other"),
                "auth.provider.acme.kind": "oidc",
                "auth.provider.acme.id": "acme.example",
                "auth.provider.acme.issuer": "http://127.0.0.1:4444",
                "auth.provider.acme.insecure-loopback-issuer": true,
                "auth.provider.acme.client-authentication": "client_secret_post",
                "auth.provider.acme.client-secret-expires": "2027-03-01",
                "auth.provider.acme.certificate-authorities": Fixture.text(path),
                "auth.provider.acme.callback-path": "/sign-in/handler/acme",
                "auth.provider.acme.response-type": "id_token code",
                "auth.provider.acme.response-mode": "fragment",
                "auth.provider.acme.client-signing-key": Fixture.text(Fixture.clientKey),
                "auth.provider.acme.client-signing-algorithm": "ES256",
                "auth.provider.acme.client-signing-key-id": "key-1",
                "auth.provider.acme.dpop": "on",
                "auth.provider.acme.certificate-bound-access-tokens": true,
                "auth.provider.acme.client-certificate": Fixture.text(path),
                "auth.provider.acme.client-certificate-key": Fixture.text(certificate.privateKeyPEM),
                "auth.provider.acme.id-token-algorithms": Fixture.list("ES256", "RS256"),
                "auth.provider.acme.decryption-keys": Fixture.text(Fixture.decryptionKeys.joined(separator: "\n")),
                "auth.provider.acme.decryption-algorithm": "ECDH-ES+A256KW",
                "auth.provider.acme.pushed-authorization": true,
                "auth.provider.acme.request-object": "sign",
                "auth.provider.acme.trace-context": true,
                "auth.provider.acme.sends-issuer": true,
                "auth.provider.acme.client-assertion-typ": "client-authentication+jwt",
                "auth.provider.acme.tenants": Fixture.list("one", "two"),
                "auth.provider.acme.trusted-audiences": Fixture.list("api"),
                "auth.provider.acme.required-acr-values": Fixture.list("urn:acr:two"),
                "auth.provider.acme.claims-parameter": #"{"id_token":{"email":null}}"#,
                "auth.provider.acme.resources": Fixture.list("https://api.example/", "urn:api"),
                "auth.provider.acme.proxy": "[::1]:3128",
                "auth.provider.acme.user-info": true,
                "auth.provider.acme.app-parameters": Fixture.list("login_hint"),
                "auth.provider.acme.app-scopes": Fixture.list("calendar"),
                "auth.provider.acme.scopes": Fixture.list("openid", "email"),
                "auth.provider.acme.authorization-parameters": Fixture.list("prompt=consent", "x=a=b", "empty="),
                "auth.provider.acme.clock-skew-seconds": 299,
                "auth.provider.acme.login-lifetime-seconds": 1800,
                "auth.provider.other.issuer": "https://other.example/tenant",
                "auth.provider.other.client-id": "b",
                "auth.provider.other.client-secret": "c",
                "auth.app.shop.client-id": "the shop",
                "auth.app.shop.client-secret": "shop-secret-of-24-letters",
                "auth.app.shop.redirect-uris": Fixture.list(
                    "https://shop.example/callback", "http://127.0.0.1/cb", "com.example.shop:/cb"),
                "auth.app.shop.providers": Fixture.list("acme"),
                "auth.app.shop.upstream-tokens": true,
                "auth.app.shop.native-audiences": Fixture.list(
                    "acme.example:com.example.shop", "other:com.example.shop", "acme:urn:shop:watch"),
                "auth.app.shop.native-nonce": "optional",
                "auth.app.shop.id-token-lifetime-seconds": 300,
                "auth.app.shop.access-token-lifetime-seconds": 86_400,
                "auth.webhook.url": "http://127.0.0.1:9000/hook?x=1",
                "auth.webhook.signing-key": Fixture.text(Fixture.clientKey),
                "auth.apple-domain-association": " as it is \n",
            ])
        }
        #expect(configuration.pathPrefix == "/sign-in")
        #expect(configuration.wellKnownPaths)
        #expect(configuration.sealingKeys.map(\.exposed) == [Fixture.secondSealingKey, Fixture.sealingKey])
        var acme = BrokerConfiguration.Provider(
            name: "acme", issuer: "http://127.0.0.1:4444", clientID: "broker-at-acme",
            clientSecret: Secret("s3cret-of-acme"))
        acme.id = "acme.example"
        acme.callbackPath = "/sign-in/handler/acme"
        acme.appParameters = ["login_hint"]
        acme.appScopes = ["calendar"]
        acme.clientSecretExpires = 1_803_859_200
        acme.loginLifetime = .seconds(1800)
        acme.configuration.clientAuthentication = .clientSecretPost
        acme.configuration.certificateAuthorities = Array(pem.utf8)
        acme.configuration.insecureLoopbackIssuer = true
        acme.configuration.responseType = .codeIDToken
        acme.configuration.responseMode = .fragment
        acme.configuration.sendsDefaultResponseMode = true
        acme.configuration.userInfo = true
        acme.configuration.scopes = ["openid", "email"]
        acme.configuration.authorizationParameters = [
            .init(name: "prompt", value: "consent"), .init(name: "x", value: "a=b"), .init(name: "empty", value: ""),
        ]
        acme.configuration.clockSkew = .seconds(299)
        acme.configuration.clientSigningKey = Secret(Fixture.clientKey)
        acme.configuration.clientSigningAlgorithm = "ES256"
        acme.configuration.clientSigningKeyID = .named("key-1")
        acme.configuration.dpop = .on
        acme.configuration.certificateBoundAccessTokens = true
        acme.configuration.clientCertificate = ClientCertificate(
            certificateChain: Array(pem.utf8), privateKey: Secret(certificate.privateKeyPEM))
        acme.configuration.idTokenAlgorithms = ["ES256", "RS256"]
        acme.configuration.decryptionKeys = Fixture.decryptionKeys.map { Secret($0 + "\n") }
        acme.configuration.decryptionAlgorithm = "ECDH-ES+A256KW"
        acme.configuration.pushedAuthorization = true
        acme.configuration.requestObject = .sign
        acme.configuration.traceContext = true
        acme.configuration.sendsIssuer = true
        acme.configuration.clientAssertionTyp = .clientAuthentication
        acme.configuration.tenants = ["one", "two"]
        acme.configuration.trustedAudiences = ["api"]
        acme.configuration.requiredACRValues = ["urn:acr:two"]
        acme.configuration.claimsParameter = #"{"id_token":{"email":null}}"#
        acme.configuration.resources = ["https://api.example/", "urn:api"]
        acme.configuration.proxy = Proxy(host: "::1", port: 3128)
        #expect(configuration.providers.first == acme)
        #expect(configuration.providers.map(\.name) == ["acme", "other"])
        var shop = BrokerConfiguration.App(
            name: "shop", clientSecret: Secret("shop-secret-of-24-letters"),
            redirectURIs: ["https://shop.example/callback", "http://127.0.0.1/cb", "com.example.shop:/cb"])
        shop.clientID = "the shop"
        shop.providers = ["acme"]
        shop.upstreamTokens = true
        shop.nativeNonce = .optional
        shop.idTokenLifetime = .seconds(300)
        shop.accessTokenLifetime = .seconds(86_400)
        shop.nativeAudiences = [
            // Split at the first colon; by the provider's id or name, as it was written.
            .init(provider: "acme.example", audience: "com.example.shop"),
            .init(provider: "other", audience: "com.example.shop"),
            .init(provider: "acme", audience: "urn:shop:watch"),
        ]
        #expect(configuration.apps == [shop])
        #expect(
            configuration.webhook
                == BrokerConfiguration.Webhook(
                    url: "http://127.0.0.1:9000/hook?x=1", signingKey: Secret(Fixture.clientKey)))
        #expect(configuration.appleDomainAssociation == Array(" as it is \n".utf8))
    }

    @Test(
        arguments: ["http://localhost:8080", "https://127.0.0.1", "http://[::1]:8080"])
    func `Missing keys are created on loopback, with warnings, and differ from run to run`(url: String) async throws {
        let changes: [String: ConfigValue?] = [
            "auth.public-url": Fixture.text(url), "auth.sealing-keys": nil, "auth.signing-keys": nil,
        ]
        let first = try await Fixture.read(changes)
        let second = try await Fixture.read(changes)
        #expect(first.warnings.contains { $0.contains("auth.sealing-keys") })
        #expect(first.warnings.contains { $0.contains("auth.signing-keys is not set") })
        #expect(!first.warnings.contains { $0.contains("no RSA key") })
        #expect(first.validate().isEmpty)
        #expect(first.sealingKeys.count == 1)
        #expect(first.sealingKeys != second.sealingKeys)
        #expect(!first.signingKeys.isEmpty)
        #expect(first.signingKeys != second.signingKeys)
        #expect(first.warnings.contains { $0.contains("not Secure") } == url.hasPrefix("http:"))
    }

    @Test func `A resource has defaults, and its signing key is created on loopback, once for a reload`() async throws {
        let changes: [String: ConfigValue?] = [
            "auth.public-url": "http://localhost:8080", "auth.resources": Fixture.list("orders"),
            "auth.resource.orders.identifier": "urn:orders", "auth.app.shop.resources": Fixture.list("orders"),
            "auth.app.shop.default-resource": "orders",
        ]
        let first = try await Fixture.read(changes)
        #expect(first.resources == [BrokerConfiguration.Resource(name: "orders", identifier: "urn:orders")])
        #expect(first.resources[0].accessTokenLifetime == .seconds(900) && first.resources[0].claims.isEmpty)
        #expect(first.apps[0].resources == ["orders"] && first.apps[0].defaultResource == "orders")
        #expect(first.resourceSigningKeys.count == 1 && first.validate().isEmpty)
        #expect(first.warnings.contains { $0.contains("auth.resource-signing-keys") })
        var second = try await Fixture.read(
            changes.merging(["auth.resource.orders.claims": Fixture.list("email")]) { $1 })
        #expect(second.resourceSigningKeys != first.resourceSigningKeys)
        second.keepMadeKeys(of: first)
        #expect(second.resourceSigningKeys == first.resourceSigningKeys)
        #expect(second.changedNames(since: first) == ["auth.resource.orders"])
        #expect(try await Fixture.read(["auth.public-url": "http://localhost:8080"]).resourceSigningKeys.isEmpty)
    }

    @Test func `Keys may have certificates and the parameters of their curve beside them`() async throws {
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let certificate = try DevelopmentCertificate.make(hosts: ["client.example"]).certificatePEM
        let text = Fixture.text(certificate + "\n" + parameters + Fixture.signingKey + "\n" + certificate)
        let keys = try await Fixture.read(["auth.signing-keys": Fixture.text(Fixture.signingKey)]).signingKeys
        #expect(try await Fixture.read(["auth.signing-keys": text]).signingKeys == keys)
        let encrypting = ["auth.provider.acme.decryption-keys": text]
        #expect(try await Fixture.read(encrypting).providers.first?.configuration.decryptionKeys.count == 1)
    }

    @Test func `The operator is told if there is no RSA key, and not if there is one`() async throws {
        let keys = Fixture.signingKey + "\n" + (try SharedRSAKeys.pem(1))
        let configuration = try await Fixture.read(["auth.signing-keys": Fixture.text(keys)])
        #expect(configuration.signingKeys.count == 2)
        #expect(configuration.warnings.isEmpty)
        let apps = ["auth.signing-keys": Fixture.text(keys), "auth.app.shop.id-token-algorithm": "ES256"]
        #expect(try await Fixture.read(apps).apps.first?.idTokenAlgorithm == .es256)
    }

    @Test(
        arguments: [
            ("https://keycloak.svc/m", nil, false), ("http://keycloak:8080/m", "trusted", true),
            ("http://keycloak:8080/m", "trusted-with-secret", true),
        ] as [(String, String?, Bool)])
    func `The operator is told of a network that is trusted`(url: String, network: String?, warns: Bool) async throws {
        let configuration = try await Fixture.read([
            "auth.provider.acme.metadata-url": Fixture.text(url),
            "auth.provider.acme.metadata-network": network.map { Fixture.text($0) },
        ])
        let client = try #require(configuration.providers.first).configuration
        #expect(client.metadataURL == url)
        #expect(client.metadataNetwork.rawValue == network ?? "encrypted")
        #expect(configuration.warnings.contains { $0.contains("auth.provider.acme.metadata-url is http") } == warns)
    }

    @Test(arguments: [(nil, false), ("issuer", false), ("token-endpoint", true)] as [(String?, Bool)])
    func `The operator is told of an assertion audience that is not the issuer`(audience: String?, warns: Bool)
        async throws
    {
        let configuration = try await Fixture.read([
            "auth.app.shop.assertion-audience": audience.map { Fixture.text($0) }
        ])
        #expect(configuration.warnings.contains { $0.hasPrefix("auth.app.shop.assertion-audience is") } == warns)
        #expect(configuration.apps.first?.assertionAudience == (warns ? .tokenEndpoint : .issuer))
    }

    @Test(arguments: [(nil, false), ("false", false), ("true", true)] as [(String?, Bool)])
    func `The operator is told of assertions that may be used again`(reuse: String?, warns: Bool) async throws {
        let configuration = try await Fixture.read([
            "auth.app.shop.assertion-reuse": reuse.map { Fixture.text($0) },
            "auth.app.shop.jwks-uri": Fixture.text("https://shop.example.com/jwks"),
        ])
        #expect(configuration.warnings.contains { $0.hasPrefix("auth.app.shop.assertion-reuse is") } == warns)
        #expect(configuration.apps.first?.assertionReuse == warns)
    }

    @Test(arguments: [("valkey", true), ("postgresql", true), ("memory", false)])
    func `A store that only a server reads is a warning where none reads it`(kind: String, warns: Bool) async throws {
        let configuration = try await Fixture.read(["auth.store.kind": Fixture.text(kind)])
        #expect(configuration.warnings.contains { $0.hasPrefix("auth.store.kind") } == warns)
    }

    @Test func `Keys that are given are not created on loopback`() async throws {
        let configuration = try await Fixture.read(["auth.public-url": "https://localhost"])
        #expect(!configuration.warnings.contains { $0.contains("not set") })
        #expect(configuration.sealingKeys == [Secret(Fixture.sealingKey)])
    }

    @Test(
        arguments: [("code", ResponseMode.query), ("code id_token", .formPost), ("id_token", .formPost)])
    func `The response mode follows the response type if none is given`(type: String, mode: ResponseMode)
        async throws
    {
        let configuration = try await Fixture.read(["auth.provider.acme.response-type": Fixture.text(type)])
        #expect(configuration.providers.first?.configuration.responseMode == mode)
    }

    @Test func `A client secret is required only without another client authentication`() async throws {
        let key = Fixture.text(Fixture.clientKey)
        let ways: [[String: ConfigValue?]] = [
            ["client-authentication": "none"], ["client-authentication": "private_key_jwt", "client-signing-key": key],
            ["client-signing-key": key], ["response-type": "id_token"],
        ]
        for way in ways {
            var changes: [String: ConfigValue?] = ["auth.provider.acme.client-secret": nil]
            for (name, value) in way { changes["auth.provider.acme." + name] = value }
            #expect(try await Fixture.errors(changes) == [], "\(way.keys)")
        }
        // Without a code nothing is exchanged; a pushed request needs client authentication again.
        let pushed = try await Fixture.errors([
            "auth.provider.acme.client-secret": nil, "auth.provider.acme.response-type": "id_token",
            "auth.provider.acme.pushed-authorization": true,
        ])
        #expect(pushed.map(\.key) == ["auth.provider.acme.client-secret"])
    }

    @Test func `A certificate goes with its own key`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["client.example"])
        try await Fixture.withFile(certificate.certificatePEM) { path in
            let chain = Fixture.text(path)
            for method in ["tls_client_auth", "self_signed_tls_client_auth"] {
                let base: [String: ConfigValue?] = [
                    "auth.provider.acme.client-secret": nil,
                    "auth.provider.acme.client-authentication": Fixture.text(method),
                    "auth.provider.acme.client-certificate": chain,
                ]
                let right = Fixture.text(certificate.privateKeyPEM)
                let good = base.merging(["auth.provider.acme.client-certificate-key": right]) { $1 }
                let none = try await Fixture.errors(good)
                #expect(none == [])
                let half = try await Fixture.errors(base)
                #expect(half.map(\.key) == ["auth.provider.acme.client-certificate-key"])
                for wrong in [Fixture.clientKey, "no key"] {
                    let bad = base.merging(["auth.provider.acme.client-certificate-key": Fixture.text(wrong)]) { $1 }
                    let found = try await Fixture.errors(bad)
                    #expect(found.map(\.key) == ["auth.provider.acme.client-certificate"])
                }
            }
        }
        let garbage = try await Fixture.withFile("no certificate") { path in
            try await Fixture.errors([
                "auth.provider.acme.client-certificate": Fixture.text(path),
                "auth.provider.acme.client-certificate-key": Fixture.text(certificate.privateKeyPEM),
            ])
        }
        #expect(garbage.map(\.key) == ["auth.provider.acme.client-certificate"])
    }

    @Test(
        arguments: [("HS256", 32), ("HS384", 48), ("HS512", 64)])
    func `An HMAC algorithm needs a secret as long as its hash`(name: String, count: Int) async throws {
        for (length, isEnough) in [(count, true), (count - 1, false)] {
            let found = try await Fixture.errors([
                "auth.provider.acme.client-secret": Fixture.text(String(repeating: "s", count: length)),
                "auth.provider.acme.id-token-algorithms": Fixture.list(name),
            ])
            #expect(found.map(\.key) == (isEnough ? [] : ["auth.provider.acme.id-token-algorithms"]))
        }
    }

    @Test(arguments: [(32, true), (31, false)])
    func `client_secret_jwt needs a secret of 32 bytes`(length: Int, isEnough: Bool) async throws {
        let found = try await Fixture.errors([
            "auth.provider.acme.client-secret": Fixture.text(String(repeating: "s", count: length)),
            "auth.provider.acme.client-authentication": "client_secret_jwt",
        ])
        #expect(found.map(\.key) == (isEnough ? [] : ["auth.provider.acme.client-secret"]))
    }

    @Test func `An empty text where a list is expected is an empty list`() async throws {
        let configuration = try await Fixture.read(["auth.provider.acme.app-parameters": Fixture.list("")])
        #expect(configuration.providers.first?.appParameters == [])
    }

    @Test func `The recorder knows the keys that were read, and the source of each value`() async throws {
        let accesses = ConfigurationAccessRecorder()
        let config = ConfigReader(
            provider: InMemoryProvider(name: "memory", values: ["auth.public-url": "https://auth.example.com"]),
            accessReporter: accesses)
        await #expect(throws: BrokerConfigurationError.self) {
            try await BrokerConfiguration(config: config, accesses: accesses)
        }
        #expect(accesses.keys.isSuperset(of: ["auth.public-url", "auth.path-prefix", "auth.signing-keys-file"]))
        #expect(accesses.source(of: "auth.public-url") == "InMemoryProvider[memory]")
        #expect(accesses.source(of: "auth.path-prefix") == nil)
        #expect(accesses.source(of: "auth.nothing") == nil)
    }
}
