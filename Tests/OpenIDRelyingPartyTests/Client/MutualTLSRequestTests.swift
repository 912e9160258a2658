// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// `tls_client_auth` and `self_signed_tls_client_auth` (RFC 8705), up to the transport.
@Suite struct MutualTLSRequestTests {
    private static func certificate() throws -> ClientCertificate {
        let made = try DevelopmentCertificate.make(hosts: ["client.example"])
        return ClientCertificate(
            certificateChain: Array(made.certificatePEM.utf8), privateKey: Secret(made.privateKeyPEM))
    }

    private static func provider(_ methods: [String], aliases: JSONObject?) throws -> TestProvider {
        let provider = try TestProvider()
        provider.behave { behavior in
            behavior.metadata["token_endpoint_auth_methods_supported"] = .array(methods.map { .string($0) })
            if let aliases { behavior.metadata["mtls_endpoint_aliases"] = .object(aliases) }
        }
        return provider
    }

    private static let aliases: JSONObject = [
        "token_endpoint": "https://mtls.issuer.example/mtls/token",
        "userinfo_endpoint": "https://mtls.issuer.example/mtls/userinfo",
    ]

    @Test(arguments: ["tls_client_auth", "self_signed_tls_client_auth"])
    func `the aliases are used, the certificate is shown there alone, and the form names the client`(
        method: String
    ) throws {
        let provider = try Self.provider(["client_secret_basic", method], aliases: Self.aliases)
        let certificate = try Self.certificate()
        let session = UnpluggedSession(provider) { configuration in
            configuration.clientCertificate = certificate
            configuration.userInfo = true
        }
        #expect(session.party.configuration.validate().isEmpty)
        try session.signIn()
        #expect(
            provider.requests.map(\.url.text) == [
                "https://issuer.example/.well-known/openid-configuration", "https://mtls.issuer.example/mtls/token",
                "https://issuer.example/jwks", "https://mtls.issuer.example/mtls/userinfo",
            ])
        #expect(
            provider.requests.map { $0.trust.clientCertificate } == [nil, certificate, nil, certificate])
        let form = try provider.form("/mtls/token")
        #expect(form.texts.filter { $0.name == "client_id" }.map(\.value) == ["client"])
        #expect(!form.contains("client_secret"))
        #expect(provider.requests[1].authorization == nil)
    }

    @Test func `without aliases the certificate is shown at the endpoints themselves`() throws {
        let provider = try Self.provider(["tls_client_auth"], aliases: nil)
        let certificate = try Self.certificate()
        let session = UnpluggedSession(provider) { configuration in
            configuration.clientCertificate = certificate
            configuration.clientSecret = nil
            configuration.pushedAuthorization = true
        }
        try session.signIn()
        try session.party.revoke(Secret("r"), on: session.loop).wait()
        let shown = provider.requests.filter { $0.trust.clientCertificate != nil }.map(\.url.path)
        #expect(shown == ["/par", "/token", "/revoke"])
    }

    @Test func `a client that authenticates otherwise does not use the aliases`() throws {
        let provider = try Self.provider(["client_secret_basic", "tls_client_auth"], aliases: Self.aliases)
        let certificate = try Self.certificate()
        let session = UnpluggedSession(provider) { configuration in
            configuration.clientAuthentication = .clientSecretBasic
            configuration.clientCertificate = certificate
        }
        try session.signIn()
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token", "/jwks"])
        #expect(provider.requests.allSatisfy { $0.trust.clientCertificate == nil })
    }

    @Test(arguments: [true, false])
    func `a client that authenticates otherwise shows its certificate where access tokens are bound to it`(
        isAnnounced: Bool
    ) throws {
        let provider = try Self.provider(["client_secret_basic", "tls_client_auth"], aliases: Self.aliases)
        if isAnnounced { provider.behave { $0.metadata["tls_client_certificate_bound_access_tokens"] = true } }
        let certificate = try Self.certificate()
        let session = UnpluggedSession(provider) { configuration in
            configuration.clientAuthentication = .clientSecretBasic
            configuration.clientCertificate = certificate
            configuration.certificateBoundAccessTokens = !isAnnounced
            configuration.userInfo = true
            configuration.pushedAuthorization = true
        }
        #expect(session.party.configuration.validate().isEmpty)
        let signIn = try session.signIn()
        try session.party.revoke(Secret("r"), on: session.loop).wait()
        let shown = provider.requests.filter { $0.trust.clientCertificate != nil }
        #expect(shown.map(\.url.path) == ["/par", "/mtls/token", "/mtls/userinfo", "/revoke"])
        #expect(shown.map { $0.authorization?.hasPrefix("Basic ") } == [true, true, false, true])
        // A caller without the broker has the certificate as well.
        #expect(signIn.accessToken != nil)
    }

    /// A provider inside a company's network.
    private struct PrivateNetwork: ProviderTransport {
        let provider: TestProvider

        func execute(
            _ request: ProviderRequest, on eventLoop: any EventLoop
        ) -> EventLoopFuture<ProviderResponse> {
            request.trust.addresses != .publicOnly
                ? provider.execute(request, on: eventLoop)
                : eventLoop.makeFailedFuture(ProviderTransportError.addressRefused)
        }
    }

    @Test func `where the issuer's address is private the endpoints for clients with a certificate may be too`() throws
    {
        let provider = try Self.provider(["tls_client_auth"], aliases: Self.aliases)
        let certificate = try Self.certificate()
        var configuration = ProviderConfiguration(
            issuer: TestProvider.fixedIssuer, clientID: "client", clientSecret: nil,
            redirectURI: "https://app.example/cb")
        configuration.clientCertificate = certificate
        let party = RelyingParty(
            configuration: configuration, transport: PrivateNetwork(provider: provider), clock: provider.clock)
        let loop = EmbeddedEventLoop()
        let start = try party.begin(on: loop).wait()
        let (url, pending) = (start.url, start.pending)
        let signIn = try party.complete(authorizationResponse: try provider.answer(to: url), pending: pending, on: loop)
            .wait()
        #expect(signIn.subject == "person-ada")
        #expect(provider.paths == ["/.well-known/openid-configuration", "/mtls/token", "/jwks"])
    }

    @Test func `trusts with and without a certificate, and with different ones, are different`() throws {
        let first = try Self.certificate()
        let second = try Self.certificate()
        func trust(_ certificate: ClientCertificate?, _ proxy: Proxy? = nil) -> ProviderTrust {
            ProviderTrust(
                certificateAuthorities: nil, addresses: .any, clientCertificate: certificate, proxy: proxy)
        }
        let trusts: Set = [
            trust(nil), trust(first), trust(second), trust(first, Proxy(host: "proxy.example", port: 8080)),
            trust(first), trust(nil, Proxy(host: "proxy.example", port: 8080)),
            trust(nil, Proxy(host: "proxy.example", port: 8081)),
        ]
        #expect(trusts.count == 6)
        #expect(trust(first).clientCertificate == first)
        #expect(trust(nil, Proxy(host: "proxy.example", port: 8080)).proxy?.description == "proxy.example:8080")
    }

    @Test(.attack(.secretsInLogs)) func `the private key is not printed`() throws {
        let certificate = try Self.certificate()
        let key = certificate.privateKey.exposed.split(separator: "\n")[1]
        let trust = ProviderTrust(certificateAuthorities: nil, addresses: .any, clientCertificate: certificate)
        for text in ["\(certificate)", String(reflecting: certificate), "\(trust)", String(reflecting: trust)] {
            #expect(!text.contains(key))
        }
    }
}
