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

    /// Signs the first person in with PKCE and no secret, and returns the claims of the ID token.
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
