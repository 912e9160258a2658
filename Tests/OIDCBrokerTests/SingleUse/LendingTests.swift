// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// What claims and records of the single-use store in memory lend each other.
struct LendingTests {
    private typealias Lending = InMemorySingleUseStore.Lending

    @Test func `a room lends what it does not use, at most a quarter, and what was lent is missing there`() {
        let lending = Lending(claims: 400, records: 200, isOn: true)
        for (records, claims) in [(0, 450), (150, 450), (151, 449), (200, 400), (300, 300)] {
            #expect(lending.claimLimit(recordBytes: records) == claims)
        }
        for (claims, records) in [(0, 300), (300, 300), (301, 299), (400, 200), (450, 150)] {
            #expect(lending.recordLimit(claimBytes: claims) == records)
        }
        // Each keeps three quarters of its own, and both use no more than both have.
        for claims in 0...600 {
            let records = lending.recordLimit(claimBytes: claims)
            #expect(claims > 450 || records >= 150)
            #expect(records + claims <= 600 || claims < 300)
        }
        let own = Lending(claims: 400, records: 200, isOn: false)
        #expect(own.claimLimit(recordBytes: 0) == 400)
        #expect(own.recordLimit(claimBytes: 0) == 200)
    }

    @Test func `records take a quarter of the room of claims, which is smaller then, until they are redeemed`() throws {
        let clock = TestClock()
        let store = InMemorySingleUseStore(
            bytes: InMemorySingleUseStore.allowedBytes.lowerBound, clock: clock.elapsed, wallClock: clock)
        func key(_ number: Int) -> SingleUseKey { SingleUseKey(.handOff, [UInt8(truncatingIfNeeded: number)]) }
        /// The number of claims for which there is room.
        func claims() throws -> Int {
            let usage = try #require(store.usage.first { $0.kind == .claims })
            #expect(usage.entries == 1)
            return Int((1 / usage.fullness).rounded())
        }
        #expect(store.claim(key(255), owner: nil, seconds: 600) == .won)
        // Half of 8 MiB, and a quarter of five sixteenths.
        #expect(try claims() == (4_194_304 + 655_360) / 24)
        let size = 65_536
        var count = 0
        while store.put(key(count), value: [UInt8](repeating: 1, count: size - 512), owner: nil, seconds: 60) == .stored
        {
            count += 1
        }
        #expect(count == (2_621_440 + 1_048_576) / size)
        #expect(try claims() == (4_194_304 + 2_621_440 - count * size) / 24)
        #expect(store.usage.first { $0.kind == .records }?.fullness == 1)
        for number in 0..<count { #expect(store.read(key(number))?.count == size - 512) }
        clock.advance(by: 60)
        #expect(try claims() == (4_194_304 + 655_360) / 24)
    }

    @Test func `a provider has half of the room itself, whatever is lent`() {
        var room = SingleUseRoom(capacity: 100, maximumBytes: 100)
        let provider = SingleUseKey.provider(issuer: "https://acme.example")
        room.limit = 200
        #expect(room.refusal(for: provider, bytes: 51) == .tooManyOfProvider)
        #expect(room.refusal(for: provider, bytes: 50) == nil)
        #expect(room.refusal(for: nil, bytes: 200) == nil)
        #expect(room.refusal(for: nil, bytes: 201) == .full)
        room.limit = 40
        #expect(room.refusal(for: provider, bytes: 41) == .full)
        #expect(room.add(nil, bytes: 50) == SingleUseRoom.noShare)
        #expect(room.refusal(for: nil, bytes: 0) == .full)
    }
}
