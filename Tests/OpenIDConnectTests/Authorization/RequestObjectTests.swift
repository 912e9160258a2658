// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

/// RFC 9101, OpenID Connect Core 1.0 section 6.1.
@Suite struct RequestObjectTests {
    private static let issuer = "https://issuer.example/tenant"
    private static let now: Int64 = 1_800_000_000

    private static func request(_ parameters: [(name: String, value: String)] = []) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: "client", redirectURI: "https://app.example/cb", scopes: ["openid", "email"], state: "a-state",
            nonce: "a-nonce", codeChallenge: "a-challenge", parameters: parameters,
            claims: #"{"id_token":{"email":null}}"#, resource: ["urn:one", "urn:two"])
    }

    private static func claims(_ compact: String, _ key: SigningKey) throws -> JSONObject {
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        let signature = try JSONWebSignature(compact: compact)
        #expect(signature.type?.makeString() == "oauth-authz-req+jwt")
        #expect(signature.keyID?.makeString() == key.keyID)
        return try signature.verified(by: keys, algorithms: [key.algorithm]).claims
    }

    private static func object(
        of request: AuthorizationRequest, _ key: SigningKey, announced: [String] = []
    ) throws -> String {
        let credentials = ClientCredentials(clientID: "client", signingKey: key, assertionTyp: "JWT")
        return try credentials.requestObject(
            of: request, issuer: issuer, announcedSigningAlgorithms: announced, now: now)
    }

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256, .ps256, .eddsa])
    func `every parameter is a claim, of its type in JSON`(algorithm: JSONWebAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let request = Self.request([(name: "max_age", value: "60"), (name: "login_hint", value: "ada")])
        let claims = try Self.claims(try Self.object(of: request, key), key)
        let expected: JSONObject = [
            "response_type": "code", "client_id": "client", "redirect_uri": "https://app.example/cb",
            "scope": "openid email", "code_challenge_method": "S256", "claims": ["id_token": ["email": .null]],
            "resource": ["urn:one", "urn:two"], "max_age": 60, "login_hint": "ada", "state": "a-state",
            "nonce": "a-nonce", "code_challenge": "a-challenge", "iss": "client", "aud": .string(Self.issuer),
            "iat": 1_799_999_995, "nbf": 1_799_999_995, "exp": 1_800_000_300,
        ]
        #expect(claims == expected)
    }

    @Test func `no parameter stands in the place of a claim of the JWT`() throws {
        let key = try SigningKey.generate(.es256)
        let forged = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"].map { (name: $0, value: "client") }
        let claims = try Self.claims(try Self.object(of: Self.request(forged), key), key)
        #expect(claims["iss"] == "client" && claims["aud"] == .string(Self.issuer))
        #expect(claims["exp"] == 1_800_000_300 && claims["nbf"] == 1_799_999_995 && claims["iat"] == 1_799_999_995)
        // It could be a client assertion with it.
        #expect(claims["sub"] == nil && claims["jti"] == nil)
    }

    @Test func `a max_age that is no number is a text`() throws {
        let key = try SigningKey.generate(.es256)
        let request = Self.request([(name: "max_age", value: "soon")])
        #expect(try Self.claims(try Self.object(of: request, key), key)["max_age"] == "soon")
    }

    @Test func `the algorithm has the name that is announced`() throws {
        let key = try SigningKey.generate(.eddsa)
        let compact = try Self.object(of: Self.request(), key, announced: ["Ed25519"])
        #expect(try JSONWebSignature(compact: compact).algorithm == .ed25519)
        let other = try Self.object(of: Self.request(), key, announced: ["RS256"])
        #expect(try JSONWebSignature(compact: other).algorithm == .eddsa)
    }

    @Test func `beside it in the URL is what OpenID Connect demands, and nothing else`() throws {
        let endpoint = try #require(AbsoluteURL("https://issuer.example/authorize?tenant=1"))
        let url = Self.request().url(endpoint: endpoint, requestObject: "a.b.c")
        let query = Query(String(url.drop { $0 != "?" }.dropFirst()))
        #expect(query.names == ["tenant", "response_type", "client_id", "scope", "request"])
        #expect(query["response_type"] == "code" && query["client_id"] == "client")
        #expect(query["scope"] == "openid email" || query["scope"] == "openid+email")
        #expect(query["request"] == "a.b.c")
    }

    @Test func `without a key there is none`() {
        #expect(throws: ClientCredentialsError.self) {
            try ClientCredentials(clientID: "client", secret: "secret").requestObject(
                of: Self.request(), issuer: Self.issuer, announcedSigningAlgorithms: [], now: Self.now)
        }
    }
}
