// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// UserInfo, plain and signed, within a sign-in and by itself (OpenID Connect Core 1.0 section 5.3).
@Suite struct UserInfoTests {
    private static func session(_ provider: TestProvider) -> UnpluggedSession {
        UnpluggedSession(provider) { $0.userInfo = true }
    }

    private static func claims(_ session: UnpluggedSession) throws -> Claims {
        try session.party.userInfo(accessToken: Secret("an-access-token"), subject: "person-ada", on: session.loop)
            .wait()
    }

    private static func signed(_ algorithm: JSONWebAlgorithm = .es256) throws -> TestProvider {
        let provider = try TestProvider(algorithm)
        provider.behave { behavior in
            behavior.signsUserInfo = true
            behavior.metadata["userinfo_signing_alg_values_supported"] = [.string(algorithm.rawValue)]
        }
        return provider
    }

    /// Encrypts the signed UserInfo of a provider for a key of the client, or what takes its place.
    private static func encrypted(_ provider: TestProvider, _ change: (String) -> String = { $0 }) throws {
        let claims: JSONObject = [
            "iss": .string(provider.issuer), "aud": .string(provider.client.id), "sub": "person-ada", "name": "Ada",
        ]
        let token = try JSONWebEncryption.encrypt(
            Array(change(try provider.key.sign(claims)).utf8), to: try DecryptionKey(pem: KeyTexts.p256).publicJWK,
            keyManagement: "ECDH-ES+A256KW", contentEncryption: "A128CBC-HS256")
        provider.answer("/userinfo", token, type: "application/jwt")
    }

    private static func decrypting(_ provider: TestProvider) -> UnpluggedSession {
        UnpluggedSession(provider) { $0.decryptionKeys = [Secret(KeyTexts.p256)] }
    }

    @Test func `an encrypted response is opened, and what is in it is verified`() throws {
        let provider = try Self.signed()
        try Self.encrypted(provider)
        #expect(try Self.claims(Self.decrypting(provider)).string("name") == "Ada")
        #expect(throws: RelyingPartyError.self) { try Self.claims(UnpluggedSession(provider)) }
        // A signature that is changed inside.
        try Self.encrypted(provider) { String($0.dropLast(4)) + "AAAA" }
        #expect(throws: RelyingPartyError.self) { try Self.claims(Self.decrypting(provider)) }
    }

    @Test(.attack(.unsignedTokenInsideEncrypted)) func `encrypted claims without a signature are refused`() throws {
        let provider = try Self.signed()
        for inner in [#"{"sub":"person-ada"}"#, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJwZXJzb24tYWRhIn0."] {
            try Self.encrypted(provider) { _ in inner }
            let error = #expect(throws: RelyingPartyError.self) { try Self.claims(Self.decrypting(provider)) }
            #expect(error?.step == .userInfo)
        }
    }

    @Test func `by itself it is asked with the access token in the header`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in
            behavior.changeUserInfo = { claims in
                claims["aud"] = "x"
                claims["nonce"] = "x"
                claims["name"] = "Ada"
            }
        }
        let claims = try Self.claims(UnpluggedSession(provider))
        #expect(claims.names.sorted() == ["email", "email_verified", "name", "sub"])
        let request = try #require(provider.requests.last)
        #expect(request.url.text == "https://issuer.example/userinfo")
        #expect(request.authorization == "Bearer an-access-token")
        #expect(request.form == nil)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/userinfo"])
    }

    @Test func `a response about another subject is refused`() throws {
        for subject in ["person-adainvalid", "person-ad", "", nil] as [JSONValue?] {
            for isSigned in [false, true] {
                let provider = isSigned ? try Self.signed() : try TestProvider()
                provider.behave { behavior in behavior.changeUserInfo = { claims in claims["sub"] = subject } }
                #expect(try Self.session(provider).refusal()?.step == .userInfo)
                #expect(throws: RelyingPartyError.self) { try Self.claims(UnpluggedSession(provider)) }
            }
        }
    }

    @Test(arguments: [JSONWebAlgorithm.rs256, .es256, .eddsa])
    func `a signed response is verified with the provider's keys`(algorithm: JSONWebAlgorithm) throws {
        let provider = try Self.signed(algorithm)
        #expect(try Self.session(provider).signIn().claims.string("email") == "ada@example.com")
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token", "/jwks", "/userinfo"])
        #expect(try Self.claims(UnpluggedSession(provider)).boolean("email_verified") == true)
    }

    @Test(
        arguments: [
            ("iss", "https://issuer.example1"), ("iss", nil), ("aud", "client1"), ("aud", nil),
            ("aud", ["client", "x"]),
            ("azp", "other"), ("exp", 1_799_999_940), ("exp", "soon"), ("nbf", 1_800_000_061), ("events", [:]),
        ] as [(String, JSONValue?)])
    func `a signed response is for this client, of this issuer, and of this time`(name: String, value: JSONValue?)
        throws
    {
        let provider = try Self.signed()
        provider.behave { behavior in behavior.changeUserInfo = { claims in claims[name] = value } }
        #expect(try Self.session(provider).refusal()?.step == .userInfo)
    }

    @Test func `a signed response may expire later, or never`() throws {
        let provider = try Self.signed()
        for expiry in [1_799_999_941, 1_800_000_300, nil] as [JSONValue?] {
            provider.behave { behavior in behavior.changeUserInfo = { claims in claims["exp"] = expiry } }
            #expect(try Self.session(provider).refusal() == nil)
        }
    }

    @Test func `a signed response with another signature, or none, is refused`() throws {
        let stranger = try SigningKey.generate(.es256)
        let provider = try Self.signed()
        let claims: JSONObject = ["sub": "person-ada", "iss": .string(TestProvider.fixedIssuer), "aud": "client"]
        let signed = try stranger.sign(claims, header: ["kid": .string(provider.key.keyID)])
        let unsigned =
            Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "."
            + (signed.split(separator: ".").dropFirst().first ?? "") + "."
        for body in [signed, unsigned, signed + " ", ""] {
            provider.answer("/userinfo", body, type: "application/jwt")
            #expect(try Self.session(provider).refusal()?.step == .userInfo)
        }
    }

    @Test func `a signed response is held to the announced algorithms`() throws {
        let provider = try Self.signed()
        provider.behave { $0.metadata["userinfo_signing_alg_values_supported"] = ["RS256"] }
        #expect(try Self.session(provider).refusal()?.step == .userInfo)
        // Where nothing is announced, to those of ID tokens.
        provider.behave { $0.metadata["userinfo_signing_alg_values_supported"] = .null }
        #expect(try Self.session(provider).refusal() == nil)
    }

    @Test(
        .attack(.wrongMediaType),
        arguments: [
            ("application/json", true), ("application/json; charset=utf-8", true),
            ("Application/JSON;charset=UTF-8", true),
            ("text/html", false), ("text/plain", false), (nil, false), ("application/jwt", false),
        ] as [(String?, Bool)])
    func `the media type is JSON's`(type: String?, isAccepted: Bool) throws {
        let provider = try TestProvider()
        provider.answer("/userinfo", #"{"sub":"person-ada"}"#, type: type)
        #expect((try Self.session(provider).refusal() == nil) == isAccepted)
    }

    @Test(arguments: [301, 401, 403, 404, 429, 500, 503])
    func `any other status is a failure of the step`(status: Int) throws {
        let provider = try TestProvider()
        provider.answer("/userinfo", status: status, #"{"sub":"person-ada"}"#)
        #expect(try Self.session(provider).refusal() == .status(.userInfo, status))
    }

    @Test func `it is not asked where the ID token did not pass`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["nonce"] = "another" } }
        #expect(try Self.session(provider).refusal()?.finding?.check == IDTokenCheck.nonce.name)
        #expect(!provider.paths.contains("/userinfo"))
    }

    @Test func `the email and whether it is verified come from one source`() throws {
        let provider = try TestProvider()
        provider.behave { $0.changeClaims = { claims, _ in claims["email"] = "ada@id-token.example" } }
        let claims = try Self.session(provider).signIn().claims
        #expect(claims.string("email") == "ada@id-token.example")
        #expect(claims.boolean("email_verified") == nil)
    }

    @Test func `a provider without the endpoint is asked nothing`() throws {
        let provider = try TestProvider()
        provider.behave { $0.metadata["userinfo_endpoint"] = .null }
        #expect(try Self.session(provider).refusal()?.step == .userInfo)
    }
}
