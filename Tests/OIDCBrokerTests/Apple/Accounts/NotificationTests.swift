// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import NIOCore
import Logging
import Crypto
import Foundation
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerRecords

/// What Apple posts, handed on to a webhook.
@Suite struct NotificationTests {
    private static let url = "https://app.example/hook?x=1"
    private static let webhookKey = P256.Signing.PrivateKey()

    private func makeSetup(
        store: (any SingleUseStore)? = nil, configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> AppleSetup {
        try AppleSetup(store: store) {
            $0.webhook = BrokerConfiguration.Webhook(
                url: Self.url, signingKey: Secret(Self.webhookKey.pemRepresentation))
            configure(&$0)
        }
    }

    private func sent(_ setup: AppleSetup) throws -> [JSONObject] {
        try setup.installation.transport.webhook.requests.map {
            try JSONParser.object($0.body, limits: JSONLimits(maximumBytes: 65_536))
        }
    }

    @Test(
        .attack(.forgedAppleNotification),
        arguments: [
            ("email-disabled", "email-disabled"), ("email-enabled", "email-enabled"),
            ("consent-revoked", "consent-revoked"), ("account-delete", "account-deleted"),
            ("account-deleted", "account-deleted"), ("something-new", "unknown"),
        ])
    func `each kind is handed on, an unknown one as unknown`(name: String, type: String) throws {
        let setup = try makeSetup()
        let web = try setup.claims(of: try setup.signIn())
        for (number, audience) in [StubApple.servicesID, StubApple.bundleID, StubApple.otherBundleID].enumerated() {
            let body = try setup.apple.notification(
                name, identifier: "jti-\(number)", audience: audience,
                event: ["email": "x@privaterelay.appleid.com", "is_private_email": "true"])
            let response = try setup.notify(body)
            #expect(response.status == 200)
            #expect(response.body.readableBytes == 0)
        }
        let received = try sent(setup)
        #expect(received.count == 3)
        let first = try #require(received.first)
        #expect(first["type"]?.text?.makeString() == type)
        #expect(first["name"]?.text?.makeString() == name)
        #expect(first["provider"]?.text?.makeString() == "apple.com")
        #expect(first["jti"]?.text?.makeString() == "jti-0")
        #expect(first["sub"] == web["sub"])
        #expect(first["upstream_sub"] == web["upstream_sub"])
        #expect(first["upstream_iss"]?.text?.makeString() == StubApple.issuer)
        #expect(first["upstream_aud"]?.text?.makeString() == StubApple.servicesID)
        #expect(first["email"]?.text?.makeString() == "x@privaterelay.appleid.com")
        #expect(first["is_private_email"] == true)
        #expect(first["event_time"]?.integerValue == 1_800_000_000)
        #expect(first["iat"]?.integerValue == 1_800_000_000)
        #expect(first["event"]?.objectValue?["type"]?.text?.makeString() == name)
        #expect(
            setup.installation.log.outcomes == ["signed_in", "delivered", "delivered", "delivered"])
    }

    @Test func `the webhook is signed under a key of its own, over its digest, method, address and type`() throws {
        let setup = try makeSetup()
        _ = try setup.notify(try setup.apple.notification("consent-revoked"))
        let request = try #require(setup.installation.transport.webhook.requests.first)
        #expect(request.url.text == Self.url)
        let fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) })
        #expect(Set(fields.keys) == ["content-type", "content-digest", "signature-input", "signature"])
        #expect(fields["content-type"] == "application/json")
        // RFC 9530 and RFC 9421 section 2.5, by Foundation and swift-crypto.
        let digest = Data(SHA256.hash(data: Data(request.body))).base64EncodedString()
        #expect(fields["content-digest"] == "sha-256=:\(digest):")
        let input = try #require(fields["signature-input"])
        #expect(input.contains(";created=1800000000;"))
        let base = """
            "@method": POST
            "@target-uri": \(Self.url)
            "content-type": application/json
            "content-digest": sha-256=:\(digest):
            "@signature-params": \(input.dropFirst("sig1=".count))
            """
        let text = try #require(fields["signature"]).dropFirst("sig1=:".count).dropLast()
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Data(base64Encoded: String(text))))
        #expect(Self.webhookKey.publicKey.isValidSignature(signature, for: Data(base.utf8)))
        // The key is not published among those of ID tokens.
        let keys = try setup.installation.get("/__/auth/jwks").json()["keys"]?.arrayValue
        #expect(keys?.count == 1)
        let keyID = try #require(keys?.first?.objectValue?["kid"]?.text?.makeString())
        #expect(!input.contains(keyID))
    }

    @Test(.attack(.forgedAppleNotification), arguments: [199, 300, 301, 307, 400, 404, 500, 503, nil] as [Int?])
    func `a notification that the webhook did not accept is sent again by Apple`(status: Int?) throws {
        let setup = try makeSetup()
        let body = try setup.apple.notification("consent-revoked")
        setup.installation.transport.webhook.answer(status)
        for _ in 0..<2 { #expect(try setup.notify(body).status == 503) }
        #expect(setup.installation.transport.webhook.requests.count == 2)
        #expect(setup.installation.log.outcomes == ["not_delivered"])
        setup.installation.transport.webhook.answer(204)
        #expect(try setup.notify(body).status == 200)
        #expect(setup.installation.transport.webhook.requests.count == 3)
        #expect(setup.installation.log.outcomes.last == "delivered")
    }

    @Test(.attack(.forgedAppleNotification))
    func `a repetition is accepted and not delivered, as long as it could be verified`() throws {
        let setup = try makeSetup()
        let body = try setup.apple.notification("consent-revoked")
        for _ in 0..<3 { #expect(try setup.notify(body).status == 200) }
        #expect(setup.installation.transport.webhook.requests.count == 1)
        #expect(setup.installation.log.outcomes == ["delivered", "repeated", "repeated"])
        setup.installation.clock.advance(by: 86_399)
        #expect(try setup.notify(body).status == 200)
        #expect(setup.installation.transport.webhook.requests.count == 1)
        setup.installation.clock.advance(by: 62)
        #expect(try setup.notify(body).status == 400)
        #expect(setup.installation.transport.webhook.requests.count == 1)
        // Another one of the same kind is another one.
        let next = try setup.apple.notification("consent-revoked", identifier: "jti-2", issuedAt: 1_800_086_461)
        #expect(try setup.notify(next).status == 200)
        #expect(setup.installation.transport.webhook.requests.count == 2)
    }

    @Test(.attack(.forgedAppleNotification)) func `who is not Apple, or not about us, is refused for good`() throws {
        let setup = try makeSetup()
        let bodies = try [
            setup.apple.notification("consent-revoked", isSignedByApple: false),
            setup.apple.notification("consent-revoked", audience: "com.somebody.else"),
            setup.apple.notification("consent-revoked", identifier: ""),
            setup.apple.notification("consent-revoked", issuedAt: 1_800_000_061),
            setup.apple.notification("consent-revoked", issuedAt: 1_799_913_539),
            setup.apple.notification("consent-revoked", event: ["sub": .null]),
            "", "{}", "[]", "payload=x", #"{"payload":7}"#, #"{"payload":"a.b.c"}"#,
            #"{"payload":"\#(setup.apple.credential().idToken)"}"#,
        ]
        for body in bodies { #expect(try setup.notify(body).status == 400, "\(body.prefix(40))") }
        #expect(setup.installation.transport.webhook.requests.isEmpty)
        #expect(Set(setup.installation.log.outcomes) == ["refused"])
        // One line a second with the number of others, since any client can send these.
        #expect(setup.installation.log.outcomes.count == 1)
        setup.installation.clock.advance(by: 1)
        #expect(try setup.notify("").status == 400)
        #expect(setup.installation.log.outcomes.count == 2)
        #expect(setup.installation.log.lines.last?.metadata["auth.repeated"] == "\(bodies.count - 1)")
    }

    @Test(.attack(.forgedAppleNotification)) func `audiences are those of apps that may use the provider`() throws {
        let setup = try AppleSetup(providers: ["acme"]) {
            $0.webhook = BrokerConfiguration.Webhook(
                url: Self.url, signingKey: Secret(Self.webhookKey.pemRepresentation))
            $0.apps[1].providers = ["acme"]
        }
        let other = try setup.apple.notification("consent-revoked", audience: StubApple.otherBundleID)
        #expect(try setup.notify(other).status == 400)
        #expect(try setup.notify(try setup.apple.notification("consent-revoked")).status == 200)
    }

    @Test(.attack(.forgedAppleNotification))
    func `while Apple's keys are unavailable, Apple is asked to send again`() throws {
        let setup = try makeSetup()
        setup.apple.behave(.keySetUnavailable)
        let body = try setup.apple.notification("consent-revoked")
        #expect(try setup.notify(body).status == 503)
        #expect(setup.installation.log.outcomes == ["unavailable"])
    }

    @Test(.attack(.forgedAppleNotification)) func `without a handler, Apple is asked to send again`() throws {
        let setup = try AppleSetup()
        #expect(try setup.notify(try setup.apple.notification("consent-revoked")).status == 503)
        let line = try #require(setup.installation.log.lines.last)
        #expect(line.level == .warning)
        #expect(line.text.contains("auth.webhook.url"))
    }

    @Test(.attack(.forgedAppleNotification))
    func `a store out of reach: before, Apple sends again; after, it was taken`() throws {
        let store = FaultyStore()
        let setup = try makeSetup(store: store)
        let body = try setup.apple.notification("consent-revoked")
        store.fail(after: 0)
        #expect(try setup.notify(body).status == 503)
        #expect(setup.installation.transport.webhook.requests.isEmpty)
        store.fail(after: 2)
        #expect(try setup.notify(body).status == 200)
        let line = try #require(setup.installation.log.lines.last)
        #expect(line.level == .warning)
        #expect(line.metadata["auth.outcome"] == "delivered")
    }

    @Test func `by POST to a provider that posts notifications, and nowhere else`() throws {
        let setup = try AppleSetup(providers: ["acme"])
        let body = try setup.apple.notification("consent-revoked")
        for provider in ["acme", "nobody", "apple.com", "apple/", "Apple", ""] {
            #expect(try setup.notify(body, provider: provider).status == 404, "\(provider)")
        }
        for method: HTTPRequest.Method in [.get, .head, .put, .delete, .options] {
            let response = try setup.installation.request(method, "/__/auth/notifications/apple")
            #expect(response.status == 405)
            #expect(response.head.headerFields[.allow] == "POST")
        }
    }

    @Test func `claims of a day do not crowd the store of logins`() throws {
        // Two places: a sign-in needs both, and a notification none there.
        let store = InMemorySingleUseStore(capacity: 2)
        let setup = try makeSetup(store: store)
        for number in 0..<5 {
            let body = try setup.apple.notification("consent-revoked", identifier: "jti-\(number)")
            #expect(try setup.notify(body).status == 200)
        }
        #expect(try setup.signIn()["id_token"] != nil)
    }

    @Test(.attack(.secretsInLogs)) func `nothing of a notification is written down`() throws {
        _ = CapturedMetrics.shared
        let setup = try makeSetup()
        let event: JSONObject = ["email": "hidden-address@privaterelay.appleid.com"]
        _ = try setup.notify(try setup.apple.notification("email-disabled", event: event))
        setup.installation.transport.webhook.answer(500)
        _ = try setup.notify(try setup.apple.notification("email-disabled", identifier: "jti-2", event: event))
        _ = try setup.notify(try setup.apple.notification("email-disabled", isSignedByApple: false, event: event))
        let written = setup.installation.log.text + CapturedMetrics.shared.counters.joined(separator: "\n")
        let person = StubApple.ada
        for secret in setup.apple.secrets + ["hidden-address", person.email, "jti-2"] {
            #expect(!written.contains(secret))
        }
        for line in Self.webhookKey.pemRepresentation.split(separator: "\n") where !line.hasPrefix("--") {
            #expect(!written.contains(line))
        }
        #expect(written.contains("auth_notifications"))
    }
}
