// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
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
        #expect(claims.bytes == 48)
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

    @Test func `a full store in memory says which part is full and which setting enlarges it, once a minute`() throws {
        let log = CapturedLog()
        let clock = TestClock()
        let store = InMemorySingleUseStore(capacity: 1, clock: clock.elapsed, wallClock: clock)
        let eventLoop = EmbeddedEventLoop()
        let access = SingleUseAccess(
            .immediate(store), fullLog: FullStoreLog(log.logger, setting: "auth.store-bytes"))
        func claim(_ number: UInt8) { _ = access.claim(SingleUseKey(.login, [number]), seconds: 600, on: eventLoop) }
        claim(1)
        #expect(log.lines.isEmpty)
        for number in 2..<20 as Range<UInt8> { claim(number) }
        for number in 1..<3 as Range<UInt8> {
            _ = access.put(SingleUseKey(.handOff, [number]), value: [1], seconds: 60, on: eventLoop)
            _ = access.put(SingleUseKey(.heldHandOff, [number]), value: [1], seconds: 600, on: eventLoop)
        }
        #expect(log.lines.map { $0.metadata["auth.detail"] } == ["claims", "records", "waiting_records"])
        for line in log.lines {
            #expect(line.level == .error && line.message == "store full: sign-ins fail until entries expire")
            #expect(line.metadata["auth.key"] == "auth.store-bytes")
        }
        eventLoop.advanceTime(by: .seconds(59))
        claim(20)
        #expect(log.lines.count == 3)
        eventLoop.advanceTime(by: .seconds(1))
        claim(21)
        #expect(log.lines.count == 4)
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
