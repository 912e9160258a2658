// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker

@Suite("Generations of the single-use store in memory")
struct GenerationsTests {
    private static let start: Int64 = 1_800_000_000

    private func key(_ number: Int64) -> SingleUseKey {
        SingleUseKey(.handOff, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    @Test("never keeps more than two turns of what nobody takes")
    func bound() {
        var generations = InMemorySingleUseStore.Generations(turn: 60)
        for second: Int64 in 0..<1000 {
            let now = Self.start + second
            generations.advance(to: now)
            let insertion = generations.insertIfAbsent(
                key(second), value: [1], expiry: now + 60, now: now, isFull: false)
            #expect(insertion == .inserted)
            #expect(generations.count <= 120, "\(second)")
            #expect(second < 59 || generations.contains(key(second - 59), now: now))
            #expect(second < 60 || !generations.contains(key(second - 60), now: now))
        }
        generations.advance(to: Self.start + 1060)
        #expect(generations.count == 0)
    }

    @Test("full, it takes only what is there already, expired")
    func full() {
        var generations = InMemorySingleUseStore.Generations(turn: 60)
        #expect(generations.insertIfAbsent(key(1), value: [], expiry: 60, now: 0, isFull: false) == .inserted)
        #expect(generations.insertIfAbsent(key(2), value: [], expiry: 60, now: 0, isFull: true) == .full)
        #expect(generations.insertIfAbsent(key(1), value: [], expiry: 60, now: 59, isFull: true) == .present)
        #expect(generations.insertIfAbsent(key(1), value: [], expiry: 120, now: 60, isFull: true) == .inserted)
        #expect(generations.count == 1)
    }

    @Test("what is taken is gone from both")
    func taking() {
        var generations = InMemorySingleUseStore.Generations(turn: 60)
        generations.advance(to: 0)
        #expect(generations.insertIfAbsent(key(1), value: [1], expiry: 61, now: 0, isFull: false) == .inserted)
        #expect(generations.insertIfAbsent(key(2), value: [2], expiry: 100, now: 0, isFull: false) == .inserted)
        generations.advance(to: 60)
        // The first is in the older generation now, and expires there.
        #expect(generations.insertIfAbsent(key(1), value: [3], expiry: 120, now: 61, isFull: false) == .inserted)
        #expect(generations.count == 3)
        #expect(generations.take(key(1), now: 61) == [3])
        #expect(generations.count == 1)
        #expect(generations.take(key(1), now: 0) == nil)
        #expect(generations.take(key(2), now: 100) == nil)
        #expect(generations.count == 0)
    }
}
