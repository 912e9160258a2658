// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Notifications as Apple posts them, verified with the keys that Apple publishes.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct NotificationDeliveryTests {
    private func notification(
        _ session: AppleSession, _ change: (inout MockApple.Notification) -> Void = { _ in }
    ) -> MockApple.Notification {
        var notification = session.apple.notification(
            "consent-revoked", about: MockApple.Person.mock[0], to: Apple.servicesID)
        change(&notification)
        return notification
    }

    private func read(_ session: AppleSession, _ notification: MockApple.Notification) async throws
        -> AppleNotification
    {
        try await session.relyingParty.appleNotification(
            body: Array(try session.apple.body(of: notification).utf8), nativeAudiences: [Apple.bundleID],
            using: AppleSession.group)
    }

    @Test(
        .attack(.forgedAppleNotification),
        arguments: ["email-disabled", "email-enabled", "consent-revoked", "account-delete", "account-deleted", "new"])
    func `a notification of each kind, to the Services ID and to a bundle id`(type: String) async throws {
        try await AppleSession.run { session in
            let subject = try await session.signIn().signIn.subject
            for clientID in [Apple.servicesID, Apple.bundleID] {
                let sent = session.apple.notification(type, about: MockApple.Person.mock[0], to: clientID)
                let notification = try await read(session, sent)
                #expect(notification.kind == AppleNotification.Kind(name: type))
                #expect(notification.subject == subject)
                #expect(notification.audience == clientID)
                #expect(notification.identifier == sent.identifier)
                #expect(notification.eventTime == Apple.now)
                #expect((notification.email != nil) == type.hasPrefix("email-"))
                #expect(notification.isPrivateEmail == (type.hasPrefix("email-") ? true : nil))
            }
        }
    }

    @Test(.attack(.forgedAppleNotification)) func `events may be an object, as Apple documents it`() async throws {
        try await AppleSession.run { session in
            let notification = try await read(session, notification(session) { $0.writesEventsAsText = false })
            #expect(notification.kind == .consentRevoked)
        }
    }

    /// A way in which a notification lies.
    struct Lie: Sendable, CustomStringConvertible {
        let description: String
        let apply: @Sendable (inout MockApple.Notification) -> Void

        init(_ description: String, _ apply: @escaping @Sendable (inout MockApple.Notification) -> Void) {
            self.description = description
            self.apply = apply
        }
    }

    static let lies = [
        Lie("signature") { $0.isSignedByApple = false },
        Lie("issuer") { $0.issuer = "https://appleid.apple.com.example" },
        Lie("audience") { $0.audience = "com.somebody.else" },
        Lie("a bundle id that is not listed") { $0.audience = Apple.otherBundleID },
        Lie("an empty audience") { $0.audience = "" },
        Lie("from the future") { $0.issuedAt = Apple.now + 61 },
        Lie("of the day before yesterday") { $0.issuedAt = Apple.now - 86_461 },
        Lie("an empty jti") { $0.identifier = "" },
        Lie("a long jti") { $0.identifier = String(repeating: "j", count: 256) },
        Lie("without a subject") { $0.subject = nil },
    ]

    @Test(.attack(.forgedAppleNotification), arguments: lies)
    func `a lie is refused for good`(lie: Lie) async throws {
        try await AppleSession.run { session in
            let sent = notification(session, lie.apply)
            let error = await #expect(throws: AppleNotificationError.self) { try await read(session, sent) }
            #expect("\(String(describing: error))".contains("the notification"))
        }
    }

    @Test(.attack(.forgedAppleNotification), arguments: [60, -86_400, -86_459] as [Int64])
    func `a notification of today is taken, also one that was sent again`(offset: Int64) async throws {
        try await AppleSession.run { session in
            let taken = try await read(session, notification(session) { $0.issuedAt = Apple.now + offset })
            #expect(taken.issuedAt == Apple.now + offset)
        }
    }

    @Test(.attack(.forgedAppleNotification, .tokenOfAnotherKind))
    func `an ID token is not a notification, and a notification is not an ID token`() async throws {
        try await AppleSession.run { session in
            let idToken = try session.credential().idToken
            let body: JSONObject = ["payload": .string(idToken)]
            await #expect(throws: AppleNotificationError.self) {
                try await session.relyingParty.appleNotification(
                    body: body.serialized(), nativeAudiences: [Apple.bundleID], using: AppleSession.group)
            }
            let sent = notification(session) { $0.audience = Apple.bundleID }
            let text = try JSONParser.object(
                Array(session.apple.body(of: sent).utf8), limits: JSONLimits(maximumBytes: 65_536))
            let payload = try #require(text["payload"]?.text?.makeString())
            let error = await #expect(throws: RelyingPartyError.self) {
                _ = try await session.relyingParty.verifyNative(
                    idToken: Secret(payload), audiences: [Apple.bundleID], nonce: nil, nonceIsRequired: false,
                    in: RequestScope(on: AppleSession.loop)
                ).get()
            }
            #expect(error?.finding?.check == "token kind")
        }
    }

    @Test(
        .attack(.forgedAppleNotification),
        arguments: [
            "", "null", "[]", "{}", "payload", #"{"payload":7}"#, #"{"payload":null}"#, #"{"Payload":"a.b.c"}"#,
            #"{"payload":"a","payload":"b"}"#, #"{"payload":""}"#, #"{"payload":"a.b.c"}"#,
        ])
    func `what is not the body of a notification is refused, and Apple is not asked`(body: String) async throws {
        try await AppleSession.run { session in
            await #expect(throws: AppleNotificationError.self) {
                try await session.relyingParty.appleNotification(body: Array(body.utf8), using: AppleSession.group)
            }
            #expect(session.paths.isEmpty)
        }
    }

    @Test(.attack(.forgedAppleNotification)) func `more than a megabyte is not read`() async throws {
        try await AppleSession.run { session in
            let honest = try session.apple.body(of: notification(session))
            let padding = String(repeating: " ", count: 1_048_577 - honest.utf8.count)
            await #expect(throws: AppleNotificationError.body) {
                try await session.relyingParty.appleNotification(
                    body: Array((honest + padding).utf8), using: AppleSession.group)
            }
            let fits = try await session.relyingParty.appleNotification(
                body: Array((honest + padding.dropLast()).utf8), using: AppleSession.group)
            #expect(fits.kind == .consentRevoked)
        }
    }

    @Test(.attack(.forgedAppleNotification))
    func `while Apple's keys are unavailable it is not refused, but to be sent again`() async throws {
        try await AppleSession.run(AppleSetting(misbehavior: .keySetUnavailable)) { session in
            let sent = notification(session)
            let error = await #expect(throws: RelyingPartyError.self) { try await read(session, sent) }
            #expect(error?.isTemporary == true)
        }
    }
}
