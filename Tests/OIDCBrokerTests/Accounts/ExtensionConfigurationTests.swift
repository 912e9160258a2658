// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// The configuration that extensions are told of.
struct ExtensionConfigurationTests {
    @Test func `each extension gets the first configuration, and each one that is taken afterwards`() throws {
        let extensions = [StubAccounts(), StubAccounts(admitsSignIns: false)]
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

    @Test func `a broker that is not made tells nobody`() {
        let accounts = StubAccounts()
        #expect(throws: BrokerConfigurationError.self) {
            try Installation(extensions: [accounts]) { $0.sealingKeys = [] }
        }
        #expect(accounts.configurations.isEmpty)
    }
}
