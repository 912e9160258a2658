// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// Which servers are called, and how.
struct AccountServerTests {
    private func server(_ url: String, apiKey: String = StubbedClient.apiKey) throws -> AccountServer {
        try AccountServer(
            url: try #require(URL(string: url)), apiKey: apiKey, bundleID: "com.example.shop", exchange: StubExchange())
    }

    @Test(arguments: [
        "https://auth.example.com", "https://auth.example.com/", "HTTPS://auth.example.com:8443",
        "http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080/",
    ])
    func `https, and http on this machine`(url: String) {
        #expect(throws: Never.self) { try server(url) }
    }

    @Test(arguments: [
        "http://auth.example.com", "http://localhost.example.com", "http://127.0.0.1.example.com",
        "http://192.0.2.1", "https://auth.example.com/path", "https://auth.example.com/?a=b",
        "https://auth.example.com/#a", "https://user@auth.example.com", "https://user:password@auth.example.com",
        "ftp://auth.example.com", "file:///auth", "auth.example.com",
    ])
    func `nothing else`(url: String) throws {
        let error = #expect(throws: AccountsError.self) { try server(url) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [
        "", "short-1", "a key with spaces", "key&other=1", "schlüssel-1", String(repeating: "k", count: 129),
    ])
    func `a key that no app can have`(key: String) {
        let error = #expect(throws: AccountsError.self) { try server(StubbedClient.url, apiKey: key) }
        #expect(error?.code == .invalidAPIKey)
    }

    @Test func `the public initializer refuses the same`() throws {
        let url = try #require(URL(string: "http://auth.example.com"))
        #expect(throws: AccountsError.self) {
            try AccountClient(server: url, apiKey: StubbedClient.apiKey, storage: InMemorySessionStorage())
        }
    }

    @Test func `a request has the key, JSON and the bundle ID, and no cookies`() async throws {
        let exchange = StubExchange()
        let server = try AccountServer(
            url: try #require(URL(string: "https://auth.example.com/")), apiKey: "ios-4f1c0000",
            bundleID: "com.example.shop", exchange: exchange)
        await exchange.answer(.revokeToken, .json(200, "{}"))
        let _: EmptyResponse = try await server.call(.revokeToken, RevokeTokenRequest(token: "code", idToken: "token"))
        let received = await exchange.received
        let request = try #require(received.first)
        #expect(request.method == "POST" && request.query == "key=ios-4f1c0000")
        #expect(request.fields["Content-Type"] == "application/json")
        #expect(request.fields["X-Ios-Bundle-Identifier"] == "com.example.shop")
        #expect(
            request.body == [
                "providerId": .string("apple.com"), "tokenType": .string("CODE"), "token": .string("code"),
                "idToken": .string("token"),
            ])
    }

    @Test func `a sign-in asks for the credential where it is in use, and a re-authentication for no account`()
        async throws
    {
        let exchange = StubExchange()
        let server = try AccountServer(
            url: try #require(URL(string: StubbedClient.url)), apiKey: StubbedClient.apiKey, bundleID: nil,
            exchange: exchange)
        await exchange.answer(.signIn, .signedIn(), .signedIn(), .signedIn())
        let credential = Credential.openID(providerID: "oidc.acme", idToken: "a.b.c")
        for request in [
            SignInRequest(credential), SignInRequest(credential, mayCreate: false),
            SignInRequest(credential, linkingTo: "session"),
        ] {
            let _: SignInResponse = try await server.call(.signIn, request)
        }
        let bodies = await exchange.received.map(\.body)
        #expect(bodies.allSatisfy { $0["returnIdpCredential"] == .bool(true) })
        #expect(bodies.allSatisfy { $0["requestUri"] == .string("http://localhost") })
        #expect(bodies.map { $0["autoCreate"] } == [nil, .bool(false), nil])
        #expect(bodies.map { $0["idToken"] } == [nil, nil, .string("session")])
        #expect(bodies[0]["pendingToken"] == nil)
    }
}
