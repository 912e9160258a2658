// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// How full a store in memory is, as operators see it.
@Suite struct StoreUsageTests {
    private static func usage(
        _ kind: SingleUseStoreUsage.Kind, of store: InMemorySingleUseStore, _ clock: TestClock
    ) -> SingleUseStoreUsage? {
        store.usage.first { $0.kind == kind }
    }

    @Test func `entries, bytes and the part in use, until the entries have ended`() throws {
        let clock = TestClock()
        let store = InMemorySingleUseStore(capacity: 4, clock: clock.elapsed, wallClock: clock)
        #expect(store.usage.map(\.entries) == [0, 0, 0, 0])
        #expect(store.usage.map(\.fullness) == [0, 0, 0, 0])
        for number in 0..<2 as Range<UInt8> {
            _ = store.claim(Self.key(number), owner: nil, seconds: 60)
        }
        _ = store.put(Self.key(9), value: [UInt8](repeating: 1, count: 100), owner: nil, seconds: 60)
        let claims = try #require(Self.usage(.claims, of: store, clock))
        #expect(claims.entries == 2)
        #expect(claims.bytes == 128)
        #expect(claims.fullness == 0.5)
        let records = try #require(Self.usage(.records, of: store, clock))
        #expect(records.entries == 1)
        #expect(records.bytes > 100)
        #expect(records.fullness == 0.25)
        clock.advance(by: 60)
        #expect(Self.usage(.records, of: store, clock)?.entries == 0)
        #expect(Self.usage(.records, of: store, clock)?.bytes == 0)
        clock.advance(by: 86_400)
        #expect(store.usage.map(\.entries) == [0, 0, 0, 0])
    }

    @Test func `at 1 the store is full`() {
        let clock = TestClock()
        let store = InMemorySingleUseStore(capacity: 2, clock: clock.elapsed, wallClock: clock)
        for number in 0..<2 as Range<UInt8> {
            #expect(store.claim(Self.key(number), owner: nil, seconds: 60) == .won)
        }
        #expect(Self.usage(.claims, of: store, clock)?.fullness == 1)
        #expect(store.claim(Self.key(3), owner: nil, seconds: 60) == .full)
    }

    private static func key(_ number: UInt8) -> SingleUseKey { SingleUseKey(.login, [number]) }
}
