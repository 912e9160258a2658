// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// Notifications of a provider that extensions take part in before they are handed on.
struct NotificationReceptionTests {
    private static func setup(_ extensions: [StubAccounts], hasWebhook: Bool = true) throws -> AppleSetup {
        try AppleSetup(extensions: extensions) {
            guard hasWebhook else { return }
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(ReplicaKey.signingKey))
        }
    }

    @Test(arguments: [false, true])
    func `it is received once, and handed on whether it concerned the extension or not`(isConcerned: Bool) throws {
        let accounts = StubAccounts()
        accounts.takePart(isConcerned)
        let setup = try Self.setup([accounts])
        let body = try setup.apple.notification("consent-revoked")
        for _ in 0..<2 { #expect(try setup.notify(body).status == 200) }
        #expect(accounts.received.map(\.provider) == ["apple.com"])
        #expect(accounts.received.first?.issuer == StubApple.issuer)
        #expect(setup.installation.transport.webhook.requests.count == 1)
        #expect(setup.installation.log.outcomes == ["delivered", "repeated"])
    }

    @Test func `where an extension fails, nothing is handed on, and the provider sends it again`() throws {
        let (first, second) = (StubAccounts(), StubAccounts())
        first.takePart(nil)
        let setup = try Self.setup([first, second])
        let body = try setup.apple.notification("consent-revoked")
        #expect(try setup.notify(body).status == 503)
        #expect(second.received.isEmpty)
        #expect(setup.installation.transport.webhook.requests.isEmpty)
        #expect(setup.installation.log.outcomes == ["not_delivered"])
        #expect(setup.installation.log.text.contains("Failure"))
        #expect(!setup.installation.log.text.contains("hunter2"))
        first.takePart(true)
        #expect(try setup.notify(body).status == 200)
        #expect(first.received.count == 2 && second.received.count == 1)
        #expect(setup.installation.transport.webhook.requests.count == 1)
    }

    @Test func `where the webhook fails, it comes again to the extension too`() throws {
        let accounts = StubAccounts()
        accounts.takePart(true)
        let setup = try Self.setup([accounts])
        setup.installation.transport.webhook.answer(500)
        let body = try setup.apple.notification("consent-revoked")
        #expect(try setup.notify(body).status == 503)
        setup.installation.transport.webhook.answer(200)
        #expect(try setup.notify(body).status == 200)
        #expect(accounts.received.count == 2)
    }

    @Test func `without a receiver it is delivered if it concerned an extension`() throws {
        let (first, second) = (StubAccounts(), StubAccounts())
        let setup = try Self.setup([first, second], hasWebhook: false)
        let body = try setup.apple.notification("consent-revoked")
        #expect(try setup.notify(body).status == 503)
        first.takePart(true)
        #expect(try setup.notify(body).status == 200)
        #expect(try setup.notify(body).status == 200)
        #expect(first.received.count == 2 && second.received.count == 2)
        #expect(setup.installation.log.outcomes == ["not_delivered", "delivered", "repeated"])
    }

    @Test func `it may be addressed to an app of an extension, and to no other`() throws {
        let accounts = StubAccounts()
        let setup = try Self.setup([accounts])
        let own = try setup.apple.notification("consent-revoked", audience: StubAccounts.audience)
        #expect(try setup.notify(own).status == 200)
        let other = try setup.apple.notification("consent-revoked", identifier: "jti-2", audience: "com.somebody.else")
        #expect(try setup.notify(other).status == 400)
        #expect(accounts.received.count == 1)
        let plain = try Self.setup([])
        let foreign = try plain.apple.notification("consent-revoked", audience: StubAccounts.audience)
        #expect(try plain.notify(foreign).status == 400)
    }
}
