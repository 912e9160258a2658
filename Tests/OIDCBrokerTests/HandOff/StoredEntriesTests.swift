// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker

/// The data that a store receives.
struct StoredEntriesTests {
    /// A store that keeps a copy of everything it was given.
    private final class WatchedStore: SingleUseStore {
        private let store = InMemorySingleUseStore()
        private let storage = Mutex<[(key: [UInt8], value: [UInt8], lifetime: Int64)]>([])

        var entries: [(key: [UInt8], value: [UInt8], lifetime: Int64)] { storage.withLock { $0 } }

        func insertIfAbsent(
            _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseInsertion> {
            storage.withLock { $0.append((key.bytes, value, expiry - now)) }
            return store.insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop)
        }

        func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
            store.take(key, now: now, on: eventLoop)
        }

        func read(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
            store.read(key, now: now, on: eventLoop)
        }

        func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
            store.contains(key, now: now, on: eventLoop)
        }
    }

    @Test func `is a mark without a value for the rest of the login, and ciphertext for sixty seconds`() throws {
        let store = WatchedStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let response = try browser.authenticate(.back)
        #expect(store.entries.isEmpty)
        installation.clock.advance(by: 100)
        let code = try #require(try Location(try browser.bring(response))["code"])
        let entries = store.entries
        #expect(entries.count == 2)
        #expect(entries[0].value.isEmpty)
        #expect(entries[0].lifetime == 500)
        #expect(entries[1].lifetime == 60)
        let codeBytes = try #require(Base64URL.decode(code))
        #expect(entries[1].key != codeBytes)
        let text = String(decoding: entries[1].value, as: UTF8.self)
        for secret in installation.provider.issuedSecrets + [code, "back-office", TestProvider.subject] {
            #expect(!text.contains(secret))
        }
    }
}
