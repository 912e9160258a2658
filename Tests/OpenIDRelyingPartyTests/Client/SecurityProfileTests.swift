// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOSSL
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OpenIDRelyingParty

/// `profile: fapi-2`: what it turns on, and what contradicts it.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct SecurityProfileTests {
    /// A configuration that the profile allows.
    private static func allow(_ configuration: inout ProviderConfiguration) {
        configuration.securityProfile = .fapi2
        configuration.clientSecret = nil
        configuration.clientSigningKey = Secret(KeyTexts.p256)
    }

    private static func certificate() throws -> ClientCertificate {
        let made = try DevelopmentCertificate.makeForClient(name: "client.example")
        return ClientCertificate(
            certificateChain: Array(made.certificatePEM.utf8), privateKey: Secret(made.privateKeyPEM))
    }

    private static func provider(_ members: JSONObject = [:]) throws -> TestProvider {
        let provider = try TestProvider()
        provider.behave { behavior in
            behavior.metadata["token_endpoint_auth_methods_supported"] = ["private_key_jwt", "tls_client_auth"]
            for member in members.members { behavior.metadata[member.name.makeString()] = member.value }
            behavior.changeTokenResponse = { $0["token_type"] = "DPoP" }
        }
        return provider
    }

    /// A contradiction and the member at which it is reported.
    struct Contradiction: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let member: ProviderConfigurationError.Member
        let change: @Sendable (inout ProviderConfiguration) -> Void

        init(
            _ testDescription: String, _ member: ProviderConfigurationError.Member,
            _ change: @escaping @Sendable (inout ProviderConfiguration) -> Void
        ) {
            self.testDescription = testDescription
            self.member = member
            self.change = change
        }
    }

    static let contradictions: [Contradiction] = [
        Contradiction("a secret", \.clientSecret) { $0.clientSecret = Secret("secret") },
        Contradiction("a public client", \.clientAuthentication) {
            $0.clientAuthentication = ClientAuthenticationMethod.none
        },
        Contradiction("no key", \.clientSigningKey) {
            $0.clientSigningKey = nil
            $0.dpop = .on
        },
        Contradiction("RS256", \.clientSigningAlgorithm) {
            $0.clientSigningKey = Secret(KeyTexts.rsa)
            $0.clientSigningAlgorithm = "RS256"
        },
        Contradiction("a key on another curve", \.clientSigningKey) {
            $0.clientSigningKey = (try? SigningKey.generatePEM(.es384)).map { Secret($0) }
        },
        Contradiction("another audience", \.clientAssertionAudience) { $0.clientAssertionAudience = .tokenEndpoint },
        Contradiction("ID tokens by RS256", \.idTokenAlgorithms) { $0.idTokenAlgorithms = ["ES256", "RS256"] },
        Contradiction("an ID token in the response", \.responseType) {
            $0.responseType = .codeIDToken
            $0.responseMode = .formPost
        },
        Contradiction("no DPoP and no certificate", \.dpop) { $0.dpop = .off },
        Contradiction("http", \.insecureLoopbackIssuer) { $0.insecureLoopbackIssuer = true },
        Contradiction("metadata over http", \.metadataNetwork) {
            $0.metadataURL = "http://10.0.0.1/metadata"
            $0.metadataNetwork = .trusted
        },
    ]

    @Test(arguments: contradictions) func `each key that contradicts it is an error at its place`(
        contradiction: Contradiction
    ) {
        var configuration = ProviderConfiguration(
            issuer: "https://issuer.example", clientID: "client", clientSecret: nil,
            redirectURI: "https://app.example/cb")
        Self.allow(&configuration)
        #expect(configuration.validate().isEmpty)
        contradiction.change(&configuration)
        let errors = configuration.validate()
        #expect(errors.map { $0.member as PartialKeyPath } == [contradiction.member as PartialKeyPath])
        configuration.securityProfile = nil
        #expect(!configuration.validate().contains { $0.expected.contains("fapi-2") })
    }

    @Test
    func `requests are pushed, tokens are bound by DPoP, an RSA key signs with PS256, and ciphers are restricted`()
        throws
    {
        let provider = try Self.provider()
        let session = UnpluggedSession(provider) { configuration in
            Self.allow(&configuration)
            configuration.clientSigningKey = Secret(KeyTexts.rsa)
        }
        try session.signIn()
        #expect(provider.paths == ["/.well-known/openid-configuration", "/par", "/token", "/jwks"])
        let proved = provider.requests.filter(\.isProved).map(\.url.path)
        #expect(proved == ["/par", "/token"])
        for path in ["/par", "/token"] {
            let assertion = try #require(try provider.form(path).text("client_assertion"))
            #expect(try JSONWebSignature(compact: assertion).algorithm == .ps256)
            let claims = try #require(Base64URL.decode(Array(assertion.split(separator: ".")[1].utf8)))
            #expect(
                try JSONParser.object(claims, limits: JSONLimits(maximumBytes: 4096))["aud"]?.text?.makeString()
                    == provider.issuer)
        }
        let pushed = try provider.form("/par")
        #expect(try pushed.text("code_challenge_method") == "S256")
        #expect(try pushed.text("response_type") == "code")
        #expect(provider.requests.allSatisfy { $0.trust.restrictsCiphers })
    }

    @Test func `with a certificate tokens are bound to that, and it is shown though nothing announces it`() throws {
        let provider = try Self.provider()
        provider.behave { $0.changeTokenResponse = { _ in } }
        let certificate = try Self.certificate()
        let session = UnpluggedSession(provider) { configuration in
            Self.allow(&configuration)
            configuration.clientAuthentication = .privateKeyJWT
            configuration.clientCertificate = certificate
            configuration.userInfo = true
        }
        #expect(session.party.configuration.validate().isEmpty)
        try session.signIn()
        let shown = provider.requests.filter { $0.trust.clientCertificate != nil }.map(\.url.path)
        #expect(shown == ["/par", "/token", "/userinfo"])
        #expect(provider.requests.allSatisfy { !$0.isProved && $0.trust.restrictsCiphers })
    }

    @Test func `a response without iss is refused though nothing announces it`() throws {
        let provider = try Self.provider(["authorization_response_iss_parameter_supported": .null])
        provider.behave { $0.announcesIssuer = false }
        let session = UnpluggedSession(provider) { Self.allow(&$0) }
        let refusal = try session.refusal { response in
            response.split(separator: "&").filter { !$0.hasPrefix("iss=") }.joined(separator: "&")
        }
        #expect(refusal == .issuerMissing)
        #expect(!provider.paths.contains("/token"))
    }

    @Test(
        arguments: [
            ("pushed_authorization_request_endpoint", .null, "has no 'pushed_authorization_request_endpoint'"),
            ("id_token_signing_alg_values_supported", ["RS256"], "no algorithm of profile fapi-2"),
            ("token_endpoint_auth_methods_supported", ["client_secret_basic"], "no client authentication"),
        ] as [(String, JSONValue, String)])
    func `a provider that lacks what it needs is refused before a user leaves`(
        member: String, value: JSONValue, reason: String
    ) throws {
        let provider = try Self.provider([member: value])
        let session = UnpluggedSession(provider) { Self.allow(&$0) }
        let metadata = try session.party.metadata(on: session.loop).future(on: session.loop).wait()
        let error = #expect(throws: RelyingPartyError.self) { try session.party.authorizationEndpoint(of: metadata) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `an ID token by another algorithm is refused though it is announced`() throws {
        let provider = try TestProvider(.rs256)
        provider.behave { behavior in
            behavior.metadata["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
            behavior.metadata["id_token_signing_alg_values_supported"] = ["RS256", "ES256"]
            behavior.changeTokenResponse = { $0["token_type"] = "DPoP" }
        }
        let session = UnpluggedSession(provider) { Self.allow(&$0) }
        #expect(try session.refusal()?.step == .idToken)
    }

    @Test(arguments: [true, false])
    func `UserInfo that is signed by another algorithm is refused though it is announced`(isFAPI: Bool) throws {
        let provider = try TestProvider(.rs256)
        provider.behave { $0.metadata["userinfo_signing_alg_values_supported"] = ["RS256"] }
        let claims: JSONObject = [
            "iss": .string(provider.issuer), "aud": .string(provider.client.id), "sub": "person-ada",
        ]
        provider.answer("/userinfo", try provider.key.sign(claims), type: "application/jwt")
        let session = UnpluggedSession(provider) { if isFAPI { Self.allow(&$0) } }
        let received = Result {
            try session.party.userInfo(accessToken: Secret("t"), subject: "person-ada", on: session.loop).wait()
        }
        #expect((try? received.get().string("sub")) == (isFAPI ? nil : "person-ada"))
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `TLS 1.2 has the ciphers of RFC 9325 alone`(kind: TransportKind, restricts: Bool) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(certificate.privateKeyPEM.utf8), format: .pem)))
        configuration.maximumTLSVersion = .tlsv12
        let ciphers: [(NIOTLSCipher, isInProfile: Bool)] = [
            (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, false), (.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true),
        ]
        for (cipher, isInProfile) in ciphers {
            configuration.cipherSuiteValues = [cipher]
            let context = try NIOSSLContext(configuration: configuration)
            try await ScriptedServer.run(
                { _ in .send(["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"]) },
                prepare: { try $0.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
            ) { server in
                var trust = ProviderTrust(
                    certificateAuthorities: Array(certificate.certificatePEM.utf8), addresses: .any)
                trust.restrictsCiphers = restricts
                let request = ProviderRequest(
                    url: try #require(AbsoluteURL("https://127.0.0.1:\(server.port)/")), maximumResponseBytes: 1024,
                    deadline: .now() + .seconds(30), trust: trust)
                try await withTransport(kind) { transport in
                    if restricts, !isInProfile {
                        await #expect(throws: ProviderTransportError.self) {
                            try await transport.execute(request, on: TestRequest.loop).get()
                        }
                    } else {
                        let response = try await transport.execute(request, on: TestRequest.loop).get()
                        #expect(response.status == 200)
                    }
                }
            }
        }
    }
}
