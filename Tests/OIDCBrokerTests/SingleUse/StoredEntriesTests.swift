// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages

/// The data that a store receives.
struct StoredEntriesTests {
    /// A store that keeps a copy of everything it was given.
    private final class WatchedStore: SingleUseStore {
        struct Entry { let key: [UInt8], value: [UInt8]?, lifetime: Duration }

        private let store = InMemorySingleUseStore()
        private let storage = Mutex<[Entry]>([])

        var entries: [Entry] { storage.withLock { $0 } }

        private func note(_ key: SingleUseKey, _ value: [UInt8]?, _ lifetime: Duration) {
            storage.withLock { $0.append(Entry(key: key.bytes, value: value, lifetime: lifetime)) }
        }

        func claim(
            _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseClaim> {
            note(key, nil, lifetime)
            return store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: eventLoop)
        }

        func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUsePut> {
            note(key, value, lifetime)
            return store.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
        }

        func take(
            _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseTake> {
            note(key, nil, claimLifetime)
            return store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop)
        }

        func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
            store.read(key, on: eventLoop)
        }

        func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
            store.remove(key, ifEqual: value, on: eventLoop)
        }

        func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
            store.isClaimed(key, on: eventLoop)
        }
    }

    @Test func `is a claim for the rest of the login and two minutes, and ciphertext for sixty seconds`() throws {
        let store = WatchedStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let app = AppClient.back
        let response = try browser.authenticate(app)
        #expect(store.entries.isEmpty)
        installation.clock.advance(by: 100)
        let code = try #require(try Location(try browser.bring(response))["code"])
        let entries = store.entries
        #expect(entries.count == 2)
        #expect(entries[0].value == nil)
        // The clock of another replica may be behind by one minute, and that of this one ahead by one.
        #expect(entries[0].lifetime == .seconds(500 + 120))
        #expect(entries[1].lifetime == .seconds(60))
        let codeBytes = try #require(Base64URL.decode(code))
        #expect(entries[1].key != codeBytes)
        let text = String(decoding: try #require(entries[1].value), as: UTF8.self)
        for secret in installation.provider.issuedSecrets + [code, "back-office", TestProvider.subject] {
            #expect(!text.contains(secret))
        }
        // Whoever redeems it again is recognized as long as the access token lives.
        #expect(try installation.redeem(code, app).status == 200)
        #expect(store.entries.count == 3)
        #expect(store.entries.last?.lifetime == .seconds(300 + 120))
    }
}
