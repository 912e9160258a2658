// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// Errors in a configuration name the member, before any request is sent.
@Suite struct ErrorsTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        /// Which members are named.
        let members: [ProviderConfigurationError.Member]
        let change: @Sendable (inout ProviderConfiguration) -> Void

        init(
            _ description: String, _ members: [ProviderConfigurationError.Member],
            _ change: @escaping @Sendable (inout ProviderConfiguration) -> Void
        ) {
            self.description = description
            self.members = members
            self.change = change
        }
    }

    private static let long = String(repeating: "s", count: 64)

    static let cases: [Case] = [
        Case("as it is", []) { _ in },
        Case("http issuer", [\.issuer]) { $0.issuer = "http://issuer.example" },
        Case("http issuer on this machine", [\.issuer]) { $0.issuer = "http://127.0.0.1:8080" },
        Case("the same, allowed", []) {
            $0.issuer = "http://127.0.0.1:8080"
            $0.insecureLoopbackIssuer = true
        },
        Case("no openid", [\.scopes]) { $0.scopes = ["email"] },
        Case("a token in a query", [\.responseMode]) { $0.responseType = .codeIDToken },
        Case("a token by form_post", []) {
            $0.responseType = .codeIDToken
            $0.responseMode = .formPost
        },
        Case("a token by fragment", []) {
            $0.responseType = .idToken
            $0.responseMode = .fragment
        },
        Case("UserInfo without an access token", [\.userInfo]) {
            $0.responseType = .idToken
            $0.responseMode = .fragment
            $0.userInfo = true
        },
        Case("basic without a secret", [\.clientSecret]) {
            $0.clientSecret = nil
            $0.clientAuthentication = .clientSecretBasic
        },
        Case("a public client", []) { $0.clientSecret = nil },
        Case("31 bytes for client_secret_jwt", [\.clientSecret]) {
            $0.clientSecret = Secret(String(repeating: "s", count: 31))
            $0.clientAuthentication = .clientSecretJWT
        },
        Case("32 bytes for client_secret_jwt", []) {
            $0.clientSecret = Secret(String(repeating: "s", count: 32))
            $0.clientAuthentication = .clientSecretJWT
        },
        Case("no key", [\.clientSigningKey]) { $0.clientAuthentication = .privateKeyJWT },
        Case("requests signed by no key", [\.clientSigningKey]) { $0.requestObject = .sign },
        Case("an algorithm without a key", [\.clientSigningAlgorithm]) { $0.clientSigningAlgorithm = "ES256" },
        Case("an algorithm of another key", [\.clientSigningKey]) {
            $0.clientSigningKey = Secret(KeyTexts.p256)
            $0.clientSigningAlgorithm = "RS256"
        },
        Case("an algorithm that is not for assertions", [\.clientSigningAlgorithm]) {
            $0.clientSigningKey = Secret(KeyTexts.rsa)
            $0.clientSigningAlgorithm = "RS512"
        },
        Case("an unknown algorithm", [\.clientSigningAlgorithm]) {
            $0.clientSigningKey = Secret(KeyTexts.rsa)
            $0.clientSigningAlgorithm = "none"
        },
        Case("a key id without a key", [\.clientSigningKeyID]) { $0.clientSigningKeyID = .named("a") },
        Case("a signing certificate without a key", [\.clientSigningCertificate]) {
            $0.clientSigningCertificate = Array("x".utf8)
        },
        Case("a signing certificate that is none", [\.clientSigningCertificate]) {
            $0.clientSigningKey = Secret(KeyTexts.p256)
            $0.clientSigningCertificate = Array("x".utf8)
        },
        Case("tokens bound to no certificate", [\.certificateBoundAccessTokens]) {
            $0.certificateBoundAccessTokens = true
        },
        Case("no certificate", [\.clientCertificate]) { $0.clientAuthentication = .selfSignedTLSClientAuth },
        Case("a certificate that is none", [\.clientCertificate]) {
            $0.clientCertificate = ClientCertificate(
                certificateChain: Array("x".utf8), privateKey: Secret(KeyTexts.p256))
        },
        Case("an empty certificate and key", [\.clientCertificate]) {
            $0.clientCertificate = ClientCertificate(certificateChain: [], privateKey: Secret(""))
        },
        Case("authorities that are none", [\.certificateAuthorities]) { $0.certificateAuthorities = Array("x".utf8) },
        Case("no authorities", [\.certificateAuthorities]) { $0.certificateAuthorities = [] },
        Case("algorithm none", [\.idTokenAlgorithms]) { $0.idTokenAlgorithms = ["none"] },
        Case("an unknown algorithm for ID tokens", [\.idTokenAlgorithms]) {
            $0.idTokenAlgorithms = ["ES256", "ES257"]
        },
        Case("no algorithm", [\.idTokenAlgorithms]) { $0.idTokenAlgorithms = [] },
        Case("HS256 with a short secret", [\.idTokenAlgorithms]) { $0.idTokenAlgorithms = ["HS256"] },
        Case("HS512 with a long secret", []) {
            $0.idTokenAlgorithms = ["HS512", "ES256"]
            $0.clientSecret = Secret(long)
        },
        Case("a decryption key that is none", [\.decryptionKeys]) { $0.decryptionKeys = [Secret("x")] },
        Case("a decryption key that signs only", [\.decryptionKeys]) { $0.decryptionKeys = [Secret(KeyTexts.ed25519)] },
        Case("decryption keys", []) { $0.decryptionKeys = [Secret(KeyTexts.rsa), Secret(KeyTexts.p256)] },
        Case("an algorithm of the decryption keys", []) {
            $0.decryptionKeys = [Secret(KeyTexts.rsa), Secret(KeyTexts.p256)]
            $0.decryptionAlgorithm = "ECDH-ES+A256KW"
        },
        Case("an algorithm of no decryption key", [\.decryptionAlgorithm]) {
            $0.decryptionKeys = [Secret(KeyTexts.rsa)]
            $0.decryptionAlgorithm = "ECDH-ES"
        },
        Case("an algorithm without decryption keys", [\.decryptionAlgorithm]) { $0.decryptionAlgorithm = "ECDH-ES" },
        Case("an unknown algorithm of the decryption keys", [\.decryptionAlgorithm]) {
            $0.decryptionKeys = [Secret(KeyTexts.rsa)]
            $0.decryptionAlgorithm = "RSA-OAEP"
        },
        Case("an empty tenant", [\.tenants]) { $0.tenants = [""] },
        Case("a template as a tenant", [\.tenants]) { $0.tenants = ["{tenantid}"] },
        Case("a template without tenants", [\.tenants]) { $0.issuer = "https://issuer.example/{tenantid}" },
        Case("an empty audience", [\.trustedAudiences]) { $0.trustedAudiences = [""] },
        Case("a context with a space", [\.requiredACRValues]) { $0.requiredACRValues = ["a b"] },
        Case("claims that are not JSON", [\.claimsParameter]) { $0.claimsParameter = "{" },
        Case("claims that are not an object", [\.claimsParameter]) { $0.claimsParameter = "[]" },
        Case("claims of somewhere else", [\.claimsParameter]) { $0.claimsParameter = #"{"access_token":{}}"# },
        Case("claims whose members are not objects", [\.claimsParameter]) { $0.claimsParameter = #"{"id_token":1}"# },
        Case("claims", []) { $0.claimsParameter = #"{"id_token":{"acr":null},"userinfo":{}}"# },
        Case("a relative resource", [\.resources]) { $0.resources = ["/api"] },
        Case("a resource with a fragment", [\.resources]) { $0.resources = ["https://api.example/#x"] },
        Case("a scheme alone", [\.resources]) { $0.resources = ["urn:"] },
        Case("resources", []) { $0.resources = ["urn:example:api", "https://api.example"] },
        Case("a proxy without a port", [\.proxy]) { $0.proxy = Proxy(host: "proxy.example", port: 0) },
        Case("a proxy with too high a port", [\.proxy]) { $0.proxy = Proxy(host: "proxy.example", port: 65_536) },
        Case("a proxy that is a URL", [\.proxy]) { $0.proxy = Proxy(host: "http://proxy.example", port: 80) },
        Case("a proxy with a path", [\.proxy]) { $0.proxy = Proxy(host: "proxy.example/x", port: 80) },
        Case("a proxy without a host", [\.proxy]) { $0.proxy = Proxy(host: "", port: 80) },
        Case("proxies", []) { $0.proxy = Proxy(host: "::1", port: 65_535) },
        Case("a clock that is off by five minutes", [\.clockSkew]) { $0.clockSkew = .seconds(300) },
        Case("a clock that is off by less than nothing", [\.clockSkew]) { $0.clockSkew = .seconds(-1) },
        Case("the largest skew", []) { $0.clockSkew = .seconds(299) },
        Case("two errors", [\.scopes, \.proxy]) {
            $0.scopes = []
            $0.proxy = Proxy(host: "proxy.example", port: -1)
        },
    ]

    @Test(arguments: ErrorsTests.cases)
    func `an error is named`(error: Case) {
        var configuration = ProviderConfiguration(
            issuer: "https://issuer.example", clientID: "client", clientSecret: Secret("s3cret"),
            redirectURI: "https://app.example/cb")
        error.change(&configuration)
        let found = configuration.validate()
        #expect(found.map { $0.member as AnyKeyPath } == error.members.map { $0 as AnyKeyPath })
        for error in found {
            #expect(!error.expected.isEmpty)
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test func `a decryption key that signs only is named, with the kinds that are taken`() {
        var configuration = ProviderConfiguration(
            issuer: "https://issuer.example", clientID: "client", clientSecret: Secret("s3cret"),
            redirectURI: "https://app.example/cb")
        configuration.decryptionKeys = [Secret(KeyTexts.p256), Secret(KeyTexts.ed25519)]
        let expected =
            "PEM private keys, RSA of 2048 to 8192 bits, P-256, P-384, P-521 or X25519; the key is a key of Ed25519; a key "
            + "of P-256 or P-384 or P-521 or RSA or X25519 is needed"
        #expect(configuration.validate().map(\.expected) == [expected])
    }

    @Test func `an error has a code to match on, and says which member it is about`() throws {
        var configuration = ProviderConfiguration(
            issuer: "http://issuer.example", clientID: "client", clientSecret: nil,
            redirectURI: "https://app.example/cb")
        configuration.clientAuthentication = .clientSecretBasic
        configuration.clientSigningAlgorithm = "ES256"
        let found = configuration.validate()
        #expect(found.map(\.code) == [.invalid, .missing, .conflicting])
        #expect(found.map(\.code.description) == ["invalid", "missing", "conflicting"])
        #expect(try #require(found.first).description.contains("issuer: expected an https URL"))
    }

    @Test func `a certificate and its key go together`() throws {
        let first = try DevelopmentCertificate.make(hosts: ["client.example"])
        let second = try DevelopmentCertificate.make(hosts: ["client.example"])
        func errors(_ certificate: DevelopmentCertificate, _ key: DevelopmentCertificate) -> [AnyKeyPath] {
            var configuration = ProviderConfiguration(
                issuer: "https://issuer.example", clientID: "client", clientSecret: nil,
                redirectURI: "https://app.example/cb")
            configuration.clientAuthentication = .tlsClientAuth
            configuration.clientCertificate = ClientCertificate(
                certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(key.privateKeyPEM))
            return configuration.validate().map { $0.member as AnyKeyPath }
        }
        #expect(errors(first, first) == [])
        #expect(errors(first, second) == [\ProviderConfiguration.clientCertificate])
    }

    @Test func `a certificate's key that is encrypted is not asked for on a terminal`() throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["client.example"])
        var configuration = ProviderConfiguration(
            issuer: "https://issuer.example", clientID: "client", clientSecret: nil,
            redirectURI: "https://app.example/cb")
        configuration.clientCertificate = ClientCertificate(
            certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(KeyTexts.encrypted))
        #expect(configuration.validate().map { $0.member as AnyKeyPath } == [\ProviderConfiguration.clientCertificate])
    }
}
