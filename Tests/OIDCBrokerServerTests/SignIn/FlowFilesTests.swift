// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Foundation
import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A sign-in over real sockets up to its callback, and the callback: RS256, the store in memory.
///
/// `.ci/flow-files` runs each of these tests alone, with coverage. The lines that run more often in the second one are
/// those of the callback. So both do the same before it, and nothing but the broker computes anything after that: the
/// provider's responses are written beforehand, and the browser only sends and receives.
@Suite(.timeLimit(.minutes(10))) struct FlowFilesTests {
    @Test func `a sign-in that stops before its callback has exchanged no code`() async throws {
        try await Self.run { scene in
            #expect(scene.provider.asked.contains("GET /.well-known/openid-configuration"))
            #expect(!scene.provider.asked.contains("POST /token"))
        }
    }

    @Test func `a sign-in that goes on to its callback has exchanged one code and is sent to the app`() async throws {
        try await Self.run { scene in
            let page = try await scene.browser.open(scene.callback)
            let response = try AppResponse(page, app: .publicApp)
            #expect(response.code != nil && response.error == nil)
            #expect(response.state == scene.attempt.state)
            #expect(response.issuer == scene.server.issuer)
            #expect(scene.provider.asked.filter { $0 == "POST /token" }.count == 1)
        }
    }

    /// What there is when the browser has been at the provider.
    private struct Scene: Sendable {
        let server: RunningServer
        let provider: WrittenProvider
        let browser: HTTPBrowser
        let attempt: AppClient.Attempt
        /// Where the provider sends the browser back to.
        let callback: String
    }

    private static let client = "broker"

    private static func run(_ body: @Sendable (Scene) async throws -> Void) async throws {
        try await Turnstile.installations.pass {
            let certificate = try TestCertificate.shared()
            try await WrittenProvider.run(certificate: certificate) { provider in
                let clock = TestClock()
                let http = try HTTPBrowser.makeHTTPClient(trusting: certificate.certificatePEM, version: .automatic)
                try await attempt {
                    try await RunningServer.run(serverOptions(provider, certificate, clock)) { server in
                        try await body(try await signIn(at: provider, HTTPBrowser(http), server, now: clock.now()))
                    }
                } finally: {
                    try await http.shutdown()
                }
            }
        }
    }

    private static func serverOptions(
        _ provider: WrittenProvider, _ certificate: DevelopmentCertificate, _ clock: TestClock
    ) -> RunningServer.Options {
        var acme = BrokerConfiguration.Provider(
            name: "acme", issuer: provider.issuer, clientID: client, clientSecret: Secret("secret"))
        acme.configuration.certificateAuthorities = Array(certificate.certificatePEM.utf8)
        var options = RunningServer.Options()
        options.clock = clock
        options.configuration = { [acme] publicURL in
            .test(publicURL: publicURL, provider: acme, apps: [AppClient.publicApp.configuration])
        }
        return options
    }

    /// Sends the browser from the app through the broker to the provider, and writes what the provider will say.
    private static func signIn(
        at provider: WrittenProvider, _ browser: HTTPBrowser, _ server: RunningServer, now: Int64
    ) async throws -> Scene {
        let issuer = provider.issuer
        let metadata: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"),
            "jwks_uri": .string(issuer + "/jwks"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        ]
        provider.write(metadata.serialized(), at: "/.well-known/openid-configuration")
        let key = try SigningKey(pem: SharedRSAKeys.pem(0), algorithm: .rs256)
        let keySet: JSONObject = ["keys": .array([.object(key.publicJWK)])]
        provider.write(keySet.serialized(), at: "/jwks")

        let attempt = AppClient.Attempt()
        let start = try await browser.open(AppClient.publicApp.authorizationURL(issuer: server.issuer, attempt))
        try #require(start.status == 303, "\(start.body)")
        let location = try #require(start.location)
        try #require(location.hasPrefix(issuer + "/authorize?"))
        let query = URLComponents(string: location)?.queryItems ?? []
        func parameter(_ name: String) throws -> String {
            try #require(query.first { $0.name == name }?.value)
        }

        let claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(client), "sub": "248289761001",
            "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
            "nonce": .string(try parameter("nonce")),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 3600)),
        ]
        let tokens: JSONObject = [
            "access_token": "access-token-0123456789", "token_type": "Bearer", "expires_in": 3600,
            "id_token": .string(try key.sign(claims, type: "JWT")),
        ]
        provider.write(tokens.serialized(), at: "/token")
        // A sealed state is base64url: it needs no percent-encoding.
        let state = try parameter("state")
        return Scene(
            server: server, provider: provider, browser: browser, attempt: attempt,
            callback: try parameter("redirect_uri") + "?code=a-code-0123456789&state=\(state)")
    }
}
