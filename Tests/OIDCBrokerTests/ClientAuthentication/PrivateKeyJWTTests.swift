// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPTypes
import JOSE
import JWTKit
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// Apps that authenticate by `private_key_jwt`.
struct PrivateKeyJWTTests {
    private static let elliptic = P256.Signing.PrivateKey()

    /// A broker whose app `back` has a key instead of a secret.
    private struct Setup {
        let installation: Installation
        let key: SigningKey

        init(configure: (inout BrokerConfiguration) throws -> Void = { _ in }) throws {
            let key = try SigningKey(pem: PrivateKeyJWTTests.elliptic.pemRepresentation)
            self.key = key
            installation = try Installation {
                $0.apps[1].clientSecret = nil
                $0.apps[1].clientKeys = PrivateKeyJWTTests.keySet([key])
                try configure(&$0)
            }
        }

        var app: AppClient {
            var app = AppClient.back
            app.secret = nil
            return app
        }

        /// An assertion of the app.
        func assertion(
            _ changes: JSONObject = [:], type: String? = "JWT", header: JSONObject = [:], by signer: SigningKey? = nil
        ) throws -> String {
            let now = installation.clock.now()
            var claims: JSONObject = [
                "iss": "back-office", "sub": "back-office", "aud": .string(Installation.issuer),
                "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 60)), "jti": "one",
            ]
            for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
            return try (signer ?? key).sign(claims, type: type ?? "", header: header)
        }

        func form(_ assertion: String, _ form: [(String, String)] = []) -> [(String, String)] {
            form + [("client_assertion_type", AppAssertion.type), ("client_assertion", assertion)]
        }

        /// Redeems a code that is not valid: `invalid_grant` says that the app is authenticated.
        func error(_ assertion: String, _ more: [(String, String)] = []) throws -> String? {
            var tokens = app.tokenForm("x")
            tokens.removeAll { $0.0 == "client_id" }
            let response = try installation.token(form(assertion, tokens) + more)
            return try response.json()["error"]?.text?.makeString()
        }
    }

    private static func keySet(_ keys: [SigningKey]) -> String {
        let set: JSONObject = ["keys": .array(keys.map { .object($0.publicJWK) })]
        return String(decoding: set.serialized(), as: UTF8.self)
    }

    @Test func `a code is redeemed with it`() throws {
        let setup = try Setup()
        var browser = Browser(setup.installation)
        let app = setup.app
        let code = try #require(try browser.signIn(app)["code"])
        let response = try setup.installation.token(setup.form(setup.assertion(), app.tokenForm(code)))
        #expect(response.status == 200, "\(response.text)")
        #expect(try response.json()["upstream"] != nil)
    }

    @Test func `an assertion that jwt-kit signed is accepted`() async throws {
        struct Claims: JWTPayload {
            let iss = "back-office"
            let sub = "back-office"
            let aud = Installation.issuer
            let exp: Int
            let jti = "jwt-kit"
            enum CodingKeys: String, CodingKey { case iss, sub, aud, exp, jti }
            func verify(using algorithm: some JWTAlgorithm) async throws {}
        }
        let keys = JWTKeyCollection()
        let key = try ES256PrivateKey(pem: Self.elliptic.pemRepresentation)
        await keys.add(ecdsa: key)
        let token = try await keys.sign(Claims(exp: 1_800_000_120))
        #expect(try Self.errorOfFreshSetup(token) == "invalid_grant")
    }

    /// Not async: an embedded event loop stays on its thread.
    private static func errorOfFreshSetup(_ assertion: String) throws -> String? { try Setup().error(assertion) }

    @Test func `it is accepted once, and what is refused is not claimed`() throws {
        let setup = try Setup()
        let forged = try setup.assertion(by: .generate(.es256))
        for _ in 0..<2 { #expect(try setup.error(forged) == "invalid_client") }
        #expect(try setup.error(setup.assertion(["aud": "x"])) == "invalid_client")
        let assertion = try setup.assertion()
        #expect(try setup.error(assertion) == "invalid_grant")
        #expect(try setup.error(assertion) == "invalid_client")
        #expect(try setup.error(setup.assertion(["exp": 1_800_000_061])) == "invalid_client", "the same jti")
        #expect(try setup.error(setup.assertion(["jti": "two"])) == "invalid_grant")
        // It stays claimed for as long as it could be accepted.
        setup.installation.clock.advance(by: 119)
        #expect(try setup.error(assertion) == "invalid_client")
    }

    @Test(
        arguments: [
            ["iss": "shop"], ["sub": "shop"], ["iss": .null], ["sub": .null], ["aud": .null],
            ["aud": .string(Installation.issuer + "/token")], ["aud": .string(Installation.issuer + "/")],
            ["aud": [.string(Installation.issuer), "https://other.example"]], ["aud": []], ["exp": .null],
            ["exp": 1_799_999_940], ["exp": 1_800_000_661], ["exp": "1800000060"], ["iat": 1_800_000_061],
            ["nbf": 1_800_000_061], ["iat": "x"], ["jti": .null], ["jti": ""], ["jti": 7],
            ["jti": .string(String(repeating: "j", count: 257))],
        ] as [JSONObject])
    func `each claim is checked`(changes: JSONObject) throws {
        let setup = try Setup()
        #expect(try setup.error(setup.assertion(changes)) == "invalid_client")
        #expect(setup.installation.log.text.contains("client assertion refused"))
        #expect(try setup.error(setup.assertion()) == "invalid_grant")
    }

    @Test(
        arguments: [
            ["aud": [.string(Installation.issuer)]], ["exp": 1_799_999_941], ["exp": 1_800_000_660], ["iat": .null],
            ["iat": 1_800_000_060], ["nbf": 1_800_000_060], ["iat": "", "nbf": []],
            ["jti": .string(String(repeating: "j", count: 256))],
        ] as [JSONObject])
    func `what is just within is accepted`(changes: JSONObject) throws {
        let setup = try Setup()
        #expect(try setup.error(setup.assertion(changes)) == "invalid_grant")
    }

    @Test func `no other algorithm, key, type, header or length`() throws {
        let setup = try Setup()
        let good = try setup.assertion()
        let segments = good.split(separator: ".")
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + segments[1] + "."
        #expect(try setup.error(none) == "invalid_client")
        let claims = try #require(UnverifiedIDTokenPayload.claims(of: good))
        let secret = try #require(SharedSecretKey(Array(Self.keySet([setup.key]).utf8)))
        #expect(try setup.error(secret.sign(claims, algorithm: .hs256, header: ["typ": "JWT"])) == "invalid_client")
        #expect(try setup.error(setup.assertion(header: ["kid": "another"])) == "invalid_client")
        #expect(try setup.error(setup.assertion(header: ["crit": ["x"]])) == "invalid_client")
        for type in ["at+jwt", String(repeating: "x", count: 65), "\u{E9}"] {
            #expect(try setup.error(setup.assertion(type: type)) == "invalid_client", "\(type)")
        }
        #expect(
            try setup.error(setup.assertion(["x": .string(String(repeating: "x", count: 8192))])) == "invalid_client")
        for text in ["x", "a.b.c", String(good.dropLast(4)) + "AAAA"] {
            #expect(try setup.error(text) == "invalid_client")
        }
        #expect(try setup.error(setup.assertion(type: "client-authentication+jwt")) == "invalid_grant")
    }

    @Test func `one method at a time, of the app itself, and the type by its name`() throws {
        let setup = try Setup()
        let assertion = try setup.assertion()
        #expect(try setup.error(assertion, [("client_secret", "x")]) == "invalid_request")
        let basic = try setup.installation.token(
            setup.form(assertion, setup.app.tokenForm("x")), fields: Installation.basic("back-office", "x"))
        #expect(try basic.json()["error"]?.text?.makeString() == "invalid_request")
        #expect(try setup.error(assertion, [("client_id", "shop")]) == "invalid_client")
        #expect(try setup.error(assertion, [("client_assertion", assertion)]) == "invalid_request")
        for form in [
            [("client_assertion", assertion)], [("client_assertion_type", AppAssertion.type)],
            [
                ("client_assertion", assertion),
                ("client_assertion_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
            ],
        ] {
            let response = try setup.installation.token(setup.app.tokenForm("x") + form)
            #expect(response.status == 401)
        }
        // Neither a secret nor nothing at all authenticates an app with keys.
        for form in [[], [("client_secret", Installation.backSecret)]] {
            let response = try setup.installation.token(setup.app.tokenForm("x") + form)
            #expect(try response.json()["error"]?.text?.makeString() == "invalid_client")
        }
        // And an app without keys is not authenticated by an assertion.
        let other = try Installation()
        let response = try other.token(setup.form(setup.assertion(), setup.app.tokenForm("x")))
        #expect(response.status == 401)
    }

    @Test func `the token endpoint is the audience where the app says so`() throws {
        let setup = try Setup { $0.apps[1].assertionAudience = .tokenEndpoint }
        let endpoint = Installation.issuer + "/token"
        #expect(try setup.error(setup.assertion()) == "invalid_client")
        #expect(try setup.error(setup.assertion(["aud": .string(endpoint)])) == "invalid_grant")
        // As MSAL for Python 1.39.0 makes one.
        let ofMSAL = try setup.assertion(["aud": .string(endpoint), "exp": 1_800_000_600, "jti": "msal"])
        #expect(try setup.error(ofMSAL) == "invalid_grant")
    }

    @Test func `an assertion may be used again where the app says so, and every other check remains`() throws {
        let setup = try Setup {
            $0.apps[1].assertionAudience = .tokenEndpoint
            $0.apps[1].assertionReuse = true
        }
        let endpoint = JSONValue.string(Installation.issuer + "/token")
        let assertion = try setup.assertion(["aud": endpoint, "exp": 1_800_000_600])
        for _ in 0..<2 { #expect(try setup.error(assertion) == "invalid_grant") }
        for changes: JSONObject in [
            ["aud": endpoint, "jti": .null], ["aud": "x"], ["aud": endpoint, "iss": "shop"],
            ["aud": endpoint, "exp": 1_800_000_661], ["aud": endpoint, "iat": .null],
            ["aud": endpoint, "iat": 1_799_999_399],
        ] {
            #expect(try setup.error(setup.assertion(changes)) == "invalid_client")
        }
        #expect(try setup.error(setup.assertion(["aud": endpoint], by: .generate(.es256))) == "invalid_client")
        setup.installation.clock.advance(by: 659)
        #expect(try setup.error(assertion) == "invalid_grant")
        setup.installation.clock.advance(by: 1)
        #expect(try setup.error(assertion) == "invalid_client", "it has expired")
    }

    @Test func `an app without the setting beside one with it may use an assertion once`() throws {
        let setup = try Setup {
            $0.apps[0].clientKeys = $0.apps[1].clientKeys
            $0.apps[0].assertionReuse = true
        }
        let assertion = try setup.assertion()
        #expect(try setup.error(assertion) == "invalid_grant")
        #expect(try setup.error(assertion) == "invalid_client")
        let line = try #require(setup.installation.log.lines.last { $0.message == "client assertion refused" })
        #expect(line.metadata["auth.detail"]?.description.contains("needs assertion-reuse") == true)
    }

    @Test(arguments: ["revoke", "credential", "introspect"], [false, true])
    func `it holds at the other endpoints, where an assertion is never used again`(path: String, reuse: Bool) throws {
        let setup = try Setup { $0.apps[1].assertionReuse = reuse }
        func status(_ assertion: String) throws -> Int {
            var request = setup.installation.tokenRequest(setup.form(assertion))
            request.path = "/__/auth/" + path
            return try setup.installation.respond(request).status
        }
        #expect(try status(setup.assertion(["aud": "x"])) == 401)
        #expect(try status(setup.assertion()) == 400)
        #expect(try status(setup.assertion()) == 401, "used before")
    }

    @Test func `another audience is in the log, with the setting and the app`() throws {
        let setup = try Setup()
        #expect(try setup.error(setup.assertion(["aud": "https://auth.example.com/__/auth/token"])) == "invalid_client")
        let line = try #require(setup.installation.log.lines.last { $0.message == "client assertion refused" })
        #expect(line.metadata["auth.app"] == "back")
        #expect(
            line.metadata["auth.detail"]
                == "\"assertion-audience of the app expects 'https://auth.example.com/__/auth' alone; "
                + "'aud' is 'https://auth.example.com/__/auth/token'\"")
    }

    @Test func `keys at a URL are fetched, cached, and fetched again for a new one`() throws {
        let url = "https://login.acme.example/jwks"
        let setup = try Setup {
            $0.apps[1].clientKeys = nil
            $0.apps[1].jwksURI = url
        }
        let provider = setup.installation.provider
        let second = try SigningKey.generate(.es256)
        provider.behave { $0.publishedKeys = [setup.key.publicJWK] }
        #expect(try setup.error(setup.assertion()) == "invalid_grant")
        #expect(try setup.error(setup.assertion(["jti": "two"])) == "invalid_grant")
        #expect(provider.count("/jwks") == 1)
        provider.behave { $0.publishedKeys = [second.publicJWK] }
        #expect(try setup.error(setup.assertion(["jti": "three"], by: second)) == "invalid_grant")
        #expect(provider.count("/jwks") == 2)
        // The cache outlives a reload.
        try setup.installation.broker.reload(setup.installation.configuration)
        #expect(try setup.error(setup.assertion(["jti": "four"], by: second)) == "invalid_grant")
        #expect(provider.count("/jwks") == 2)
    }

    /// Keys beside the app's own that cannot be used here: post-quantum, of an unknown kind, and broken.
    private static let others = [
        #"{"kty":"AKP","alg":"ML-DSA-65","pub":"AAAA","kid":"pq"}"#, #"{"kty":"x-new","kid":"new"}"#,
        #"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA","kid":"broken"}"#, "7", "{}", "null",
    ]

    @Test(arguments: [false, true]) func `keys that cannot be used do not stand in the way of others`(isAtURL: Bool)
        throws
    {
        let key = try SigningKey.generate(.es256)
        let own = String(decoding: JSONValue.object(key.publicJWK).serialized(), as: UTF8.self)
        let text = #"{"keys":[\#((Self.others + [own]).joined(separator: ","))]}"#
        let setup = try Setup {
            $0.apps[1].clientKeys = isAtURL ? nil : text
            $0.apps[1].jwksURI = isAtURL ? "https://login.acme.example/jwks" : nil
        }
        let response = ProviderResponse(
            status: 200, contentType: "application/jwk-set+json", body: ByteBuffer(string: text))
        setup.installation.provider.behave { $0.responses["/jwks"] = .success(response) }
        #expect(try setup.error(setup.assertion(by: key)) == "invalid_grant")
        // The former key is not one of them.
        #expect(try setup.error(setup.assertion(["jti": "two"])) == "invalid_client")
    }

    @Test func `keys that cannot be fetched are a 503, and use nothing up`() throws {
        let setup = try Setup {
            $0.apps[1].clientKeys = nil
            $0.apps[1].jwksURI = "https://login.acme.example/jwks"
        }
        setup.installation.provider.behave { $0.deadPaths = ["/jwks"] }
        let assertion = try setup.assertion()
        #expect(try setup.error(assertion) == "temporarily_unavailable")
        #expect(setup.installation.log.text.contains("cannot verify a client assertion"))
        setup.installation.provider.behave {
            $0.deadPaths = []
            $0.publishedKeys = [setup.key.publicJWK]
        }
        setup.installation.clock.advance(by: 60)
        #expect(try setup.error(setup.assertion()) == "invalid_grant")
    }

    @Test func `two methods, private keys, and what is no key set are errors of the configuration`() throws {
        func keys(_ change: (inout BrokerConfiguration.App) -> Void) -> [String]? {
            let error = #expect(throws: BrokerConfigurationError.self) {
                try Setup { change(&$0.apps[1]) }
            }
            return error?.errors.map(\.key)
        }
        #expect(keys { $0.clientSecret = Secret(Installation.backSecret) } == ["auth.app.back.client-keys"])
        #expect(keys { $0.jwksURI = "https://back.example/jwks" } == ["auth.app.back.jwks-uri"])
        let good = String(
            decoding: JSONValue.object(try SigningKey.generate(.es256).publicJWK).serialized(), as: UTF8.self)
        for text in [
            "", "x", "{}", #"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, #"{"keys":[{"kty":"AKP"}]}"#,
            #"{"keys":[\#(good),{"kty":"oct","k":"AAAA"}]}"#,
            #"{"keys":[\#(good),{"kty":"EC","crv":"P-256","d":"AAAA"}]}"#,
        ] {
            #expect(keys { $0.clientKeys = text } == ["auth.app.back.client-keys"], "\(text)")
        }
        for text in ["http://back.example/jwks", "jwks", "https://back.example/jwks#x"] {
            #expect(
                keys {
                    $0.clientKeys = nil
                    $0.jwksURI = text
                } == ["auth.app.back.jwks-uri"], "\(text)")
        }
        // A confidential app may bind its codes by a nonce.
        #expect(throws: Never.self) { try Setup { $0.apps[1].codeBinding = .nonce } }
    }
}
