// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OpenIDRelyingParty

/// Signed authorization responses (JARM).
@Suite struct SignedResponseTests {
    private static let modes: [ResponseMode] = [.jwt, .queryJWT, .formPostJWT, .fragmentJWT]

    private static func session(
        _ provider: TestProvider, _ mode: ResponseMode = .jwt, _ type: ResponseType = .code
    ) -> UnpluggedSession {
        UnpluggedSession(provider) { configuration in
            configuration.responseMode = mode
            configuration.responseType = type
        }
    }

    /// The response that an honest provider would send, as the claims of a JWT.
    private static func claims(_ answer: String, _ provider: TestProvider) -> JSONObject {
        var claims = JSONObject()
        for pair in Query(answer).pairs { claims[pair.name] = .string(pair.value) }
        claims["iss"] = .string(provider.issuer)
        claims["aud"] = "client"
        claims["exp"] = .number(JSONNumber(provider.clock.now() + 300))
        return claims
    }

    private static func encoded(_ jwt: String) -> String { Query.encode([("response", jwt)]) }

    private static func signed(
        _ answer: String, _ provider: TestProvider, by key: SigningKey? = nil, type: String? = nil,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        var claims = claims(answer, provider)
        change(&claims)
        return encoded(try (key ?? provider.key).sign(claims, type: type))
    }

    @Test(arguments: modes) func `a signed response is verified, and its code exchanged`(mode: ResponseMode) throws {
        let provider = try TestProvider()
        let session = Self.session(provider, mode)
        let (url, pending) = try session.begin()
        #expect(Query(String(url.drop { $0 != "?" }.dropFirst()))["response_mode"] == mode.name)
        let signIn = try session.complete(try Self.signed(try provider.answer(to: url), provider), pending)
        #expect(signIn.subject == "person-ada")
        #expect(provider.paths.filter { $0 != "/.well-known/openid-configuration" } == ["/jwks", "/token"])
    }

    @Test(arguments: [ResponseMode.formPostJWT, .fragmentJWT])
    func `an ID token in it is validated as any other`(mode: ResponseMode) throws {
        let provider = try TestProvider()
        let session = Self.session(provider, mode, .codeIDToken)
        try session.signIn { try Self.signed($0, provider) }
        let refusal = try session.refusal { answer in
            try Self.signed(answer, provider) { $0["code"] = "another-code" }
        }
        #expect(refusal?.finding?.check == "code hash")
        #expect(provider.count("/token") == 1)
    }

    /// A change of the claims of a response, and whether it is taken.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isTaken = false
        let change: @Sendable (inout JSONObject) -> Void
    }

    private static func time(_ seconds: Int64) -> JSONValue { .number(JSONNumber(TestClock().now() + seconds)) }

    private static let changes: [Change] = [
        Change(testDescription: "another issuer") { $0["iss"] = "https://other.example" },
        Change(testDescription: "no issuer") { $0["iss"] = nil },
        Change(testDescription: "another client") { $0["aud"] = "other" },
        Change(testDescription: "a client beside this one") { $0["aud"] = ["client", "other"] },
        Change(testDescription: "no audience") { $0["aud"] = nil },
        Change(testDescription: "a list of this client", isTaken: true) { $0["aud"] = ["client"] },
        Change(testDescription: "expired a minute ago") { $0["exp"] = time(-60) },
        Change(testDescription: "expired within the clock skew", isTaken: true) { $0["exp"] = time(-59) },
        Change(testDescription: "no expiry") { $0["exp"] = nil },
        Change(testDescription: "an expiry that is a text") { $0["exp"] = "4102444800" },
        Change(testDescription: "not valid yet") { $0["nbf"] = time(61) },
        Change(testDescription: "a security event") { $0["events"] = [:] },
        Change(testDescription: "no code") { $0["code"] = nil },
        Change(testDescription: "a code that is a number") { $0["code"] = 7 },
        Change(testDescription: "a response in the response") { claims in
            claims["response"] = "a.b.c"
            claims["code"] = nil
        },
        Change(testDescription: "further claims", isTaken: true) { claims in
            claims["session_state"] = "x"
            claims["expires_in"] = 60
        },
    ]

    @Test(.attack(.forgedSignedResponse), arguments: changes)
    func `it is of this issuer, for this client, and not expired, or its code is not sent`(one: Change) throws {
        let provider = try TestProvider()
        provider.behave { $0.announcesIssuer = false }
        let refusal = try Self.session(provider).refusal { answer in
            try Self.signed(answer, provider) { one.change(&$0) }
        }
        #expect(refusal?.step == (one.isTaken ? nil : .authorization))
        #expect(provider.count("/token") == (one.isTaken ? 1 : 0))
    }

    @Test(.attack(.forgedSignedResponse))
    func `the signature is of a key of this provider, by an algorithm that it announces`() throws {
        let provider = try TestProvider()
        let session = Self.session(provider)
        func refusal(_ make: (String) throws -> String) throws {
            let error = try session.refusal(make)
            #expect(error?.step == .authorization && error?.isTemporary == false)
        }
        let stranger = try SigningKey.generate(.es256)
        try refusal { try Self.signed($0, provider, by: stranger) }
        try refusal { try Self.signed($0, provider, by: try SigningKey.generate(.eddsa)) }
        try refusal { try Self.signed($0, provider, type: "at+jwt") }
        try refusal { answer in
            let secret = try #require(SharedSecretKey(Array(String(repeating: "secret", count: 8).utf8)))
            return Self.encoded(secret.sign(Self.claims(answer, provider), algorithm: .hs256, header: [:]))
        }
        try refusal { answer in
            let payload = Base64URL.encode(Self.claims(answer, provider).serialized())
            return Self.encoded(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + payload + ".")
        }
        provider.behave { $0.metadata["authorization_signing_alg_values_supported"] = ["PS256"] }
        let other = Self.session(provider)
        #expect(try other.refusal { try Self.signed($0, provider) }?.step == .authorization)
        provider.behave { $0.metadata["authorization_signing_alg_values_supported"] = "ES256" }
        let third = Self.session(provider)
        let error = try third.refusal { try Self.signed($0, provider) }
        #expect(error.map { "\($0)".contains("authorization_signing_alg_values_supported") } == true)
        #expect(provider.count("/token") == 0)
    }

    @Test func `an ID token is no response`() throws {
        let provider = try TestProvider()
        let refusal = try Self.session(provider).refusal { answer in
            try Self.signed(answer, provider) { claims in
                for name in ["state", "code"] { claims[name] = nil }
                claims["sub"] = "person-ada"
            }
        }
        #expect(refusal?.step == .authorization)
        #expect(provider.count("/token") == 0 && provider.count("/jwks") == 0)
    }

    @Test func `an error in it is the provider's, once it is verified`() throws {
        let provider = try TestProvider()
        func refusal(by key: SigningKey) throws -> RelyingPartyError? {
            try Self.session(provider).refusal { answer in
                try Self.signed(answer, provider, by: key) { claims in
                    claims["code"] = nil
                    claims["error"] = "access_denied"
                    claims["error_description"] = "not today"
                }
            }
        }
        #expect(try refusal(by: provider.key)?.providerError?.code == "access_denied")
        let forged = try refusal(by: try SigningKey.generate(.es256))
        #expect(forged?.step == .authorization && forged?.providerError == nil)
        #expect(provider.count("/token") == 0)
    }

    @Test(.attack(.forgedSignedResponse), arguments: modes)
    func `a response without a signature is refused, an error too`(mode: ResponseMode) throws {
        let provider = try TestProvider()
        let session = Self.session(provider, mode)
        let refused = RelyingPartyError.unusable(
            .authorization, "the authorization response has no 'response', but a signed one was requested")
        #expect(try session.refusal() == refused)
        let error = try session.refusal { answer in
            Query.encode([("error", "access_denied"), ("state", Query(answer)["state"] ?? "")])
        }
        #expect(error == refused)
        #expect(provider.count("/token") == 0)
    }

    @Test(arguments: [ResponseMode.query, .formPost])
    func `a signed response that was not asked for is refused`(mode: ResponseMode) throws {
        let provider = try TestProvider()
        let refusal = try Self.session(provider, mode).refusal { try Self.signed($0, provider) }
        #expect(
            refusal
                == .unusable(
                    .authorization, "the authorization response has a 'response', but no signed one was requested"))
        #expect(provider.count("/token") == 0)
    }

    @Test func `what is beside it is not used`() throws {
        let provider = try TestProvider()
        let session = Self.session(provider)
        try session.signIn { answer in
            try Self.signed(answer, provider) + "&code=forged&error=access_denied&iss=https%3A%2F%2Fother.example"
        }
        #expect(try provider.form("/token").first("code") != "forged")
    }

    @Test func `the state in it is that of this sign-in`() throws {
        let provider = try TestProvider()
        let refusal = try Self.session(provider).refusal { answer in
            try Self.signed(answer, provider) { $0["state"] = "another" }
        }
        #expect(refusal == .unusable(.authorization, "'state' is not the one that was sent"))
        #expect(provider.count("/jwks") == 0)
    }
}
