// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

/// RFC 7523 section 3, OpenID Connect Core 1.0 section 9.
@Suite struct ClientAssertionTests {
    private static let issuer = "https://issuer.example/tenant"
    private static let secret = String(repeating: "s3cret-", count: 5)

    private func parameters(_ proof: ClientAuthentication) throws -> Parameters {
        try FormURLEncoding.parse(FormURLEncoding.encode(proof.parameters).utf8)
    }

    private func assertion(_ proof: ClientAuthentication) throws -> String {
        #expect(proof.authorization == nil)
        let form = try parameters(proof)
        #expect(form.all.count == 3)
        #expect(try form.text("client_id") == "client")
        #expect(
            try form.text("client_assertion_type") == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        return try #require(try form.text("client_assertion"))
    }

    /// Holds the claims to what they must be, and gives `jti`.
    private func identifier(_ claims: JSONObject) throws -> String {
        #expect(claims["iss"] == "client")
        #expect(claims["sub"] == "client")
        // The issuer and not the endpoint; a text and not a list (FAPI 2.0 section 5.3.3.1).
        #expect(claims["aud"] == .string(Self.issuer))
        #expect(claims["iat"] == 1_799_999_995)
        #expect(claims["exp"] == 1_800_000_060)
        #expect(claims.count == 6)
        return try #require(claims["jti"]?.text?.makeString())
    }

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256, .ps256, .eddsa, .ed25519])
    func `private_key_jwt is signed with the client's key`(algorithm: JSONWebAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let credentials = ClientCredentials(clientID: "client", secret: Self.secret, signingKey: key)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        var identifiers: Set<String> = []
        for _ in 0..<2 {
            let proof = try credentials.authentication(
                by: .privateKeyJWT, audience: Self.issuer, now: 1_800_000_000)
            let signature = try JSONWebSignature(compact: assertion(proof))
            #expect(signature.keyID?.makeString() == key.keyID)
            let payload = try signature.verified(by: keys, algorithms: [algorithm])
            identifiers.insert(try identifier(payload.claims))
        }
        #expect(identifiers.count == 2)
        // 128 random bits.
        #expect(identifiers.allSatisfy { Base64URL.decode($0)?.count == 16 })
    }

    @Test func `client_secret_jwt is HS256 under the secret's bytes`() throws {
        let credentials = ClientCredentials(clientID: "client", secret: Self.secret)
        let proof = try credentials.authentication(by: .clientSecretJWT, audience: Self.issuer, now: 1_800_000_000)
        let compact = try assertion(proof)
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = try JSONParser.object(
            try #require(Base64URL.decode(String(parts[0]))), limits: JSONLimits(maximumBytes: 1024))
        #expect(header["alg"] == "HS256")
        let claims = try JSONParser.object(
            try #require(Base64URL.decode(String(parts[1]))), limits: JSONLimits(maximumBytes: 1024))
        #expect(try identifier(claims).utf8.count == 22)
        let code = Hash.AuthenticationKey(Array(Self.secret.utf8)).code(for: Array("\(parts[0]).\(parts[1])".utf8))
        #expect(String(parts[2]) == Base64URL.encode(code))
        #expect(!compact.contains("s3cret"))
    }

    @Test(arguments: [ClientAuthenticationMethod.tlsClientAuth, .selfSignedTLSClientAuth])
    func `RFC 8705 section 2 with a certificate the form names the client, and no secret`(
        method: ClientAuthenticationMethod
    ) throws {
        let credentials = ClientCredentials(clientID: "client", secret: Self.secret, hasCertificate: true)
        let proof = try credentials.authentication(by: method, audience: Self.issuer, now: 0)
        #expect(proof.authorization == nil)
        #expect(proof.parameters.map { [$0.0, $0.1] } == [["client_id", "client"]])
    }

    @Test func `the methods that send the secret are those of RFC 6749`() throws {
        let credentials = ClientCredentials(clientID: "client", secret: "p:+")
        let basic = try credentials.authentication(by: .clientSecretBasic, audience: Self.issuer, now: 0)
        // base64 of "client:p%3A%2B"
        #expect(basic.authorization == "Basic Y2xpZW50OnAlM0ElMkI=")
        #expect(basic.parameters.isEmpty)
        let post = try credentials.authentication(by: .clientSecretPost, audience: Self.issuer, now: 0)
        #expect(post.authorization == nil)
        #expect(post.parameters.map { [$0.0, $0.1] } == [["client_id", "client"], ["client_secret", "p:+"]])
        let none = try credentials.authentication(by: .none, audience: Self.issuer, now: 0)
        #expect(none.authorization == nil)
        #expect(none.parameters.map { [$0.0, $0.1] } == [["client_id", "client"]])
    }
}
