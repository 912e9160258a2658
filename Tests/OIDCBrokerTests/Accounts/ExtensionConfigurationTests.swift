// SPDX-License-Identifier: Apache-2.0

import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The configuration that extensions are told of.
struct ExtensionConfigurationTests {
    @Test func `each extension gets the first configuration, and each one that is taken afterwards`() throws {
        let extensions = [StubAccounts(), StubAccounts(decidesSignIns: false)]
        let installation = try Installation(extensions: extensions)
        for accounts in extensions { #expect(accounts.configurations == [installation.configuration]) }
        var next = installation.configuration
        next.sealingKeys = [Secret(Installation.secondSealingKey)]
        try installation.broker.reload(next)
        for accounts in extensions { #expect(accounts.configurations == [installation.configuration, next]) }
        var refused = next
        refused.sealingKeys = []
        #expect(throws: BrokerConfigurationError.self) { try installation.broker.reload(refused) }
        for accounts in extensions { #expect(accounts.configurations.last == next) }
    }

    @Test func `a broker that is not made tells no extension`() {
        let accounts = StubAccounts()
        #expect(throws: BrokerConfigurationError.self) {
            try Installation(extensions: [accounts]) { $0.sealingKeys = [] }
        }
        #expect(accounts.configurations.isEmpty)
    }

    // MARK: One step

    @Test func `a sign-in finishes with the extensions that it began with`() throws {
        let (first, second) = (StubAccounts(), StubAccounts())
        let installation = try Installation(extensions: [first]) { $0.apps[0].accounts = true }
        installation.provider.behave { $0.latePaths = ["/token"] }
        var browser = Browser(installation)
        let app = AppClient.shop
        let callback = try browser.authenticate(app)
        let pending = try browser.bringWithoutWaiting(callback)
        installation.eventLoop.run()
        #expect(pending.response == nil)
        try installation.broker.reload(installation.configuration, extensions: second.roles)
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        let location = try Location(try #require(pending.response))
        let code = try #require(location["code"])
        #expect(first.asked.count == 1 && second.asked.isEmpty)
        // The redemption is a request of its own.
        let redemption = try installation.redeem(code, app)
        #expect(redemption.status == 200)
        #expect(first.askedAbout.isEmpty && second.askedAbout == [StubAccounts.uid])
    }

    @Test func `configuration and extensions are in use in one step`() throws {
        let (first, second) = (StubAccounts(), StubAccounts())
        let installation = try Installation(extensions: [first])
        let broker = installation.broker
        let began = broker.current
        var next = installation.configuration
        next.sealingKeys = [Secret(Installation.secondSealingKey)]
        try broker.reload(next, extensions: second.roles) {
            // A request that begins now.
            #expect(broker.current.configuration == next)
            #expect(broker.current.extensions.notifications.map { ($0 as? StubAccounts) === second } == [true])
            #expect((broker.current.extensions.decider as? StubAccounts) === second)
        }
        #expect(
            began.configuration == installation.configuration && (began.extensions.decider as? StubAccounts) === first)
        #expect(first.configurations == [installation.configuration] && second.configurations == [next])
    }

    @Test func `a reload that is refused keeps the extensions`() throws {
        let (first, second) = (StubAccounts(), StubAccounts())
        let installation = try Installation(extensions: [first])
        var refused = installation.configuration
        refused.sealingKeys = []
        #expect(throws: BrokerConfigurationError.self) {
            try installation.broker.reload(refused, extensions: second.roles) { Issue.record("it was not refused") }
        }
        #expect((installation.broker.current.extensions.decider as? StubAccounts) === first)
        #expect(second.configurations.isEmpty)
    }
}
