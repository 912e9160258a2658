// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker

@Suite("A generation of the single-use store in memory")
struct GenerationTests {
    private static let start: Int64 = 1_800_000_000

    private func key(_ number: UInt8) -> SingleUseKey { SingleUseKey(.login, [number]) }

    private static let values: [[UInt8]] = [[], [7]]

    @Test("keeps marks and values apart, and each key once", arguments: values, values)
    func once(first: [UInt8], second: [UInt8]) {
        var generation = InMemorySingleUseStore.Generation()
        let start = Self.start
        #expect(generation.insertIfAbsent(key(1), value: first, expiry: start + 60, now: start) == true)
        #expect(generation.insertIfAbsent(key(1), value: second, expiry: start + 600, now: start + 59) == false)
        #expect(generation.count == 1)
        #expect(generation.latestExpiry == start + 60)
        #expect(generation.contains(key(1), now: start + 59))
        #expect(!generation.contains(key(1), now: start + 60))
        // Expired, it makes room for whichever kind comes, and what is left of it goes with that.
        #expect(generation.insertIfAbsent(key(1), value: second, expiry: start + 120, now: start + 60) == true)
        #expect(generation.latestExpiry == start + 120)
        #expect(generation.take(key(1), now: start + 119) == second)
        #expect(generation.take(key(1), now: start) == nil)
        #expect(generation.isEmpty)
    }

    @Test("a mark is another one whichever byte of its key differs")
    func bytes() {
        let bytes = (0..<32).map { UInt8($0) }
        var generation = InMemorySingleUseStore.Generation()
        #expect(generation.insertIfAbsent(SingleUseKey(bytes: bytes), value: [], expiry: 60, now: 0) == true)
        for position in bytes.indices {
            var other = bytes
            other[position] ^= 1
            let key = SingleUseKey(bytes: other)
            #expect(!generation.contains(key, now: 0))
            #expect(generation.insertIfAbsent(key, value: [], expiry: 60, now: 0) == true, "\(position)")
            #expect(generation.take(key, now: 0) == [])
        }
        #expect(generation.count == 1)
    }

    @Test(
        "a mark lives exactly as long as it may, however far its expiry is from the first one's insertion",
        arguments: [-1_000_000_000, -1, 0, 1, Int64(UInt32.max), Int64(UInt32.max) + 1, Int64.max - start])
    func expiries(distance: Int64) {
        var generation = InMemorySingleUseStore.Generation()
        // The first sets what others are counted from; by the next one's turn the clock may have been set.
        #expect(generation.insertIfAbsent(key(0), value: [], expiry: Self.start + 600, now: Self.start) == true)
        let expiry = Self.start + distance
        #expect(generation.insertIfAbsent(key(1), value: [], expiry: expiry, now: expiry - 1) == true)
        #expect(generation.insertIfAbsent(key(1), value: [], expiry: expiry, now: expiry - 1) == false)
        #expect(generation.contains(key(1), now: expiry - 1))
        #expect(!generation.contains(key(1), now: expiry))
        #expect(generation.latestExpiry == max(Self.start + 600, expiry))
        #expect(generation.take(key(1), now: expiry - 1) == [])
        #expect(generation.count == 1)
    }

    @Test("an expiry too far from the first insertion to be told as a number is kept as well")
    func overflow() {
        var generation = InMemorySingleUseStore.Generation()
        #expect(generation.insertIfAbsent(key(0), value: [], expiry: -1, now: -2) == true)
        #expect(generation.insertIfAbsent(key(1), value: [], expiry: .max, now: 0) == true)
        #expect(generation.contains(key(1), now: .max - 1))
    }
}
