// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OpenIDRelyingParty

/// DPoP (RFC 9449), up to the transport, and the provider that judges it.
@Suite struct DPoPTests {
    private static func session(
        _ provider: TestProvider, _ configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) -> UnpluggedSession {
        UnpluggedSession(provider) { configuration in
            configuration.dpop = .on
            configuration.userInfo = true
            configure(&configuration)
        }
    }

    private static func provider() throws -> TestProvider {
        let provider = try TestProvider()
        provider.behave { $0.changeTokenResponse = { $0["token_type"] = "DPoP" } }
        return provider
    }

    /// The claims of the proof of a request, not verified; `nil` without one.
    private static func proof(_ request: ProviderRequest) -> JSONObject? {
        request.additionalFields.first { $0.name == "dpop" }
            .flatMap { Base64URL.decode(Array($0.value.split(separator: ".")[1].utf8)) }
            .flatMap { try? JSONParser.object($0, limits: JSONLimits(maximumBytes: 4096)) }
    }

    private static func demand(_ nonce: String?, date: String? = nil, status: Int = 400) -> ProviderResponse {
        var response = ProviderResponse.json(["error": "use_dpop_nonce"], status: status)
        response.dpopNonce = nonce
        response.date = date
        return response
    }

    @Test func `code, token and proofs belong to one key, and the token is not handed on`() throws {
        let provider = try Self.provider()
        let session = Self.session(provider)
        let (url, pending) = try session.begin()
        let thumbprint = try #require(Query(String(url.drop { $0 != "?" }.dropFirst()))["dpop_jkt"])
        let seed = try #require(pending.dpopSeed.flatMap { Base64URL.decode($0.exposed) })
        #expect(try DPoPKey(seed: seed).thumbprint == thumbprint)
        let signIn = try session.complete(try provider.answer(to: url), pending)
        #expect(signIn.claims.string("email") == "ada@example.com")
        #expect(signIn.accessToken == nil && signIn.expiresIn == nil && signIn.refreshToken != nil)
        let userInfo = try #require(provider.requests.last)
        #expect(userInfo.authorization == "DPoP an-access-token")
        #expect(Self.proof(userInfo)?["htm"] == "GET")
        #expect(provider.requests.filter { Self.proof($0) != nil }.map(\.url.path) == ["/token", "/userinfo"])
        let other = try session.begin()
        #expect(!other.url.contains(thumbprint))
    }

    @Test func `without the setting there is no key, no proof, and a DPoP token is refused`() throws {
        let provider = try Self.provider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        #expect(!url.contains("dpop_jkt") && pending.dpopSeed == nil)
        #expect(throws: RelyingPartyError.self) { try session.complete(try provider.answer(to: url), pending) }
        #expect(provider.requests.allSatisfy { $0.additionalFields.isEmpty && !$0.isProved })
    }

    @Test(.attack(.unboundAccessToken))
    func `a bearer token in answer to a proof is refused, and so is a session without its key`()
        throws
    {
        let provider = try TestProvider()
        let session = Self.session(provider)
        #expect(try session.refusal()?.step == .token)
        #expect(provider.paths.last == "/token")
        let begun = try session.begin()
        var pending = begun.pending
        pending.dpopSeed = nil
        let count = provider.requests.count
        #expect(throws: RelyingPartyError.unusable(.token, "the login has no DPoP key")) {
            try session.complete(try provider.answer(to: begun.url), pending)
        }
        #expect(provider.requests.count == count)
    }

    @Test func `a demand for a nonce is answered once at each endpoint`() throws {
        let provider = try Self.provider()
        provider.behave { behavior in
            behavior.responses["/token"] = .success(Self.demand("n-1"))
        }
        let session = Self.session(provider) { $0.clientAuthentication = .clientSecretBasic }
        let refusal = try session.refusal()
        #expect(refusal?.providerError?.code == "use_dpop_nonce")
        let sent = provider.requests.filter { $0.url.path == "/token" }
        #expect(sent.map { Self.proof($0)?["nonce"]?.text?.makeString() } == [nil, "n-1"])
        #expect(Self.proof(sent[0])?["jti"] != Self.proof(sent[1])?["jti"])
        // The next login knows the nonce from the start.
        _ = try session.refusal()
        let third = provider.requests.filter { $0.url.path == "/token" }[2]
        #expect(Self.proof(third)?["nonce"] == "n-1")
    }

    @Test(arguments: [nil, "", "a\"b", "a b", String(repeating: "n", count: 513)])
    func `what is no nonce is not sent`(nonce: String?) throws {
        let provider = try Self.provider()
        provider.behave { $0.responses["/token"] = .success(Self.demand(nonce)) }
        #expect(try Self.session(provider).refusal()?.providerError?.code == "use_dpop_nonce")
        #expect(provider.count("/token") == 1)
    }

    @Test func `the longest nonce is sent`() throws {
        let provider = try Self.provider()
        let nonce = String(repeating: "n", count: 512)
        provider.behave { $0.responses["/token"] = .success(Self.demand(nonce)) }
        _ = try Self.session(provider).refusal()
        #expect(provider.count("/token") == 2)
    }

    @Test(arguments: [
        (500, "use_dpop_nonce"), (400, "invalid_grant"), (400, "invalid_dpop_proof"), (403, "use_dpop_nonce"),
    ])
    func `no other refusal is answered with a second request`(status: Int, error: String) throws {
        let provider = try Self.provider()
        var response = ProviderResponse.json(["error": .string(error)], status: status)
        response.dpopNonce = "n-1"
        provider.behave { [response] in $0.responses["/token"] = .success(response) }
        _ = try Self.session(provider).refusal()
        #expect(provider.count("/token") == 1)
    }

    @Test(arguments: [("08:01:00", 60), ("08:01:01", 0), ("07:59:00", -60), ("07:58:59", 0), ("8 o'clock", 0)])
    func `iat follows a Date of this login within the clock skew alone`(time: String, followed: Int64) throws {
        let provider = try Self.provider()
        let now = provider.clock.now()
        let date = "Fri, 15 Jan 2027 \(time) GMT"
        provider.behave { $0.responses["/token"] = .success(Self.demand("n-1", date: date)) }
        let session = Self.session(provider)
        _ = try session.refusal()
        _ = try session.refusal()
        let times = provider.requests.filter { $0.url.path == "/token" }
            .map { Self.proof($0)?["iat"]?.secondsValue }
        // The second login begins with the own clock again.
        #expect(times == [now - 5, now - 5 + followed, now - 5, now - 5 + followed])
    }

    @Test func `a refresh has a key of its own, and asks for a DPoP token`() throws {
        let provider = try Self.provider()
        let session = Self.session(provider)
        _ = try session.party.refresh(
            Secret("a-refresh-token"), issuer: provider.issuer, subject: "person-ada", on: session.loop
        ).wait()
        #expect(Self.proof(try #require(provider.requests.first { $0.url.path == "/token" }))?["htm"] == "POST")
        provider.behave { $0.changeTokenResponse = { _ in } }
        #expect(throws: RelyingPartyError.self) {
            try session.party.refresh(
                Secret("a-refresh-token"), issuer: provider.issuer, subject: "person-ada", on: session.loop
            ).wait()
        }
    }

    @Test func `nonces of more origins than a provider has do not fill the memory`() throws {
        let nonces = DPoPNonces()
        for number in 0...DPoPNonces.mostOrigins { nonces.keep("n", of: "https://\(number).example") }
        #expect(nonces.nonce(of: "https://0.example") == nil)
        #expect(nonces.nonce(of: "https://\(DPoPNonces.mostOrigins).example") == "n")
    }

    /// The provider that judges proofs, with a code to be redeemed.
    private static func strict() throws -> (provider: InMemoryProvider, form: String, key: DPoPKey) {
        var client = OpenIDProvider.Client(id: "client", redirectURIs: ["https://app.example/cb"])
        client.tokenBinding = .dpop
        var configuration = OpenIDProvider.Configuration(clients: [client], interaction: .automatic(0))
        configuration.clock = TestClock()
        let provider = try InMemoryProvider(configuration)
        let key = try DPoPKey(seed: Array(0..<32))
        let verifier = CodeVerifier(bytes: Array(0..<32))
        let location = try #require(
            provider.visit(
                provider.issuer
                    + "/authorize?response_type=code&client_id=client&scope=openid&code_challenge_method=S256"
                    + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&code_challenge=\(verifier.challenge)"
                    + "&dpop_jkt=\(key.thumbprint)"))
        let code = try #require(Query(String(location.drop { $0 != "?" }.dropFirst()))["code"])
        let form = FormURLEncoding.encode([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", "https://app.example/cb"),
            ("client_id", "client"), ("code_verifier", verifier.value),
        ])
        return (provider, form, key)
    }

    private static func send(
        _ provider: InMemoryProvider, _ path: String, form: String? = nil, token: String? = nil, proof: String?
    ) throws -> ProviderResponse {
        var request = ProviderRequest(
            url: try #require(AbsoluteURL(provider.issuer + path)), authorization: token.map { "DPoP " + $0 },
            content: form.map { .form($0) }, maximumResponseBytes: 65_536, deadline: .now() + .seconds(5),
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        request.isProved = true
        if let proof { request.additionalFields = [(name: "dpop", value: proof)] }
        return try provider.execute(request, on: EmbeddedEventLoop()).wait()
    }

    private static func members(_ response: ProviderResponse) throws -> JSONObject {
        try JSONParser.object(Array(response.body.readableBytesView), limits: JSONLimits(maximumBytes: 65_536))
    }

    @Test func `the provider of the tests refuses each wrong proof, and takes the right one`() throws {
        let (provider, form, key) = try Self.strict()
        let now = TestClock().now()
        func proof(
            _ key: DPoPKey, method: String = "POST", path: String = "/token", token: String? = nil, now: Int64
        ) throws -> String {
            try key.proof(
                method: method, url: try #require(AbsoluteURL(provider.issuer + path)), accessToken: token, nonce: nil,
                now: now)
        }
        func refusal(_ proof: String?) throws -> String? {
            let response = try Self.send(provider, "/token", form: form, proof: proof)
            return try Self.members(response)["error"]?.text?.makeString()
        }
        let right = try proof(key, now: now)
        #expect(try refusal(nil) == "invalid_dpop_proof")
        #expect(try refusal(try proof(key, path: "/userinfo", now: now)) == "invalid_dpop_proof")
        #expect(try refusal(try proof(key, method: "GET", now: now)) == "invalid_dpop_proof")
        #expect(try refusal(try proof(key, now: now - 3600)) == "invalid_dpop_proof")
        #expect(try refusal(try proof(key, token: "t", now: now)) == "invalid_dpop_proof")
        #expect(try refusal(String(right.dropLast(4)) + "AAAA") == "invalid_dpop_proof")
        provider.demandDPoPNonce("n-1")
        #expect(try refusal(right) == "use_dpop_nonce")
        provider.demandDPoPNonce(nil)
        #expect(try refusal(right) == "invalid_dpop_proof", "a proof used twice")
        let granted = try Self.send(provider, "/token", form: form, proof: try proof(key, now: now))
        let response = try TokenResponse(
            status: granted.status, json: Array(granted.body.readableBytesView), tokenType: .dpop)
        let token = try #require(response.accessToken)
        func userInfo(_ proof: String?) throws -> Int {
            try Self.send(provider, "/userinfo", token: token, proof: proof).status
        }
        let stranger = try DPoPKey(seed: Array(1..<33))
        #expect(try userInfo(nil) == 401)
        #expect(try userInfo(try proof(stranger, method: "GET", path: "/userinfo", token: token, now: now)) == 401)
        #expect(try userInfo(try proof(key, method: "GET", path: "/userinfo", token: token + "x", now: now)) == 401)
        #expect(try userInfo(try proof(key, method: "GET", path: "/userinfo", token: token, now: now)) == 200)
    }

    @Test func `the provider of the tests compares the URL of a proof as the standard says`() throws {
        let (provider, form, _) = try Self.strict()
        let key = try SigningKey.generate(.es256)
        var jwk: JSONObject = [:]
        for name in ["kty", "crv", "x", "y"] { jwk[name] = key.publicJWK[name] }
        func refusal(_ url: String) throws -> JSONValue? {
            let claims: JSONObject = [
                "jti": .string(url), "htm": "POST", "htu": .string(url), "iat": .number(JSONNumber(TestClock().now())),
            ]
            let proof = try key.sign(
                header: ["typ": "dpop+jwt", "alg": "ES256", "jwk": .object(jwk)], payload: claims.serialized())
            return try Self.members(Self.send(provider, "/token", form: form, proof: proof))["error"]
        }
        // Where the URL is right, the next thing that is missing is the nonce.
        provider.demandDPoPNonce("n-1")
        for url in [
            "http://127.0.0.1:8080/token", "HTTP://127.0.0.1:8080/token", "http://127.0.0.1:8080/%74o%6Ben",
            "http://127.0.0.1:8080/./token", "http://127.0.0.1:8080/userinfo/../token",
            "http://127.0.0.1:8080/../token",
        ] {
            #expect(try refusal(url) == "use_dpop_nonce", "\(url)")
        }
        for url in [
            "https://127.0.0.1:8080/token", "http://127.0.0.1/token", "http://127.0.0.1:8081/token",
            "http://localhost:8080/token", "http://127.0.0.1:8080/Token", "http://127.0.0.1:8080/token/",
            "http://127.0.0.1:8080/token/.", "http://127.0.0.1:8080//token", "http://127.0.0.1:8080/%2Ftoken",
            "http://127.0.0.1:8080/%2574oken", "http://127.0.0.1:8080/token%", "http://127.0.0.1:8080/%+4token",
            "http://127.0.0.1:8080/token?", "http://127.0.0.1:8080/token?a=b", "http://127.0.0.1:8080/token#f",
            "http://127.0.0.1:8080", "/token", "",
        ] {
            #expect(try refusal(url) == "invalid_dpop_proof", "\(url)")
        }
    }

    @Test func `the provider of the tests refuses a code of another key`() throws {
        let (provider, form, _) = try Self.strict()
        let stranger = try DPoPKey(seed: Array(1..<33))
        let proof = try stranger.proof(
            method: "POST", url: try #require(AbsoluteURL(provider.issuer + "/token")), accessToken: nil, nonce: nil,
            now: TestClock().now())
        let response = try Self.send(provider, "/token", form: form, proof: proof)
        #expect(
            try Self.members(response)["error"] == "invalid_grant")
    }
}
