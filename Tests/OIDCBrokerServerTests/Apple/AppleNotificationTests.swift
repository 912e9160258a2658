// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerTesting
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Apple's notifications about accounts to a server that embeds the broker and has a handler.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleNotificationTests {
    private static func run(_ body: (AppleFixture, NotificationRecorder) async throws -> Void) async throws {
        let recorder = NotificationRecorder()
        var options = AppleFixture.Options()
        options.notificationHandler = recorder
        try await AppleFixture.run(options) { try await body($0, recorder) }
    }

    private static func deliver(
        _ notification: MockApple.Notification, _ fixture: AppleFixture, attempts: Int = 1
    ) async throws -> [Int] {
        try await fixture.apple.deliver(
            notification, to: fixture.issuer + "/notifications/apple",
            certificateAuthority: try TestCertificate.shared().certificatePEM, attempts: attempts)
    }

    @Test(
        .attack(.forgedAppleNotification),
        arguments: [
            ("email-disabled", .emailDisabled), ("email-enabled", .emailEnabled), ("consent-revoked", .consentRevoked),
            ("account-delete", .accountDeleted), ("account-deleted", .accountDeleted),
            ("something-new", .unknown("something-new")),
        ] as [(String, AppleNotification.Kind)])
    func `each kind reaches the handler, about the user whom sign-ins name`(
        name: String, kind: AppleNotification.Kind
    ) async throws {
        try await Self.run { fixture, recorder in
            let person = try await fixture.signIn(fixture.browser()).token
            let notification = fixture.apple.notification(name, about: AppleFixture.ada, to: AppleFixture.servicesID)
            let statuses = try await Self.deliver(notification, fixture)
            #expect(statuses == [200])
            let kinds = recorder.taken.map { taken -> AppleNotification.Kind? in
                if case .apple(let notification) = taken.event { notification.kind } else { nil }
            }
            #expect(kinds == [kind])
            #expect(recorder.taken.map(\.subject) == [person.subject])
            #expect(recorder.taken.map(\.provider) == ["apple.com"])
            #expect(recorder.taken.map(\.issuer) == [fixture.apple.issuer])
        }
    }

    @Test(.attack(.forgedAppleNotification))
    func `Apple hears of success only after the handler took it, and a repetition is not handed on`()
        async throws
    {
        try await Self.run { fixture, recorder in
            recorder.refuse(2)
            let notification = fixture.apple.notification(
                "consent-revoked", about: AppleFixture.ada, to: AppleFixture.servicesID)
            let statuses = try await Self.deliver(notification, fixture, attempts: 5)
            #expect(statuses == [503, 503, 200])
            #expect(recorder.offered == 3)
            let again = try await Self.deliver(notification, fixture)
            #expect(again == [200])
            #expect(recorder.offered == 3)
            #expect(recorder.taken.count == 1)
        }
    }

    @Test(.attack(.forgedAppleNotification))
    func `for a bundle id of an app too; for another client, from another sender, or old, refused`()
        async throws
    {
        try await Self.run { fixture, recorder in
            let native = fixture.apple.notification(
                "consent-revoked", about: AppleFixture.ada, to: AppleFixture.bundleID)
            let taken = try await Self.deliver(native, fixture)
            #expect(taken == [200])
            #expect(recorder.offered == 1)

            let good = fixture.apple.notification(
                "consent-revoked", about: AppleFixture.ada, to: AppleFixture.servicesID)
            var forged = good
            forged.isSignedByApple = false
            var foreign = good
            foreign.audience = "com.example.somebody"
            var other = good
            other.issuer = "https://appleid.example"
            var old = good
            old.issuedAt = fixture.clock.now() - 30 * 86_400
            for bad in [forged, foreign, other, old] {
                let statuses = try await Self.deliver(bad, fixture)
                #expect(statuses == [400])
            }
            #expect(recorder.offered == 1)
            // What was refused claimed nothing: the same `jti`, in order, is taken.
            let last = try await Self.deliver(good, fixture)
            #expect(last == [200])
            #expect(recorder.offered == 2)
        }
    }

    @Test(.attack(.forgedAppleNotification))
    func `Apple's keys are unavailable: it is told to send again`() async throws {
        try await Self.run { fixture, recorder in
            fixture.apple.set(.keySetUnavailable)
            let notification = fixture.apple.notification(
                "consent-revoked", about: AppleFixture.ada, to: AppleFixture.servicesID)
            let down = try await Self.deliver(notification, fixture)
            #expect(down == [503])
            fixture.apple.set(.none)
            fixture.clock.advance(by: 60)
            let up = try await Self.deliver(notification, fixture)
            #expect(up == [200])
            #expect(recorder.taken.count == 1)
        }
    }
}
