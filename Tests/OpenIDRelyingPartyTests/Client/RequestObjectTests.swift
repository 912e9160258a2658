// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OpenIDRelyingParty

/// Signed authorization requests (RFC 9101), and the provider that judges them.
@Suite struct RequestObjectTests {
    private static func key() throws -> SigningKey { try SigningKey(pem: KeyTexts.p256, algorithm: .es256) }

    private static func setting() throws -> SignInSetting {
        var setting = SignInSetting()
        let keySet: JSONObject = ["keys": [.object(try key().publicJWK)]]
        setting.clientKey = (pem: KeyTexts.p256, keySet: String(decoding: keySet.serialized(), as: UTF8.self))
        return setting
    }

    @Test(arguments: [true, false], [true, false])
    func `a provider that takes signed requests alone is signed in at, by value and pushed`(
        isPushed: Bool, isConfigured: Bool
    ) throws {
        var setting = try Self.setting()
        setting.requiresSignedRequest = !isConfigured
        setting.requestObject = isConfigured ? .sign : nil
        setting.isPushed = isPushed
        let session = try InMemorySession(setting, .none)
        #expect(try session.signIn().subject == "person-ada")
        let request = try #require(session.requests(to: isPushed ? "/par" : "/authorize").first)
        #expect(request.parameter("request") != nil)
        let others = Set(request.parameters.map(\.name)).subtracting(["request"])
        #expect(others == (isPushed ? [] : ["client_id", "response_type", "scope"]))
    }

    @Test func `without the setting and the announcement nothing is signed`() throws {
        let session = try InMemorySession(try Self.setting(), .none)
        try session.signIn()
        let request = try #require(session.requests(to: "/authorize").first)
        #expect(request.parameter("request") == nil && request.parameter("state") != nil)
    }

    @Test func `off is off, whatever is announced, and the provider refuses`() throws {
        var setting = try Self.setting()
        setting.requiresSignedRequest = true
        setting.requestObject = .off
        let session = try InMemorySession(setting, .none)
        let error = #expect(throws: RelyingPartyError.self) { try session.signIn() }
        #expect(error?.providerError?.code == "invalid_request")
        #expect(session.requests(to: "/authorize").first?.parameter("request") == nil)
    }

    @Test func `without a key that can be used the sign-in does not begin`() throws {
        for key in [nil, "no key"] {
            var setting = SignInSetting()
            setting.clientKey = key.map { (pem: $0, keySet: "{}") }
            setting.requiresSignedRequest = true
            let session = try InMemorySession(setting, .none)
            let error = #expect(throws: RelyingPartyError.self) { try session.signIn() }
            #expect(error?.step == .discovery && error?.isTemporary == false)
            #expect(session.paths == ["/.well-known/openid-configuration"])
        }
    }

    @Test func `a refused push shows nothing of the request object`() throws {
        let provider = try TestProvider()
        provider.behave {
            $0.announcesOptionalEndpoints = true
            $0.echoingPaths = ["/par"]
        }
        let session = UnpluggedSession(provider) { configuration in
            configuration.pushedAuthorization = true
            configuration.requestObject = .sign
            configuration.clientSigningKey = Secret(KeyTexts.p256)
            configuration.clientAuthentication = .clientSecretPost
        }
        let error = try #require(try session.refusal())
        let object = try #require(try provider.form("/par").first("request"))
        #expect(!"\(error)".contains(object))
        for segment in object.split(separator: ".") { #expect(!"\(error)".contains(segment)) }
    }

    /// What is wrong with a request object, or beside it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type = "oauth-authz-req+jwt"
        var isOfStranger = false
        var beside: [(String, String)] = [("response_type", "code"), ("scope", "openid")]
        var change: @Sendable (inout JSONObject) -> Void = { _ in }
    }

    private static let wrong: [Wrong] = [
        Wrong(testDescription: "another typ", type: "JWT"),
        Wrong(testDescription: "another key", isOfStranger: true),
        Wrong(
            testDescription: "a parameter beside it",
            beside: [("response_type", "code"), ("scope", "openid"), ("state", "s")]),
        Wrong(
            testDescription: "another scope beside it", beside: [("response_type", "code"), ("scope", "openid email")]),
        Wrong(testDescription: "no scope beside it", beside: [("response_type", "code")]),
        Wrong(testDescription: "another audience") { $0["aud"] = "https://other.example" },
        Wrong(testDescription: "no audience") { $0["aud"] = nil },
        Wrong(testDescription: "another issuer") { $0["iss"] = "other" },
        Wrong(testDescription: "another client") { $0["client_id"] = "other" },
        Wrong(testDescription: "expired") { $0["exp"] = .number(JSONNumber(TestClock().now())) },
        Wrong(testDescription: "expires late") { $0["exp"] = .number(JSONNumber(TestClock().now() + 601)) },
        Wrong(testDescription: "never expires") { $0["exp"] = nil },
        Wrong(testDescription: "not yet valid") { $0["nbf"] = .number(JSONNumber(TestClock().now() + 11)) },
        Wrong(testDescription: "valid from the start of time") { $0["nbf"] = 0 },
        Wrong(testDescription: "usable as a client assertion") { $0["sub"] = "client" },
        Wrong(testDescription: "a request in a request") { $0["request"] = "a.b.c" },
    ]

    /// What becomes of a request: the redirect; `nil` for a page.
    private static func visit(_ one: Wrong) throws -> String? {
        let clock = TestClock()
        let provider = try InMemoryProvider(try setting().registration(clock: clock))
        var claims: JSONObject = [
            "iss": "client", "aud": .string(provider.issuer), "client_id": "client", "response_type": "code",
            "scope": "openid", "redirect_uri": .string(SignInSession.redirectURI), "state": "s",
            "code_challenge": .string(CodeVerifier(bytes: Array(0..<32)).challenge), "code_challenge_method": "S256",
            "nbf": .number(JSONNumber(clock.now())), "exp": .number(JSONNumber(clock.now() + 60)),
        ]
        one.change(&claims)
        let signer = one.isOfStranger ? try SigningKey.generate(.es256) : try key()
        let object = try signer.sign(claims, type: one.type)
        return provider.visit(
            provider.issuer + "/authorize?"
                + FormURLEncoding.encode([("client_id", "client"), ("request", object)] + one.beside))
    }

    @Test(arguments: wrong) func `the provider of the tests refuses a wrong request object`(one: Wrong) throws {
        #expect(try Self.visit(one) == nil)
    }

    @Test func `the provider of the tests takes the right one`() throws {
        let location = try #require(try Self.visit(Wrong(testDescription: "right")))
        #expect(location.hasPrefix(SignInSession.redirectURI + "?code=") && location.contains("state=s"))
    }
}
