// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The Accept field of each request to a provider names the types that are then taken (RFC 9110 section 12.5.1).
@Suite struct AcceptTests {
    private static let types = [
        "/.well-known/openid-configuration": ["application/json"],
        "/jwks": ["application/json", "application/jwk-set+json"],
        "/userinfo": ["application/json", "application/jwt"],
        "/token": ["application/json"], "/par": ["application/json"], "/revoke": ["application/json"],
    ]

    /// A session with a provider that refuses a request which does not name the type of its response.
    private static func session(
        _ provider: TestProvider, types: [String: String] = [:]
    ) throws -> UnpluggedSession {
        let picky = try TestProvider { request in
            let type = types[request.url.path] ?? "application/json"
            guard request.accept.split(separator: ",").contains(where: { $0.drop { $0 == " " } == type }) else {
                return .success(.empty(status: 406))
            }
            do {
                var response = try provider.execute(request, on: EmbeddedEventLoop()).wait()
                if types[request.url.path] != nil { response.contentType = type }
                return .success(response)
            } catch {
                return .failure(.unreachable)
            }
        }
        return UnpluggedSession(picky) {
            $0.userInfo = true
            $0.pushedAuthorization = true
        }
    }

    private static func signIn(_ session: UnpluggedSession, at provider: TestProvider) throws -> VerifiedSignIn {
        let (url, pending) = try session.begin()
        return try session.complete(try provider.answer(to: url), pending)
    }

    @Test func `each request names its types, and no wildcard`() throws {
        let provider = try TestProvider()
        let session = try Self.session(provider)
        let signIn = try Self.signIn(session, at: provider)
        _ = try session.party.refresh(
            Secret("a-refresh-token"), issuer: signIn.issuer, subject: signIn.subject, on: session.loop
        ).wait()
        try session.party.revoke(Secret("a-refresh-token"), on: session.loop).wait()
        #expect(Set(provider.paths) == Set(Self.types.keys))
        for request in provider.requests {
            #expect(request.accept == Self.types[request.url.path]?.joined(separator: ", "), "\(request)")
        }
    }

    @Test func `a key set of its registered type alone is fetched`() throws {
        let provider = try TestProvider()
        let session = try Self.session(provider, types: ["/jwks": "application/jwk-set+json"])
        #expect(try Self.signIn(session, at: provider).subject == "person-ada")
        let keys = RemoteKeySet(
            url: try #require(AbsoluteURL("https://issuer.example/jwks")), transport: session.provider,
            elapsed: provider.clock.elapsed)
        #expect(try keys.fetchOnce(on: EmbeddedEventLoop()).wait().keys.count == 1)
    }

    @Test func `signed UserInfo alone is fetched`() throws {
        let provider = try TestProvider()
        provider.behave {
            $0.signsUserInfo = true
            $0.metadata["userinfo_signing_alg_values_supported"] = ["ES256"]
        }
        let session = try Self.session(provider, types: ["/userinfo": "application/jwt"])
        #expect(try Self.signIn(session, at: provider).claims.string("email") == "ada@example.com")
    }
}

extension ProviderTransportTests {
    @Test(arguments: TransportKind.allCases)
    func `the Accept field is that of the request, on a connection that is used again too`(kind: TransportKind)
        async throws
    {
        let types = ["application/json, application/jwk-set+json", "application/json", "application/jwt"]
        try await ScriptedServer.run({ _ in .send([TestRequest.response("")]) }) { server in
            try await withTransport(kind) { transport in
                for accept in types {
                    var request = try TestRequest.make(server.url + "/jwks")
                    request.accept = accept
                    _ = try await transport.execute(request, on: TestRequest.loop).get()
                }
            }
            #expect(server.requests.map { $0.header("accept") } == types.map { [$0] })
        }
    }
}
