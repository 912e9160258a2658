// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerState
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
        // A second redemption is recognized for ten minutes, however long the access token lives.
        #expect(try installation.redeem(code, app).status == 200)
        #expect(store.calls.count { $0.lifetime != nil } == 3)
        #expect(store.calls.last { $0.lifetime != nil }?.lifetime == .seconds(600 + 120))
    }

    @Test func `is for an ended access token a claim for the rest of its life, which counts for its app`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store) { $0.apps[1].accessTokenLifetime = .seconds(86_400) }
        var browser = Browser(installation)
        let app = AppClient.back
        let code = try #require(try browser.signIn(app)["code"])
        let tokens = try installation.redeem(code, app).json()
        installation.clock.advance(by: 400)
        var request = installation.tokenRequest([
            ("token", try #require(tokens["access_token"]?.text?.makeString())), ("client_id", app.clientID),
            ("client_secret", Installation.backSecret),
        ])
        request.path = "/__/auth/revoke"
        #expect(try installation.respond(request).status == 200)
        let ended = try #require(store.calls.last)
        #expect(ended.lifetime == .seconds(86_000 + 120))
        #expect(ended.owner?.provider == .app(clientID: app.clientID))
        // Of a code that comes again it is not known how long the token of the first redemption lives.
        #expect(try installation.redeem(code, app).status == 400)
        #expect(store.calls.last?.lifetime == .seconds(86_400 + 120))
    }
}
