// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import NIOHTTP1
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Apple tells the standalone server of users' accounts, and that hands it on to an app's server: over real sockets
/// on both sides.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleWebhookTests {
    private static let key = P256.Signing.PrivateKey()

    private static func run(_ body: (AppleFixture, WebhookReceiver, _ root: String) async throws -> Void) async throws {
        try await WebhookReceiver.run { receiver, root in
            var options = AppleFixture.Options()
            options.webhook = BrokerConfiguration.Webhook(
                url: root, signingKey: Secret(Self.key.pemRepresentation))
            try await AppleFixture.run(options) { try await body($0, receiver, root) }
        }
    }

    private static func deliver(_ fixture: AppleFixture, attempts: Int) async throws -> [Int] {
        try await fixture.apple.deliver(
            fixture.apple.notification("consent-revoked", about: AppleFixture.ada, to: AppleFixture.servicesID),
            to: fixture.issuer + "/notifications/apple",
            certificateAuthority: try TestCertificate.shared().certificatePEM, attempts: attempts)
    }

    @Test(.attack(.forgedAppleNotification))
    func `the app's server gets a signed request, and can check it by what it received`() async throws {
        try await Self.run { fixture, receiver, root in
            let statuses = try await Self.deliver(fixture, attempts: 1)
            #expect(statuses == [200])
            #expect(receiver.received.count == 1)
            let received = try #require(receiver.received.first)
            #expect(received.head.method == .POST)
            #expect(received.head.uri == "/")
            let event = try JSONParser.object(received.body, limits: JSONLimits(maximumBytes: 65_536))
            #expect(event["event"]?.objectValue?["type"]?.text?.makeString() == "consent-revoked")
            #expect(event["upstream_iss"]?.text?.makeString() == fixture.apple.issuer)

            // RFC 9530 and RFC 9421 section 2.5, from the request as it came, by swift-crypto.
            func field(_ name: String) throws -> String {
                let values = received.head.headers[name]
                try #require(values.count == 1, "\(name)")
                return values[0]
            }
            let digest = Data(SHA256.hash(data: Data(received.body))).base64EncodedString()
            #expect(try field("content-digest") == "sha-256=:\(digest):")
            let host = try field("host")
            let base = """
                "@method": POST
                "@target-uri": http://\(host)\(received.head.uri)
                "content-type": \(try field("content-type"))
                "content-digest": \(try field("content-digest"))
                "@signature-params": \(try field("signature-input").dropFirst("sig1=".count))
                """
            let text = try field("signature").dropFirst("sig1=:".count).dropLast()
            let signature = try P256.Signing.ECDSASignature(
                rawRepresentation: try #require(Data(base64Encoded: String(text))))
            #expect(Self.key.publicKey.isValidSignature(signature, for: Data(base.utf8)))
            #expect("http://\(host)" == root)
        }
    }

    @Test(.attack(.forgedAppleNotification))
    func `Apple hears of success only after the app's server took it; a redirect is none`() async throws {
        try await Self.run { fixture, receiver, _ in
            receiver.answer([.internalServerError, .temporaryRedirect])
            let statuses = try await Self.deliver(fixture, attempts: 5)
            #expect(statuses == [503, 503, 200])
            #expect(receiver.received.map(\.head.uri) == ["/", "/", "/"])
            #expect(Set(receiver.received.map { $0.head.headers["signature"] }).count == 3)
        }
    }
}
