// SPDX-License-Identifier: Apache-2.0

import Admission
import Crypto
import HTTPTypes
import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The limit on refused notifications of one address, at each provider.
struct NotificationLimitTests {
    private static let crowd = IPAddress("192.0.2.1")
    private static let other = IPAddress("2001:db8::1")
    private static let burst = 4

    private static func installation(perSecond: Int = 1) throws -> Installation {
        var limits = RequestLimits()
        (limits.failuresPerSecond, limits.failuresBurst) = (perSecond, burst)
        return try Installation(providers: ["acme", "globex"], requestLimits: limits) {
            for index in $0.providers.indices { $0.providers[index].backChannelLogout = true }
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
        }
    }

    /// A logout token of the first provider.
    private static func token(_ installation: Installation, _ number: Int, isForged: Bool = false) throws -> String {
        let provider = installation.provider
        let claims: JSONObject = [
            "iss": .string(provider.issuer), "aud": .string(provider.client.id),
            "iat": .number(JSONNumber(installation.clock.now())),
            "exp": .number(JSONNumber(installation.clock.now() + 120)), "jti": .string("logout-\(number)"),
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
            "sub": .string(TestProvider.subject),
        ]
        return try (isForged ? provider.strangeKey : provider.key).sign(claims, type: "logout+jwt", header: [:])
    }

    /// Posts a logout token; the response may come later.
    private static func send(
        _ installation: Installation, _ token: String, to provider: String = "acme",
        from client: IPAddress? = NotificationLimitTests.crowd
    ) -> PendingResponse {
        var request = installation.tokenRequest([("logout_token", token)])
        request.path = "/__/auth/notifications/" + provider
        request.client = client
        let pending = PendingResponse(installation.broker.respond(to: request, on: installation.eventLoop))
        installation.eventLoop.run()
        return pending
    }

    private static func statuses(_ responses: some Sequence<PendingResponse>) -> [Int?] {
        responses.map { $0.response?.status }
    }

    private static func all(_ status: Int?, _ count: Int) -> [Int?] { Array(repeating: status, count: count) }

    @Test func `refused ones of one address are limited at the provider that they name, and no others`() throws {
        let installation = try Self.installation()
        for _ in 0..<Self.burst { #expect(Self.send(installation, "x").response?.status == 400) }
        for _ in 0..<3 {
            let refusal = try #require(Self.send(installation, "x").response)
            #expect(refusal.status == 429)
            #expect(refusal.head.headerFields[.retryAfter] == "1")
        }
        #expect(Self.send(installation, "x", to: "globex").response?.status == 400)
        for client in [Self.other, nil] { #expect(Self.send(installation, "x", from: client).response?.status == 400) }
        installation.clock.advance(by: 1)
        #expect(Self.statuses((0..<2).map { _ in Self.send(installation, "x") }) == [400, 429])
    }

    @Test func `any number of valid ones passes, and is not counted`() throws {
        let installation = try Self.installation()
        for number in 0..<(20 * Self.burst) {
            let response = Self.send(installation, try Self.token(installation, number)).response
            #expect(response?.status == 200, "token \(number)")
        }
        #expect(installation.transport.webhook.requests.count == 20 * Self.burst)
        for _ in 0..<Self.burst { #expect(Self.send(installation, "x").response?.status == 400) }
        #expect(Self.send(installation, "x").response?.status == 429)
    }

    @Test func `while the receiver is away each is to be sent again, and none is counted`() throws {
        let installation = try Self.installation()
        installation.transport.webhook.answer(500)
        for number in 0..<(5 * Self.burst) {
            let response = try #require(Self.send(installation, try Self.token(installation, number)).response)
            #expect(response.status == 503)
            #expect(response.head.headerFields[.retryAfter] == "5")
        }
        installation.transport.webhook.answer(200)
        #expect(Self.send(installation, try Self.token(installation, 0)).response?.status == 200)
    }

    @Test func `while the provider's keys cannot be fetched each is to be sent again, and none is told it is too much`()
        throws
    {
        let installation = try Self.installation()
        installation.provider.behave { $0.isDown = true }
        for number in 0..<(5 * Self.burst) {
            let response = try #require(Self.send(installation, try Self.token(installation, number)).response)
            #expect(response.status == 503)
            // Beyond the burst nothing is checked: any client can send what cannot be.
            #expect(response.head.headerFields[.retryAfter] == (number < Self.burst ? "5" : "1"))
        }
    }

    @Test func `forged ones that are checked at once do not pass together`() throws {
        let installation = try Self.installation()
        installation.provider.behave { $0.latePaths = ["/jwks"] }
        let forged = try (0..<(2 * Self.burst)).map { try Self.token(installation, $0, isForged: true) }
        let responses = forged.map { Self.send(installation, $0) }
        #expect(Self.statuses(responses) == Self.all(nil, Self.burst) + Self.all(503, Self.burst))
        // The keys are asked for once more, since none of them verifies the tokens.
        installation.provider.behave { $0.latePaths = [] }
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(Self.statuses(responses.prefix(Self.burst)) == Self.all(400, Self.burst))
        #expect(Self.send(installation, "x").response?.status == 429)
    }

    @Test func `one more valid one than may be checked at once is to be sent again, never told that it is too much`()
        throws
    {
        let installation = try Self.installation()
        installation.provider.behave { $0.latePaths = ["/jwks"] }
        let tokens = try (0..<(Self.burst + 1)).map { try Self.token(installation, $0) }
        let responses = tokens.map { Self.send(installation, $0) }
        let last = try #require(responses.last?.response)
        #expect(last.status == 503)
        #expect(last.head.headerFields[.retryAfter] == "1")
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(Self.statuses(responses.prefix(Self.burst)) == Self.all(200, Self.burst))
        #expect(Self.send(installation, tokens[Self.burst]).response?.status == 200)
    }

    @Test func `a rate of 0 is no limit`() throws {
        let installation = try Self.installation(perSecond: 0)
        for _ in 0..<(5 * Self.burst) { #expect(Self.send(installation, "x").response?.status == 400) }
    }

    @Test func `the audit and the log have one a second of each kind and provider, and each delivered one`() throws {
        let installation = try Self.installation()
        // Of as many addresses that none is over its rate.
        for number in 0..<UInt8(50) {
            let client = try #require(IPAddress(bytes: [10, 0, 0, number]))
            #expect(Self.send(installation, "x", from: client).response?.status == 400)
        }
        for _ in 0..<(Self.burst + 3) { _ = Self.send(installation, "x", to: "globex") }
        for number in 0..<5 { _ = Self.send(installation, try Self.token(installation, number)) }
        func events(_ name: String) -> [[String: String]] {
            installation.audit.lines.filter { $0.message == name }.map(\.metadata)
        }
        let outcomes = events("notification").map { $0["auth.outcome"] }
        #expect(outcomes == ["refused", "refused"] + Array(repeating: "delivered", count: 5))
        #expect(events("limited").map { $0["auth.outcome"] } == ["notifications"])
        #expect(events("limited").map { $0["auth.provider"] } == ["oidc.globex"])
        installation.clock.advance(by: 1)
        _ = Self.send(installation, "x")
        _ = Self.send(installation, "x", to: "globex")
        #expect(events("notification").suffix(2).map { $0["auth.repeated"] } == ["49", "3"])
        let line = try #require(installation.log.lines.last { $0.metadata["auth.limit"] == "notifications" })
        #expect(line.metadata["auth.client"] == "192.0.2.1" && line.metadata["auth.provider"] == "oidc.globex")
    }
}
