// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing

/// The provider detects errors of clients; otherwise an empty `violations()` would prove nothing.
@Suite(.timeLimit(.minutes(10))) struct ProviderStrictnessTests {
    /// An error: a change to a valid request, and the violation that the provider reports.
    struct Variation: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String?
        let reason: String

        /// A parameter that is changed or, with nil, left out.
        init(_ name: String, _ value: String?, _ reason: String) {
            self.name = name
            self.value = value
            self.reason = reason
        }

        var testDescription: String { "\(name)=\(value ?? "")" }

        func applied(to parameters: [(String, String)]) -> [(String, String)] {
            parameters.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? [])
        }
    }

    @Test func `an honest client violates nothing`() async throws {
        try await ProviderProbe.run { probe in
            try await probe.get("/.well-known/openid-configuration")
            try await probe.get("/jwks")
            let code = try await probe.code()
            let tokens = try await probe.post(
                "/token", ProviderProbe.exchange(code), authorization: ProviderProbe.basic())
            #expect(tokens.status == 200)
            let token = try #require(tokens["access_token"])
            let userInfo = try await probe.get("/userinfo", authorization: "Bearer " + token)
            #expect(userInfo["email"] == "ada@example.com")
            #expect(probe.provider.violations() == [])
        }
    }

    @Test(arguments: [
        Variation("client_id", "other", "not known"),
        Variation("redirect_uri", "https://app.example/callback/", "address"),
        Variation("response_type", nil, "response_type is missing"),
        Variation("response_type", "token", "unsupported_response_type"),
        Variation("scope", "email", "invalid_scope"), Variation("code_challenge", nil, "code_challenge is missing"),
        Variation("code_challenge_method", "plain", "S256"), Variation("response_mode", "web_message", "response_mode"),
        Variation("request", "e30.e30.", "request_not_supported"), Variation("max_age", "soon", "max_age"),
        Variation("claims", "{\"id_token\":1}", "claims"), Variation("resource", "urn:example", "invalid_target"),
        Variation("request_uri", "urn:ietf:params:oauth:request_uri:x", "prepare"),
        Variation("client_secret", "secret", "client_secret is in the query"),
    ])
    func `an authorization request`(variation: Variation) async throws {
        try await ProviderProbe.run { probe in
            try await probe.get("/authorize", variation.applied(to: ProviderProbe.request))
            expect(probe, variation.reason)
        }
    }

    @Test func `an authorization request for an ID token`() async throws {
        let type = Variation("response_type", "id_token", "")
        try await ProviderProbe.run { probe in
            let request = type.applied(to: ProviderProbe.request)
            try await probe.get("/authorize", Variation("nonce", nil, "").applied(to: request))
            expect(probe, "nonce is missing")
        }
        try await ProviderProbe.run { probe in
            let request = type.applied(to: ProviderProbe.request)
            try await probe.get("/authorize", Variation("response_mode", "query", "").applied(to: request))
            expect(probe, "query with an ID token")
        }
        try await ProviderProbe.run(configuring: {
            $0.clients[0].responseTypes = [.code]
        }) { probe in
            try await probe.get("/authorize", type.applied(to: ProviderProbe.request))
            expect(probe, "unauthorized_client")
        }
    }

    @Test func `a duplicate parameter`() async throws {
        try await ProviderProbe.run { probe in
            try await probe.get("/authorize", ProviderProbe.request + [("nonce", "another")])
            expect(probe, "twice")
        }
    }

    @Test func `a request that was not pushed, or is more than a reference`() async throws {
        try await ProviderProbe.run(configuring: {
            $0.requiresPushedAuthorization = true
        }) { probe in
            try await probe.get("/authorize", ProviderProbe.request)
            expect(probe, "must be pushed")
            let pushed = try await probe.post("/par", ProviderProbe.request, authorization: ProviderProbe.basic())
            #expect(pushed.status == 201)
            let uri = try #require(pushed["request_uri"])
            let reference = [("client_id", ProviderProbe.clientID), ("request_uri", uri)]
            try await probe.get("/authorize", reference)
            #expect(probe.provider.violations().count == 1)
            try await probe.get("/authorize", reference + [("scope", "openid")])
            #expect(probe.provider.violations().count == 2)
        }
    }

    @Test(arguments: [
        Variation("grant_type", "password", "grant_type"), Variation("code", "another", "code"),
        Variation("redirect_uri", "https://app.example/", "redirect_uri"),
        Variation("code_verifier", nil, "code_verifier is missing"),
        Variation("code_verifier", String(repeating: "v", count: 43), "code_verifier does not fit"),
        Variation("client_id", "other", "client_id"),
        Variation("client_secret", ProviderProbe.secret, "two authentication methods"),
    ])
    func `a token request`(variation: Variation) async throws {
        try await ProviderProbe.run { probe in
            let form = variation.applied(to: ProviderProbe.exchange(try await probe.code()))
            let response = try await probe.post("/token", form, authorization: ProviderProbe.basic())
            #expect(response.status == 400)
            expect(probe, variation.reason)
        }
    }

    @Test func `a code that comes twice`() async throws {
        try await ProviderProbe.run { probe in
            let form = ProviderProbe.exchange(try await probe.code())
            try await probe.post("/token", form, authorization: ProviderProbe.basic())
            #expect(probe.provider.violations() == [])
            try await probe.post("/token", form, authorization: ProviderProbe.basic())
            expect(probe, "used")
        }
    }

    @Test(arguments: [
        // Not form-encoded first.
        "Basic " + Base64.encode(Array("\(ProviderProbe.clientID):\(ProviderProbe.secret)".utf8)),
        ProviderProbe.basic("another"), "Bearer abc",
    ])
    func `a proof by HTTP Basic`(authorization: String) async throws {
        try await ProviderProbe.run { probe in
            let form = ProviderProbe.exchange(try await probe.code())
            let response = try await probe.post("/token", form, authorization: authorization)
            #expect(response.status == 401)
            #expect(probe.provider.violations().count == 1)
        }
    }

    @Test(arguments: [ClientAuthenticationMethod.clientSecretPost, .privateKeyJWT, .tlsClientAuth])
    func `another method than the registered one`(method: ClientAuthenticationMethod) async throws {
        try await ProviderProbe.run(configuring: {
            $0.clients[0].authentication = method
        }) { probe in
            let form = ProviderProbe.exchange(try await probe.code())
            try await probe.post("/token", form, authorization: ProviderProbe.basic())
            expect(probe, "registered method")
        }
    }

    @Test func `a client that is to show its certificate comes without`() async throws {
        try await ProviderProbe.run(configuring: {
            $0.clients[0].authentication = .tlsClientAuth
            $0.clients[0].secret = nil
        }) { probe in
            let form = ProviderProbe.exchange(try await probe.code()) + [("client_id", ProviderProbe.clientID)]
            try await probe.post("/token", form)
            expect(probe, "certificate")
        }
    }

    @Test(arguments: [
        ("GET /userinfo, token in the query", "access_token is in the query"),
        ("GET /userinfo without a token", "no access token"), ("GET /token", "method"),
        ("GET /elsewhere", "no such path"),
        ("GET /jwks with credentials", "credentials"), ("GET /jwks with a query", "query"),
    ])
    func `another request`(request: String, reason: String) async throws {
        try await ProviderProbe.run { probe in
            switch request {
            case "GET /userinfo, token in the query": try await probe.get("/userinfo", [("access_token", "abc")])
            case "GET /userinfo without a token": try await probe.get("/userinfo")
            case "GET /token": try await probe.get("/token")
            case "GET /elsewhere": try await probe.get("/elsewhere")
            case "GET /jwks with credentials": try await probe.get("/jwks", authorization: ProviderProbe.basic())
            default: try await probe.get("/jwks", [("a", "b")])
            }
            #expect(probe.provider.violations().contains { $0.contains(reason) })
        }
    }

    /// Exactly one violation, about that.
    private func expect(_ probe: ProviderProbe, _ reason: String) {
        let violations = probe.provider.violations()
        #expect(violations.contains { $0.contains(reason) }, "\(violations)")
    }
}
