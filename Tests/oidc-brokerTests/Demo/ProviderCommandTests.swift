// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AsyncHTTPClient
import Foundation
import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import oidc_broker_demo

/// The development provider as the command line describes it.
@Suite(.onSockets) struct ProviderCommandTests {
    private static let arguments = ["--port", "0", "--redirect-uri", "https://broker.example/__/auth/handler"]
    private static let app = "com.example.app"

    @Test func `a native app gets an ID token for itself, with the nonce as it was sent`() async throws {
        let command = try ProviderCommand.parse(Self.arguments + ["--native-client", Self.app, "--automatic"])
        var configuration = command.providerConfiguration
        // Its code stays valid, however long the test has to wait between its steps.
        configuration.clock = TestClock()
        let provider = try await OpenIDProvider.start(configuration, on: MultiThreadedEventLoopGroup.singleton)
        let claims: Result<JSONObject, any Error>
        do {
            claims = .success(try await Self.signIn(at: provider))
        } catch {
            claims = .failure(error)
        }
        try await provider.shutdown()
        let received = try claims.get()
        #expect(received["aud"] == .string(Self.app))
        #expect(received["nonce"] == "nonce-of-the-app")
        #expect(received["email"] == "ada@example.com")
    }

    @Test func `with --automatic a browser that signed in gets a code by prompt=none, and no other one does`()
        async throws
    {
        let command = try ProviderCommand.parse(Self.arguments + ["--native-client", Self.app, "--automatic"])
        let clock = TestClock()
        var configuration = command.providerConfiguration
        configuration.clock = clock
        let provider = try await OpenIDProvider.start(configuration, on: MultiThreadedEventLoopGroup.singleton)
        let ends: Result<[String], any Error>
        do {
            let first = try await Self.authorize(at: provider)
            let cookie = try #require(first.headers.first(name: "set-cookie"))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
            let session = "other=x; " + cookie.prefix { $0 != ";" }
            clock.advance(by: 3599)
            var found: [String] = []
            for (cookie, maximumAge) in [(nil, nil), (session, nil), (session, "3599"), (session, "3598")]
                as [(String?, String?)]
            {
                let response = try await Self.authorize(
                    at: provider, [("prompt", "none")] + (maximumAge.map { [("max_age", $0)] } ?? []), cookie: cookie)
                found.append(response.headers.first(name: "location") ?? "")
            }
            clock.advance(by: 1)
            let late = try await Self.authorize(at: provider, [("prompt", "none")], cookie: session)
            ends = .success(found + [late.headers.first(name: "location") ?? ""])
        } catch {
            ends = .failure(error)
        }
        try await provider.shutdown()
        #expect(try ends.get().map { $0.contains("?code=") } == [false, true, true, false, false])
        #expect(try ends.get().filter { $0.contains("error=login_required") }.count == 3)
    }

    @Test func `without --automatic no session is kept`() throws {
        #expect(try !ProviderCommand.parse(Self.arguments).providerConfiguration.keepsSessions)
    }

    /// Sends an authorization request of the native app.
    private static func authorize(
        at provider: OpenIDProvider, _ more: [(String, String)] = [], cookie: String? = nil
    ) async throws -> HTTPClientResponse {
        let query = FormURLEncoding.encode(
            [
                ("client_id", app), ("redirect_uri", app + ":/callback"), ("response_type", "code"),
                ("scope", "openid"),
                ("code_challenge", CodeVerifier(bytes: SecureRandom.bytes(32)).challenge),
                ("code_challenge_method", "S256"),
            ] + more)
        var request = HTTPClientRequest(url: "\(provider.issuer)/authorize?\(query)")
        if let cookie { request.headers.add(name: "cookie", value: cookie) }
        return try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    }

    @Test func `without the option there is the broker alone`() throws {
        #expect(try ProviderCommand.parse(Self.arguments).providerConfiguration.clients.map(\.id) == ["broker"])
    }

    @Test(arguments: ["app", "com.example.", ".example", "com..app", "Com.example", "9.example", "com.a b", ""])
    func `an ID that is no domain name in reverse is refused`(id: String) {
        #expect(throws: (any Error).self) { try ProviderCommand.parse(Self.arguments + ["--native-client", id]) }
    }

    @Test func `the broker's ID is no native app's`() {
        let both = ["--client-id", Self.app, "--native-client", Self.app]
        #expect(throws: (any Error).self) { try ProviderCommand.parse(Self.arguments + both) }
    }

    /// Signs the first user in with PKCE and no secret, and returns the claims of the ID token.
    private static func signIn(at provider: OpenIDProvider) async throws -> JSONObject {
        let verifier = CodeVerifier(bytes: SecureRandom.bytes(32))
        let query = FormURLEncoding.encode([
            ("client_id", app), ("redirect_uri", app + ":/callback"), ("response_type", "code"),
            ("scope", "openid email"), ("nonce", "nonce-of-the-app"), ("code_challenge", verifier.challenge),
            ("code_challenge_method", "S256"),
        ])
        let authorization = HTTPClientRequest(url: "\(provider.issuer)/authorize?\(query)")
        // A redirect to another scheme than http is not followed.
        let redirect = try await HTTPClient.shared.execute(authorization, timeout: .seconds(60))
        let location = try #require(redirect.headers.first(name: "location"))
        #expect(location.hasPrefix(app + ":/callback?"))
        let code = try #require(URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value)
        var exchange = HTTPClientRequest(url: "\(provider.issuer)/token")
        exchange.method = .POST
        exchange.headers = ["content-type": "application/x-www-form-urlencoded"]
        let form = FormURLEncoding.encode([
            ("grant_type", "authorization_code"), ("client_id", app), ("redirect_uri", app + ":/callback"),
            ("code", code), ("code_verifier", verifier.value),
        ])
        exchange.body = .bytes(ByteBuffer(string: form))
        let response = try await HTTPClient.shared.execute(exchange, timeout: .seconds(60))
        let body = Array(try await response.body.collect(upTo: 65_536).readableBytesView)
        let members = try JSONParser.object(body, limits: JSONLimits(maximumBytes: 65_536))
        let token = try #require(members["id_token"]?.text?.makeString())
        let payload = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try JSONParser.object(payload, limits: JSONLimits(maximumBytes: 65_536))
    }
}
