// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import NIOCore
import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// `private_key_jwt` and `client_secret_jwt` (OpenID Connect Core 1.0 section 9) in everything that is posted.
@Suite struct ClientAssertionTests {
    private static let secret = String(repeating: "s", count: 32)

    /// A session that authenticates by a key.
    private static func session(
        _ provider: TestProvider, _ pem: String, _ algorithm: String?
    ) -> UnpluggedSession {
        UnpluggedSession(provider) { configuration in
            configuration.clientSecret = nil
            configuration.clientSigningKey = Secret(pem)
            configuration.clientSigningAlgorithm = algorithm
            configuration.pushedAuthorization = true
        }
    }

    private static func announce(_ provider: TestProvider, _ methods: [String], algorithms: [String]? = nil) {
        provider.behave { behavior in
            behavior.metadata["token_endpoint_auth_methods_supported"] = .array(methods.map { .string($0) })
            if let algorithms {
                behavior.metadata["token_endpoint_auth_signing_alg_values_supported"] = .array(
                    algorithms.map { .string($0) })
            }
        }
    }

    /// The claims of the assertion that was posted to a path, its signature verified.
    private static func claims(
        _ provider: TestProvider, _ path: String, by key: SigningKey
    ) throws -> JSONObject {
        let form = try provider.form(path)
        #expect(
            try form.text("client_assertion_type") == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(form.texts.filter { $0.name == "client_id" }.map(\.value) == ["client"])
        #expect(!form.contains("client_secret"))
        #expect(provider.requests.last { $0.url.path == path }?.authorization == nil)
        let assertion = try JSONWebSignature(compact: try form.text("client_assertion") ?? "")
        #expect(assertion.algorithm == key.algorithm)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        return try assertion.verified(by: keys, algorithms: [key.algorithm]).claims
    }

    private static func header(_ provider: TestProvider) throws -> JSONObject {
        let assertion = try #require(try provider.form("/token").text("client_assertion"))
        let bytes = Base64URL.decode(Array(assertion.utf8.prefix { $0 != UInt8(ascii: ".") }))
        return try JSONParser.object(try #require(bytes), limits: JSONLimits(maximumBytes: 4096))
    }

    @Test(
        arguments: [(.thumbprint, nil), (.named("key of 2027"), "key of 2027"), (.none, nil)]
            as [(ClientSigningKeyID, String?)])
    func `the kid of an assertion is the thumbprint, the registered one, or none`(
        configured: ClientSigningKeyID, name: String?
    ) throws {
        let provider = try TestProvider()
        Self.announce(provider, ["private_key_jwt"])
        let session = UnpluggedSession(provider) { configuration in
            configuration.clientSecret = nil
            configuration.clientSigningKey = Secret(KeyTexts.p256)
            configuration.clientSigningKeyID = configured
            configuration.decryptionKeys = [Secret(KeyTexts.rsa)]
        }
        try session.signIn()
        let thumbprint = try SigningKey(pem: KeyTexts.p256).keyID
        let expected = configured == .thumbprint ? thumbprint : name
        #expect(try Self.header(provider)["kid"]?.text?.makeString() == expected)
        let published = try JSONParser.object(
            try #require(session.party.publicKeySet), limits: JSONLimits(maximumBytes: 65_536))
        let keys = try #require(published["keys"]?.arrayValue).compactMap(\.objectValue)
        #expect(keys.map { $0["kid"]?.text?.makeString() }.first == expected)
        #expect(keys.map { $0["use"]?.text?.makeString() } == ["sig", "enc"])
        #expect(keys.map { $0["alg"]?.text?.makeString() } == ["ES256", "RSA-OAEP-256"])
        #expect(keys.allSatisfy { $0["d"] == nil })
    }

    @Test func `a decryption key is published with the algorithm that is registered, and used with no other`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.decryptionKeys = [Secret(KeyTexts.p256)]
            configuration.decryptionAlgorithm = "ECDH-ES+A256KW"
        }
        let published = try JSONParser.object(
            try #require(session.party.publicKeySet), limits: JSONLimits(maximumBytes: 65_536))
        let key = try #require(published["keys"]?.arrayValue?.first?.objectValue)
        #expect(key["alg"] == "ECDH-ES+A256KW" && key["use"] == "enc" && key["d"] == nil)
        for algorithm in ["ECDH-ES+A256KW", "ECDH-ES"] {
            provider.behave { behavior in
                behavior.changeToken = { token, _ in
                    try JSONWebEncryption.encrypt(
                        Array(token.utf8), to: key, keyManagement: algorithm, contentEncryption: "A256GCM")
                }
            }
            let refusal = try session.refusal()
            #expect(
                refusal?.description.contains("expected ECDH-ES+A256KW, found ECDH-ES")
                    == (algorithm == "ECDH-ES" ? true : nil))
        }
    }

    @Test func `the thumbprints of a certificate are in the header, as openssl prints them`() throws {
        let provider = try TestProvider()
        Self.announce(provider, ["private_key_jwt"])
        let session = UnpluggedSession(provider) { configuration in
            configuration.clientSecret = nil
            configuration.clientSigningKey = Secret(KeyTexts.certifiedKey)
            configuration.clientSigningKeyID = .none
            configuration.clientSigningCertificate = Array(KeyTexts.certificate.utf8)
        }
        #expect(session.party.configuration.validate().isEmpty)
        try session.signIn()
        let header = try Self.header(provider)
        #expect(header["x5t#S256"]?.text?.makeString() == KeyTexts.certificateSHA256)
        #expect(header["x5t"]?.text?.makeString() == KeyTexts.certificateSHA1)
        #expect(header["kid"] == nil)
        // Another key than that of the certificate.
        var configuration = session.party.configuration
        configuration.clientSigningKey = Secret(KeyTexts.p256)
        #expect(configuration.validate().map(\.member) == [\.clientSigningCertificate])
    }

    @Test(arguments: [(JSONWebAlgorithm.es384), .es512])
    func `keys on the larger curves sign by their own algorithms`(algorithm: JSONWebAlgorithm) throws {
        let provider = try TestProvider()
        Self.announce(provider, ["private_key_jwt"], algorithms: [algorithm.rawValue])
        let pem = try SigningKey.generatePEM(algorithm)
        let session = Self.session(provider, pem, nil)
        #expect(session.party.configuration.validate().isEmpty)
        try session.signIn()
        let key = try SigningKey(pem: pem, algorithm: algorithm)
        #expect(try Self.claims(provider, "/token", by: key)["iss"] == "client")
    }

    @Test(
        arguments: [
            (KeyTexts.p256, nil, "ES256"), (KeyTexts.p256, "ES256", "ES256"), (KeyTexts.rsa, nil, "RS256"),
            (KeyTexts.rsa, "RS256", "RS256"), (KeyTexts.rsa, "PS256", "PS256"), (KeyTexts.ed25519, nil, "EdDSA"),
            (KeyTexts.ed25519, "EdDSA", "EdDSA"), (KeyTexts.ed25519, "Ed25519", "Ed25519"),
        ] as [(String, String?, String)])
    func `private_key_jwt proves the client wherever it posts`(pem: String, configured: String?, name: String) throws {
        let provider = try TestProvider()
        Self.announce(provider, ["client_secret_basic", "private_key_jwt"], algorithms: [name])
        let session = Self.session(provider, pem, configured)
        #expect(session.party.configuration.validate().isEmpty)
        try session.signIn()
        _ = try session.party.refresh(
            Secret("r"), issuer: provider.issuer, subject: "person-ada", on: session.loop
        ).wait()
        let refreshed = try provider.form("/token").value("client_assertion")
        try session.party.revoke(Secret("r"), on: session.loop).wait()

        let key = try SigningKey(pem: pem, algorithm: try #require(JSONWebAlgorithm(rawValue: name)))
        var identifiers: Set<String> = []
        for path in ["/par", "/token", "/revoke"] {
            let claims = try Self.claims(provider, path, by: key)
            let now = provider.clock.now()
            #expect(claims["iss"] == "client")
            #expect(claims["sub"] == "client")
            #expect(claims["aud"] == .string(TestProvider.fixedIssuer))
            #expect(claims["iat"]?.integerValue == now - 5)
            #expect(claims["exp"]?.integerValue == now + 60)
            identifiers.insert(claims["jti"]?.text?.makeString() ?? "")
        }
        #expect(identifiers.count == 3)
        #expect(refreshed != nil)
    }

    @Test func `the token endpoint is the audience where that is configured, at every endpoint`() throws {
        let provider = try TestProvider()
        Self.announce(provider, ["private_key_jwt"])
        let session = UnpluggedSession(provider) {
            $0.clientSigningKey = Secret(KeyTexts.p256)
            $0.clientAuthentication = .privateKeyJWT
            $0.clientAssertionAudience = .tokenEndpoint
        }
        try session.signIn()
        try session.party.revoke(Secret("r"), on: session.loop).wait()
        let key = try SigningKey(pem: KeyTexts.p256)
        for path in ["/token", "/revoke"] {
            #expect(try Self.claims(provider, path, by: key)["aud"] == .string(TestProvider.fixedIssuer + "/token"))
        }
    }

    @Test(arguments: [(ClientAssertionTyp.jwt, "JWT"), (.clientAuthentication, "client-authentication+jwt")])
    func `RFC 10070 the typ of assertions is the configured one`(configured: ClientAssertionTyp, typ: String) throws {
        for isSecret in [false, true] {
            let provider = try TestProvider()
            Self.announce(provider, ["private_key_jwt", "client_secret_jwt"])
            let session = UnpluggedSession(provider) {
                $0.clientSecret = isSecret ? Secret(Self.secret) : nil
                $0.clientSigningKey = isSecret ? nil : Secret(KeyTexts.p256)
                $0.clientAuthentication = isSecret ? .clientSecretJWT : .privateKeyJWT
                $0.clientAssertionTyp = configured
            }
            try session.signIn()
            let assertion = try #require(try provider.form("/token").text("client_assertion"))
            let header = try #require(Base64URL.decode(String(assertion.prefix { $0 != "." })))
            #expect(try JSONParser.object(header, limits: JSONLimits(maximumBytes: 1000))["typ"] == .string(typ))
        }
    }

    @Test func `client_secret_jwt proves the client without sending the secret`() throws {
        let provider = try TestProvider()
        Self.announce(provider, ["client_secret_post", "client_secret_jwt", "client_secret_basic"])
        let session = UnpluggedSession(provider) {
            $0.clientSecret = Secret(Self.secret)
            $0.clientAuthentication = .clientSecretJWT
        }
        try session.signIn()
        let form = try provider.form("/token")
        #expect(!form.contains("client_secret"))
        let assertion = try JSONWebSignature(compact: try form.text("client_assertion") ?? "")
        let key = try #require(SharedSecretKey(Array(Self.secret.utf8)))
        let claims = try assertion.verified(by: key, algorithms: [.hs256]).claims
        #expect(claims["aud"] == .string(TestProvider.fixedIssuer))
        #expect(claims["sub"] == "client")
        #expect(provider.requests.allSatisfy { $0.form?.contains(Self.secret) != true })
    }

    @Test(
        arguments: [
            (["client_secret_basic", "client_secret_post"], "basic"), (["client_secret_post"], "client_secret"),
            (["client_secret_post", "private_key_jwt"], "client_assertion"),
            (["client_secret_jwt", "client_secret_basic"], "basic"), (["private_key_jwt"], "client_assertion"),
            (["tls_client_auth", "client_secret_basic"], "basic"), (["tls_client_auth"], nil),
        ] as [([String], String?)])
    func `the strongest way that both sides know is taken`(announced: [String], proof: String?) throws {
        let provider = try TestProvider()
        Self.announce(provider, announced)
        // The secret is too short for client_secret_jwt, and there is no certificate.
        let session = UnpluggedSession(provider) { $0.clientSigningKey = Secret(KeyTexts.p256) }
        let error = try session.refusal()
        guard let proof else {
            #expect(error?.step == .token)
            #expect(!provider.paths.contains("/token"))
            return
        }
        #expect(error == nil)
        let form = try provider.form("/token")
        #expect((provider.requests.last { $0.url.path == "/token" }?.authorization != nil) == (proof == "basic"))
        for name in ["client_secret", "client_assertion"] { #expect(form.contains(name) == (name == proof)) }
    }

    @Test func `an algorithm that the provider does not take is not used`() throws {
        let provider = try TestProvider()
        Self.announce(provider, ["private_key_jwt"], algorithms: ["RS256"])
        #expect(try Self.session(provider, KeyTexts.p256, nil).refusal()?.isTemporary == false)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test(arguments: [KeyTexts.shortRSA, KeyTexts.encrypted, "n0-key-s3cret", ""])
    func `a key that cannot be used is named, and nothing is sent`(pem: String) throws {
        let provider = try TestProvider()
        Self.announce(provider, ["private_key_jwt"])
        let session = Self.session(provider, pem, nil)
        #expect(
            session.party.configuration.validate().map { $0.member as AnyKeyPath } == [
                \ProviderConfiguration.clientSigningKey
            ])
        let error = try session.refusal()
        #expect(error?.step == .pushedAuthorization)
        #expect(error?.description.contains("clientSigningKey") == true)
        #expect(error?.description.contains("s3cret") == false)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `a configured way that the client has nothing for is not replaced by a weaker one`() throws {
        for method in [ClientAuthenticationMethod.privateKeyJWT, .clientSecretJWT, .tlsClientAuth] {
            let provider = try TestProvider()
            Self.announce(provider, ["client_secret_basic", method.name])
            let session = UnpluggedSession(provider) { $0.clientAuthentication = method }
            #expect(!session.party.configuration.validate().isEmpty)
            let error = try session.refusal()
            #expect(error?.step == .token)
            #expect(error?.description.contains(method.name) == true)
            #expect(!provider.paths.contains("/token"))
        }
    }
}
