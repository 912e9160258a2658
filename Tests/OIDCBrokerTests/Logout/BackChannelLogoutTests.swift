// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// Logout tokens that a provider posts (OpenID Connect Back-Channel Logout 1.0), handed on to a webhook.
struct BackChannelLogoutTests {
    private static let event: JSONObject = ["http://schemas.openid.net/event/backchannel-logout": [:]]

    private static func installation(
        isAccepted: Bool = true, decryptionKeys: [String] = []
    ) throws -> Installation {
        try Installation {
            $0.providers[0].backChannelLogout = isAccepted
            $0.providers[0].configuration.decryptionKeys = decryptionKeys.map { Secret($0) }
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
        }
    }

    /// A logout token of the provider.
    private static func token(
        _ installation: Installation, _ changes: JSONObject = [:], type: String = "logout+jwt",
        isForged: Bool = false
    ) throws -> String {
        let provider = installation.provider
        var claims: JSONObject = [
            "iss": .string(provider.issuer), "aud": .string(provider.client.id),
            "iat": .number(JSONNumber(installation.clock.now())),
            "exp": .number(JSONNumber(installation.clock.now() + 120)), "jti": "logout-1",
            "events": .object(event), "sub": .string(TestProvider.subject), "sid": "session-1",
        ]
        for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
        return try (isForged ? provider.strangeKey : provider.key).sign(claims, type: type, header: [:])
    }

    private static func post(_ installation: Installation, _ form: [(String, String)]) throws -> BrokerResponse {
        var request = installation.tokenRequest(form)
        request.path = "/__/auth/notifications/acme"
        return try installation.respond(request)
    }

    @Test func `a logout is handed on, with the user as ID tokens name them`() throws {
        let installation = try Self.installation()
        let response = try Self.post(installation, [("logout_token", try Self.token(installation))])
        #expect(response.status == 200)
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        let request = try #require(installation.transport.webhook.requests.first)
        let json = try JSONParser.object(request.body, limits: JSONLimits(maximumBytes: 65_536))
        #expect(json["type"] == "logout")
        #expect(json["provider"] == "oidc.acme")
        #expect(json["jti"] == "logout-1")
        #expect(json["sid"] == "session-1")
        #expect(json["upstream_sub"] == .string(TestProvider.subject))
        let subject = SubjectIdentifier.derive(issuer: installation.provider.issuer, subject: TestProvider.subject)
        #expect(json["sub"] == .string(subject))
        #expect(installation.log.outcomes == ["delivered"])
    }

    @Test func `its claim counts for its provider`() throws {
        let store = FaultyStore()
        let installation = try Installation(providers: ["acme", "globex"], store: store) {
            $0.providers[0].backChannelLogout = true
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
        }
        #expect(try Self.post(installation, [("logout_token", try Self.token(installation))]).status == 200)
        #expect(store.owners.map(\.provider) == [.provider(issuer: installation.provider.issuer)])
    }

    @Test func `the same token is handed on once, and again where it was not taken`() throws {
        let installation = try Self.installation()
        let form = [("logout_token", try Self.token(installation))]
        installation.transport.webhook.answer(500)
        let refusal = try Self.post(installation, form)
        #expect(refusal.status == 503)
        #expect(refusal.head.headerFields[.retryAfter] == "5")
        installation.transport.webhook.answer(200)
        for _ in 0..<2 { #expect(try Self.post(installation, form).status == 200) }
        #expect(installation.transport.webhook.requests.count == 2)
        #expect(installation.log.outcomes == ["not_delivered", "delivered", "repeated"])
    }

    @Test(
        arguments: [["sub": .null], ["sid": .null], ["sub": ""], ["sub": []], ["sid": ""], ["sid": []]] as [JSONObject])
    func `a session or a subject is enough, and one that is blank is absent`(changes: JSONObject) throws {
        let installation = try Self.installation()
        #expect(try Self.post(installation, [("logout_token", try Self.token(installation, changes))]).status == 200)
    }

    @Test(
        arguments: [
            ["sub": .null, "sid": .null], ["sub": "", "sid": ""], ["events": .null], ["events": "x"],
            ["events": ["other": [:]]],
            ["events": ["http://schemas.openid.net/event/backchannel-logout": true]],
            ["nonce": "n"], ["exp": .null], ["jti": .null], ["jti": ""],
            ["jti": .string(String(repeating: "j", count: 256))], ["sid": 7],
            ["sid": .string(String(repeating: "s", count: 256))], ["sub": "\u{E9}"], ["iss": "https://evil.example"],
            ["aud": "another-client"], ["aud": ["broker-at-acme", "another-client"]],
            ["iat": 1_800_000_061], ["iat": .null], ["exp": 1_799_999_940],
        ] as [JSONObject])
    func `what is not a logout token for this client is refused`(changes: JSONObject) throws {
        let installation = try Self.installation()
        let token = try Self.token(installation, changes)
        #expect(try Self.post(installation, [("logout_token", token)]).status == 400)
        #expect(installation.transport.webhook.requests.isEmpty)
        #expect(installation.log.outcomes == ["refused"])
    }

    @Test func `another type, a forged signature, an ID token, and no token at all are refused`() throws {
        let installation = try Self.installation()
        let other = try Self.token(installation, type: "at+jwt")
        let forged = try Self.token(installation, isForged: true)
        let idToken = try Self.token(installation, ["events": .null, "nonce": "n"], type: "JWT")
        for form in [
            [("logout_token", other)], [("logout_token", forged)], [("logout_token", idToken)],
            [("logout_token", "x")], [("logout_token", "")], [], [("payload", other)],
            [("logout_token", other), ("logout_token", other)],
        ] {
            #expect(try Self.post(installation, form).status == 400)
        }
        #expect(installation.transport.webhook.requests.isEmpty)
    }

    /// The provider signs with ES256 and announces it, or signs with the client's secret.
    @Test(
        arguments: [
            (["ES256"], false, 200), (["RS256", "ES256"], false, 200), (["RS256"], false, 400), (["HS256"], false, 400),
            (["HS256"], true, 200), (["ES256"], true, 400), (nil, true, 400),
        ] as [([String]?, Bool, Int)])
    func `the algorithms of ID tokens hold for logout tokens`(
        algorithms: [String]?, isBySecret: Bool, status: Int
    ) throws {
        let secret = String(repeating: "s3cret-", count: 6)
        let installation = try Installation {
            $0.providers[0].backChannelLogout = true
            $0.providers[0].configuration.idTokenAlgorithms = algorithms
            $0.providers[0].configuration.clientSecret = Secret(secret)
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
        }
        var token = try Self.token(installation)
        if isBySecret {
            let payload = try #require(Base64URL.decode(token.split(separator: ".")[1].utf8))
            let input = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64URL.encode(payload)
            let code = Hash.AuthenticationKey(Array(secret.utf8)).code(for: Array(input.utf8))
            token = input + "." + Base64URL.encode(code)
        }
        #expect(try Self.post(installation, [("logout_token", token)]).status == status)
        #expect(installation.transport.webhook.requests.count == (status == 200 ? 1 : 0))
    }

    /// The token is encrypted to a key, which may be the client's, and was signed by the provider or by another party.
    @Test(
        arguments: [
            (true, true, false, 200), (true, true, true, 400), (true, false, false, 400), (false, true, false, 400),
        ])
    func `an encrypted logout token is decrypted like an ID token, and verified then`(
        isConfigured: Bool, isOwnKey: Bool, isForged: Bool, status: Int
    ) throws {
        let pem = P256.KeyAgreement.PrivateKey().pemRepresentation
        let installation = try Self.installation(decryptionKeys: isConfigured ? [pem] : [])
        let recipient = try isOwnKey ? DecryptionKey(pem: pem) : DecryptionKey.generateP256()
        let token = try JSONWebEncryption.encrypt(
            Array(try Self.token(installation, isForged: isForged).utf8), to: recipient.publicJWK,
            keyManagement: "ECDH-ES", contentEncryption: "A256GCM")
        #expect(try Self.post(installation, [("logout_token", token)]).status == status)
        #expect(installation.transport.webhook.requests.count == (status == 200 ? 1 : 0))
    }

    private struct Handler: NotificationHandler {
        func handle(_ notification: ProviderNotification) async throws {}
    }

    @Test func `logout tokens without a receiver are an error of the configuration`() throws {
        let error = #expect(throws: BrokerConfigurationError.self) {
            try Installation { $0.providers[0].backChannelLogout = true }
        }
        #expect(error?.errors.map(\.key) == ["auth.provider.acme.back-channel-logout"])
        #expect(error?.errors.first?.expected.contains("auth.webhook.url") == true)
        for (handler, accounts) in [(Handler(), nil), (nil, StubAccounts())] as [(Handler?, StubAccounts?)] {
            let installation = try Installation(
                notificationHandler: handler, extensions: accounts.map { [$0] } ?? []
            ) { $0.providers[0].backChannelLogout = true }
            #expect(throws: Never.self) { try installation.broker.reload(installation.configuration) }
        }
    }

    @Test func `keys that cannot be fetched are a 503, and where it is not configured there is nothing`() throws {
        let installation = try Self.installation()
        let form = [("logout_token", try Self.token(installation))]
        installation.provider.behave { $0.isDown = true }
        #expect(try Self.post(installation, form).status == 503)
        #expect(try Self.post(try Self.installation(isAccepted: false), form).status == 404)
    }
}
