// SPDX-License-Identifier: Apache-2.0

import JOSE
import HTTPTypes
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// What Apple posts, handed on to the embedder's own handler.
@Suite struct NotificationHandlerTests {
    /// Notes what it is given, and does as it is told.
    private final class Handler: NotificationHandler {
        enum Way: Sendable { case takes, throwsSecret, neverReturns }

        struct Failure: Error, CustomStringConvertible {
            let description = "the-database-password-is-hunter2"
        }

        private let received = Mutex<[ProviderNotification]>([])
        private let way: Mutex<Way>
        /// Says that one came.
        let arrivals: AsyncStream<Void>
        private let arrived: AsyncStream<Void>.Continuation

        init(_ way: Way = .takes) {
            self.way = Mutex(way)
            (arrivals, arrived) = AsyncStream<Void>.makeStream()
        }

        var all: [ProviderNotification] { received.withLock { $0 } }
        func become(_ way: Way) { self.way.withLock { $0 = way } }

        func handle(_ notification: ProviderNotification) async throws {
            received.withLock { $0.append(notification) }
            arrived.yield()
            switch way.withLock({ $0 }) {
            case .takes: return
            case .throwsSecret: throw Failure()
            case .neverReturns:
                // Ends when the task is canceled, and not before.
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                await withTaskCancellationHandler {
                    for await _ in stream {}
                } onCancel: {
                    continuation.finish()
                }
                throw CancellationError()
            }
        }
    }

    private struct Fixture: Sendable {
        let broker: Broker
        let apple: StubApple
        let log: CapturedLog
        let webhook: StubWebhook
        let loop = NIOAsyncTestingEventLoop()

        /// The status of the response to a notification.
        func notify(_ body: String) async -> Int {
            await broker.respond(to: AppleSetup.notificationRequest(body), using: loop).head.status.code
        }
    }

    /// Not async: an embedded event loop stays on its thread.
    private static func fixture(_ handler: Handler) throws -> Fixture {
        let setup = try AppleSetup(notificationHandler: handler) {
            // A handler of one's own goes before it.
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(ReplicaKey.signingKey))
        }
        return Fixture(
            broker: setup.installation.broker, apple: setup.apple, log: setup.installation.log,
            webhook: setup.installation.transport.webhook)
    }

    @Test(.attack(.forgedAppleNotification)) func `it is handed on once it is verified, and once`() async throws {
        let handler = Handler()
        let fixture = try Self.fixture(handler)
        let body = try fixture.apple.notification("account-delete")
        let first = await fixture.notify(body)
        #expect(first == 200)
        let second = await fixture.notify(body)
        #expect(second == 200)
        #expect(handler.all.count == 1)
        let received = try #require(handler.all.first)
        #expect(received.provider == "apple.com")
        #expect(received.issuer == StubApple.issuer)
        #expect(received.apple?.kind == .accountDeleted)
        #expect(received.apple?.identifier == "jti-1")
        let subject = try #require(received.apple?.subject)
        #expect(received.subject == SubjectIdentifier.derive(issuer: StubApple.issuer, subject: subject))
        #expect(fixture.webhook.requests.isEmpty)
        let forged = await fixture.notify(try fixture.apple.notification("account-delete", isSignedByApple: false))
        #expect(forged == 400)
        #expect(handler.all.count == 1)
    }

    @Test(.attack(.forgedAppleNotification)) func `an unknown kind is handed on as unknown`() async throws {
        let handler = Handler()
        let fixture = try Self.fixture(handler)
        let status = await fixture.notify(try fixture.apple.notification("something-new", event: ["sub": .null]))
        #expect(status == 200)
        #expect(handler.all.first?.apple?.kind == .unknown("something-new"))
        #expect(handler.all.first?.subject == nil)
    }

    @Test(.attack(.forgedAppleNotification))
    func `where it throws, Apple is asked to send again, and nothing of the error is written down`()
        async throws
    {
        let handler = Handler(.throwsSecret)
        let fixture = try Self.fixture(handler)
        let body = try fixture.apple.notification("consent-revoked")
        let first = await fixture.notify(body)
        #expect(first == 503)
        #expect(!fixture.log.text.contains("hunter2"))
        #expect(fixture.log.outcomes == ["not_delivered"])
        handler.become(.takes)
        let second = await fixture.notify(body)
        #expect(second == 200)
        #expect(handler.all.count == 2)
    }

    @Test(.attack(.forgedAppleNotification), .timeLimit(.minutes(10)))
    func `where it takes longer than five seconds, Apple is asked to send again`() async throws {
        let handler = Handler(.neverReturns)
        let fixture = try Self.fixture(handler)
        let body = try fixture.apple.notification("consent-revoked")
        async let status = fixture.notify(body)
        var arrivals = handler.arrivals.makeAsyncIterator()
        _ = await arrivals.next()
        // The same one meanwhile: it is not handed on twice at a time.
        let meanwhile = await fixture.notify(body)
        #expect(meanwhile == 503)
        #expect(handler.all.count == 1)
        await fixture.loop.advanceTime(by: .milliseconds(4999))
        #expect(fixture.log.outcomes == ["not_delivered"])
        await fixture.loop.advanceTime(by: .milliseconds(1))
        let ended = await status
        #expect(ended == 503)
        #expect(fixture.log.text.contains("not accepted in time"))
        handler.become(.takes)
        let again = await fixture.notify(body)
        #expect(again == 200)
    }
}

extension ProviderNotification {
    /// The notification from Apple; `nil` if it is another provider's.
    fileprivate var apple: AppleNotification? {
        if case .apple(let notification) = event { notification } else { nil }
    }
}
