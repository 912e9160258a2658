// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing

/// That the provider sees what a client does wrong: without that, `violations()` being empty would say nothing.
@Suite(.timeLimit(.minutes(10))) struct ProviderStrictnessTests {
    /// A mistake: what is changed in an honest request, and what the provider says of it.
    struct Mistake: Sendable, CustomTestStringConvertible {
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
        Mistake("client_id", "other", "not known"), Mistake("redirect_uri", "https://app.example/callback/", "address"),
        Mistake("response_type", nil, "response_type is missing"),
        Mistake("response_type", "token", "unsupported_response_type"),
        Mistake("scope", "email", "invalid_scope"), Mistake("code_challenge", nil, "code_challenge is missing"),
        Mistake("code_challenge_method", "plain", "S256"), Mistake("response_mode", "web_message", "response_mode"),
        Mistake("request", "e30.e30.", "request_not_supported"), Mistake("max_age", "soon", "max_age"),
        Mistake("claims", "{\"id_token\":1}", "claims"), Mistake("resource", "urn:example", "invalid_target"),
        Mistake("request_uri", "urn:ietf:params:oauth:request_uri:x", "prepare"),
        Mistake("client_secret", "secret", "client_secret stands in the query"),
    ])
    func `an authorization request`(mistake: Mistake) async throws {
        try await ProviderProbe.run { probe in
            try await probe.get("/authorize", mistake.applied(to: ProviderProbe.request))
            expect(probe, mistake.reason)
        }
    }

    @Test func `an authorization request for an ID token`() async throws {
        let type = Mistake("response_type", "id_token", "")
        try await ProviderProbe.run { probe in
            let request = type.applied(to: ProviderProbe.request)
            try await probe.get("/authorize", Mistake("nonce", nil, "").applied(to: request))
            expect(probe, "nonce is missing")
        }
        try await ProviderProbe.run { probe in
            let request = type.applied(to: ProviderProbe.request)
            try await probe.get("/authorize", Mistake("response_mode", "query", "").applied(to: request))
            expect(probe, "query with an ID token")
        }
        try await ProviderProbe.run(configuring: {
            $0.clients[0].responseTypes = [.code]
        }) { probe in
            try await probe.get("/authorize", type.applied(to: ProviderProbe.request))
            expect(probe, "unauthorized_client")
        }
    }

    @Test func `a parameter that stands there twice`() async throws {
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
        Mistake("grant_type", "password", "grant_type"), Mistake("code", "another", "code"),
        Mistake("redirect_uri", "https://app.example/", "redirect_uri"),
        Mistake("code_verifier", nil, "code_verifier is missing"),
        Mistake("code_verifier", String(repeating: "v", count: 43), "code_verifier does not fit"),
        Mistake("client_id", "other", "client_id"), Mistake("client_secret", ProviderProbe.secret, "two ways"),
    ])
    func `a token request`(mistake: Mistake) async throws {
        try await ProviderProbe.run { probe in
            let form = mistake.applied(to: ProviderProbe.exchange(try await probe.code()))
            let answer = try await probe.post("/token", form, authorization: ProviderProbe.basic())
            #expect(answer.status == 400)
            expect(probe, mistake.reason)
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
            let answer = try await probe.post("/token", form, authorization: authorization)
            #expect(answer.status == 401)
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
        ("GET /userinfo, token in the query", "access_token stands in the query"),
        ("GET /userinfo without a token", "bearer token"), ("GET /token", "method"), ("GET /elsewhere", "no such path"),
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
