// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What a provider may publish of itself, and what it may not.
@Suite struct DiscoveryTests {
    private static let path = "/.well-known/openid-configuration"

    /// The error a sign-in begins with.
    private static func refusal(_ provider: TestProvider) -> RelyingPartyError? {
        do {
            _ = try UnpluggedSession(provider).begin()
            return nil
        } catch {
            return error as? RelyingPartyError
        }
    }

    /// The error of what uses an endpoint: a sign-in, UserInfo, a revocation or a pushed request.
    private static func refusal(_ provider: TestProvider, using member: String) -> RelyingPartyError? {
        let session = UnpluggedSession(provider)
        do {
            switch member {
            case "userinfo_endpoint":
                _ = try session.party.userInfo(accessToken: Secret("a"), subject: "s", on: session.loop).wait()
            case "revocation_endpoint": try session.party.revoke(Secret("a"), on: session.loop).wait()
            case "pushed_authorization_request_endpoint":
                provider.behave { $0.metadata["require_pushed_authorization_requests"] = true }
                _ = try session.begin()
            default: _ = try session.begin()
            }
            return nil
        } catch {
            return error as? RelyingPartyError
        }
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "issuer",
        ])
    func `a required member that is missing is named`(member: String) throws {
        for value in [.null, "", 1, [], "not a URL"] as [JSONValue] {
            let provider = try TestProvider()
            provider.behave { $0.metadata[member] = value }
            let error = Self.refusal(provider)
            #expect(error?.step == .discovery)
            #expect(error?.isTemporary == false)
            #expect(provider.paths == [Self.path])
        }
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
            "pushed_authorization_request_endpoint",
        ])
    func `an endpoint on http is refused`(member: String) throws {
        for url in ["http://issuer.example/x", "http://127.0.0.1/x", "ftp://issuer.example/x"] {
            let provider = try TestProvider()
            provider.behave { $0.metadata[member] = .string(url) }
            let error = Self.refusal(provider, using: member)
            #expect(error?.isTemporary == false)
            #expect(error?.description.contains(member) == true)
            #expect(provider.paths == [Self.path])
        }
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
            "pushed_authorization_request_endpoint",
        ],
        [
            "https://169.254.169.254/x", "https://[fe80::1]/x", "https://localhost/x", "https://127.0.0.1/x",
            "https://10.0.0.1:8443/x", "https://[::1]/x", "https://[::ffff:169.254.169.254]/x",
            "https://idp.internal/x",
            "https://intranet/x", "https://localhost./x", "https://127.0.0.1./x", "https://2130706433/x",
            "https://127.1/x", "https://0x7f.0.0.1/x", "https://0251.0376.0251.0376/x",
        ])
    func `a public issuer has no endpoint on a private host`(member: String, url: String) throws {
        let provider = try TestProvider()
        provider.behave { $0.metadata[member] = .string(url) }
        let error = Self.refusal(provider, using: member)
        #expect(error?.isTemporary == false)
        #expect(error?.description.contains(member) == true)
        #expect(provider.paths == [Self.path])
    }

    @Test(.attack(.hostileDiscovery)) func `neither has an endpoint for clients with a certificate`() throws {
        let provider = try TestProvider()
        provider.behave {
            $0.metadata["mtls_endpoint_aliases"] = ["token_endpoint": "https://10.0.0.1/token"]
            $0.metadata["token_endpoint_auth_methods_supported"] = ["tls_client_auth"]
        }
        let made = try DevelopmentCertificate.make(hosts: ["client.example"])
        let session = UnpluggedSession(provider) {
            $0.clientCertificate = ClientCertificate(
                certificateChain: Array(made.certificatePEM.utf8), privateKey: Secret(made.privateKeyPEM))
        }
        let error = #expect(throws: RelyingPartyError.self) { try session.begin() }
        #expect(error?.description.contains("'mtls_endpoint_aliases.token_endpoint'") == true)
        #expect(provider.paths == [Self.path])
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            ("https://10.0.0.1/x", true), ("https://localhost/x", true), ("https://169.254.169.254/x", false),
        ])
    func `a private issuer's endpoints may be private, and link-local nowhere`(url: String, isAccepted: Bool) throws {
        let provider = try TestProvider(issuer: "https://10.0.0.2")
        provider.behave { $0.metadata["jwks_uri"] = .string(url) }
        #expect((Self.refusal(provider) == nil) == isAccepted)
        #expect(provider.requests.allSatisfy { $0.trust.addresses == .any })
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            "https://issuer.example/", "https://issuer.exampleINVALID", "https://Issuer.example", "https://x",
        ])
    func `another issuer's document is refused`(issuer: String) throws {
        let provider = try TestProvider()
        provider.behave { $0.metadata["issuer"] = .string(issuer) }
        #expect(Self.refusal(provider)?.step == .discovery)
        #expect(provider.paths == [Self.path])
    }

    @Test(
        .attack(.hostileDiscovery, .wrongMediaType),
        arguments: [
            ("application/json", true), ("application/json; charset=utf-8", true),
            ("application/json;charset=UTF-8", true),
            ("application/jwk-set+json", true), ("text/plain", true), ("application/octet-stream", true), (nil, true),
            ("text/html", false), ("text/html; charset=utf-8", false), ("TEXT/HTML;x", false),
            ("application/xhtml+xml", false),
        ] as [(String?, Bool)])
    func `a document does not call itself a page`(type: String?, isAccepted: Bool) throws {
        let provider = try TestProvider()
        provider.answer("/jwks", Self.keySet(provider), type: type)
        let error = try UnpluggedSession(provider).refusal()
        #expect((error == nil) == isAccepted)
        if !isAccepted { #expect(error?.step == .keySet) }

        let other = try TestProvider()
        let document = String(decoding: discoveryDocument(TestProvider.fixedIssuer), as: UTF8.self)
        other.answer(Self.path, document, type: type)
        #expect((Self.refusal(other) == nil) == isAccepted)
    }

    @Test(.attack(.hostileDiscovery)) func `200 with a page is refused, and said`() throws {
        let provider = try TestProvider()
        provider.answer(Self.path, "<!doctype html><title>Sign in to the network</title>", type: "text/html")
        #expect(
            Self.refusal(provider)?.description
                == "discovery: the response is a page, not a document "
                + "('https://issuer.example/.well-known/openid-configuration')")
    }

    @Test(.attack(.wrongMediaType)) func `a byte order mark and another encoding than UTF-8 are refused`() throws {
        let document = String(decoding: discoveryDocument(TestProvider.fixedIssuer), as: UTF8.self)
        let latin1 = Array(document.dropLast().utf8) + Array(#","x":"caf"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        for body in [[0xEF, 0xBB, 0xBF] + Array(document.utf8), latin1, [0xFF, 0xFE] + Array(document.utf8)] {
            let provider = try TestProvider()
            let response = ProviderResponse(
                status: 200, contentType: "application/json; charset=iso-8859-1", body: ByteBuffer(bytes: body))
            provider.behave { $0.responses[Self.path] = .success(response) }
            #expect(Self.refusal(provider)?.step == .discovery)
        }
        // What an encoding is called does not matter where the bytes are right.
        let provider = try TestProvider()
        provider.answer(Self.path, document, type: "application/json; charset=iso-8859-1")
        #expect(Self.refusal(provider) == nil)
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: ["", "{}", "[]", "null", #"{"issuer":"https://issuer.example"#, "a text", "{} {}"])
    func `a body that is not a document is refused`(body: String) throws {
        let provider = try TestProvider()
        provider.answer(Self.path, body)
        #expect(Self.refusal(provider)?.step == .discovery)
    }

    @Test(.attack(.hostileDiscovery)) func `a duplicate member is refused`() throws {
        let provider = try TestProvider()
        let document = String(decoding: discoveryDocument(TestProvider.fixedIssuer), as: UTF8.self)
        provider.answer(Self.path, #"{"issuer":"https://evil.example","# + document.dropFirst())
        #expect(Self.refusal(provider)?.step == .discovery)
    }

    @Test func `the metadata are fetched as long as their Cache-Control says`() throws {
        let provider = try TestProvider()
        let document = String(decoding: discoveryDocument(TestProvider.fixedIssuer), as: UTF8.self)
        let response = ProviderResponse(
            status: 200, contentType: "application/json", body: ByteBuffer(string: document),
            cacheControl: "public, max-age=100")
        provider.behave { $0.responses[Self.path] = .success(response) }
        let session = UnpluggedSession(provider)
        for (advance, count) in [(0, 1), (79, 1), (1, 2), (79, 2), (1, 3), (100, 4)] as [(Int64, Int)] {
            provider.clock.advance(by: advance)
            _ = try session.begin()
            #expect(provider.requests.count == count)
        }
    }

    @Test(arguments: [
        #"{"keys":{}}"#, "{}", "[]", "", #"{"keys":[], "keys":[]}"#, "<html>",
    ])
    func `a key set that is none is a failure of the step`(body: String) throws {
        let provider = try TestProvider()
        provider.answer("/jwks", body)
        let error = try UnpluggedSession(provider).refusal()
        #expect(error?.step == .keySet)
        #expect(error?.isTemporary == false)
    }

    private static func keySet(_ provider: TestProvider) -> String {
        let keys: JSONObject = ["keys": [.object(provider.key.publicJWK)]]
        return String(decoding: keys.serialized(), as: UTF8.self)
    }
}
