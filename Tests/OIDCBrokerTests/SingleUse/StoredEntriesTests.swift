// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse
@testable import OIDCBrokerPages

/// The data that a store receives.
struct StoredEntriesTests {
    @Test func `is a claim for the rest of the login and two minutes, and ciphertext for sixty seconds`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let app = AppClient.back
        let response = try browser.authenticate(app)
        #expect(store.calls.allSatisfy { $0.lifetime == nil })
        installation.clock.advance(by: 100)
        let code = try #require(try Location(try browser.bring(response))["code"])
        let entries = store.calls.filter { $0.lifetime != nil }
        #expect(entries.count == 2)
        #expect(entries[0].value == nil)
        // The clock of another replica may be behind by one minute, and that of this one ahead by one.
        #expect(entries[0].lifetime == .seconds(500 + 120))
        #expect(entries[1].lifetime == .seconds(60))
        let codeBytes = try #require(Base64URL.decode(code))
        #expect(entries[1].key.bytes != codeBytes)
        let text = String(decoding: try #require(entries[1].value), as: UTF8.self)
        for secret in installation.provider.issuedSecrets + [code, "back-office", TestProvider.subject] {
            #expect(!text.contains(secret))
        }
        // Whoever redeems it again is recognized as long as the access token lives.
        #expect(try installation.redeem(code, app).status == 200)
        #expect(store.calls.count { $0.lifetime != nil } == 3)
        #expect(store.calls.last { $0.lifetime != nil }?.lifetime == .seconds(300 + 120))
    }
}
