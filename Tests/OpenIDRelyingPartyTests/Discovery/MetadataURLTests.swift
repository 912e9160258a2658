// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A provider that this server reaches elsewhere than browsers do.
@Suite struct MetadataURLTests {
    private static let issuer = "https://sso.example/realms/a"
    private static let plain = "http://keycloak:8080"
    private static let metadataURL = plain + "/realms/a/.well-known/openid-configuration"

    private static func document(_ changes: [String: String] = [:], base: String = plain) -> [UInt8] {
        var document: JSONObject = [
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/keys"),
        ]
        for (name, value) in changes { document[name] = .string(value) }
        return document.serialized()
    }

    private static func party(
        _ transport: TestProvider, url: String = metadataURL, network: MetadataNetwork = .trusted,
        secret: Secret? = Secret("secret"), insecureLoopbackIssuer: Bool = false
    ) -> RelyingParty {
        var configuration = ProviderConfiguration(
            issuer: issuer, clientID: "client", clientSecret: secret, redirectURI: "https://app.example/cb")
        configuration.metadataURL = url
        configuration.metadataNetwork = network
        configuration.insecureLoopbackIssuer = insecureLoopbackIssuer
        let clock = TestClock()
        return RelyingParty(configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed)
    }

    /// A provider that gives its metadata, and is gone then.
    private static func provider(_ document: [UInt8]) throws -> TestProvider {
        try TestProvider { request in
            request.url.path.hasSuffix("/openid-configuration")
                ? .success(
                    ProviderResponse(
                        status: 200, contentType: "application/json", body: ByteBuffer(bytes: document)))
                : .failure(.unreachable)
        }
    }

    private static func complete(_ party: RelyingParty) throws -> RelyingPartyError? {
        let loop = EmbeddedEventLoop()
        let pending = try party.begin(on: loop).wait().pending
        return #expect(throws: RelyingPartyError.self) {
            try party.complete(authorizationResponse: "code=c&state=\(pending.state)", pending: pending, on: loop)
                .wait()
        }
    }

    @Test func `browsers go to the issuer, and this server to the configured host, at a private address`() throws {
        let transport = try Self.provider(Self.document())
        let party = Self.party(transport, network: .trustedWithSecret)
        let url = try party.begin(on: EmbeddedEventLoop()).wait().url
        #expect(url.hasPrefix("https://sso.example/realms/a/authorize?"))
        let error = try Self.complete(party)
        #expect(error?.step == .token)
        #expect(transport.requests.map(\.url.text) == [Self.metadataURL, Self.plain + "/token"])
        #expect(transport.requests.map(\.trust.addresses) == [.privateOnly, .privateOnly])
    }

    @Test func `metadata that came over http send the secret to no other host, over https either`() throws {
        for (endpoint, requests) in [("https://elsewhere.example/token", 1), ("https://sso.example/token", 2)] {
            let transport = try Self.provider(Self.document(["token_endpoint": endpoint]))
            let error = try Self.complete(Self.party(transport))
            #expect(error?.step == .token)
            #expect(transport.requests.count == requests)
        }
    }

    @Test func `over http the secret needs a second value`() throws {
        let transport = try Self.provider(Self.document())
        let error = try Self.complete(Self.party(transport))
        #expect(error?.step == .token)
        #expect(error?.description.contains("trusted-with-secret") == true)
        #expect(transport.requests.count == 1)
    }

    @Test func `over https any address of this host is fine, and elsewhere public ones alone`() throws {
        let base = "https://keycloak.svc:8443"
        let elsewhere = ["token_endpoint": "https://sso.example/token"]
        for (document, expected) in [
            (Self.document(base: base), ProviderTrust.Addresses.any),
            (Self.document(elsewhere, base: base), .publicOnly),
        ] {
            let transport = try Self.provider(document)
            let url = base + "/.well-known/openid-configuration"
            _ = try Self.complete(Self.party(transport, url: url, network: .encrypted))
            #expect(transport.requests.map(\.trust.addresses) == [.any, expected])
        }
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            ["token_endpoint": "http://keycloak:8081/token"], ["jwks_uri": "http://other:8080/keys"],
            ["token_endpoint": "http://keycloak/token"], ["jwks_uri": "https://keycloak:8080/keys"],
            ["token_endpoint": "https://10.0.0.1/token"],
            ["jwks_uri": "https://169.254.169.254/keys"], ["issuer": "http://keycloak:8080/realms/a"],
            ["issuer": "https://evil.example"],
            // Browsers go there.
            ["authorization_endpoint": "http://keycloak:8080/authorize"],
        ] as [[String: String]])
    func `the metadata open nothing else`(changes: [String: String]) throws {
        let transport = try Self.provider(Self.document(changes))
        let error = #expect(throws: RelyingPartyError.self) {
            try Self.party(transport).begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(error?.step == .discovery)
        #expect(transport.requests.count == 1)
    }

    @Test(.attack(.hostileDiscovery)) func `neither do they for UserInfo`() throws {
        let transport = try Self.provider(Self.document(["userinfo_endpoint": "http://sso.example/userinfo"]))
        let error = #expect(throws: RelyingPartyError.self) {
            try Self.party(transport).userInfo(
                accessToken: Secret("a"), subject: "s", on: EmbeddedEventLoop()
            ).wait()
        }
        #expect(error?.step == .userInfo)
        #expect(transport.requests.count == 1)
    }

    @Test func `browsers go to http on this machine where insecure-loopback-issuer says so, and only then`() throws {
        let authorize = "http://127.0.0.1:8081/authorize"
        let transport = try Self.provider(Self.document(["authorization_endpoint": authorize]))
        let party = Self.party(transport, insecureLoopbackIssuer: true)
        #expect(try party.begin(on: EmbeddedEventLoop()).wait().url.hasPrefix(authorize + "?"))
        let error = #expect(throws: RelyingPartyError.self) {
            try Self.party(transport).begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(error?.step == .discovery)
    }

    @Test func `an address that the trust refuses is not tried with another`() throws {
        let transport = try TestProvider { _ in .failure(.addressRefused) }
        #expect(throws: RelyingPartyError.transport(.discovery, .addressRefused)) {
            try Self.party(transport).begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(transport.requests.count == 1)
    }

    @Test(
        arguments: [
            ("http://keycloak:8080/m", MetadataNetwork.trusted, true),
            ("http://keycloak:8080/m", .trustedWithSecret, true), ("http://keycloak:8080/m", .encrypted, false),
            ("https://keycloak.svc/m", .encrypted, true), ("https://keycloak.svc/m", .trusted, false),
            ("https://169.254.169.254/m", .encrypted, false), ("http://[fe80::1]/m", .trusted, false),
            ("keycloak:8080", .trusted, false), ("", .encrypted, false), (nil, .encrypted, true),
            (nil, .trusted, false),
        ] as [(String?, MetadataNetwork, Bool)])
    func `http is said twice, and link-local is never taken`(
        url: String?, network: MetadataNetwork, isValid: Bool
    ) throws {
        var configuration = ProviderConfiguration(
            issuer: Self.issuer, clientID: "client", clientSecret: Secret("s"), redirectURI: "https://app.example/cb")
        configuration.metadataURL = url
        configuration.metadataNetwork = network
        #expect(configuration.validate().isEmpty == isValid)
    }
}
