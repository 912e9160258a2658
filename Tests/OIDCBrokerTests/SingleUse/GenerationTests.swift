// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// A generation of claims of the single-use store in memory.
struct GenerationTests {
    private typealias Moment = InMemorySingleUseStore.Moment
    private static let start: Int64 = 1_800_000_000

    private func id(_ number: UInt8) -> InMemorySingleUseStore.ClaimID {
        InMemorySingleUseStore.ClaimID(SingleUseKey(.login, [number]))
    }

    private func generation(_ now: InMemorySingleUseStore.Moment) -> InMemorySingleUseStore.Generation {
        InMemorySingleUseStore.Generation(now, capacity: 100)
    }

    /// Both clocks, that many seconds on.
    private func at(_ seconds: Int64, wall: Int64 = 0) -> InMemorySingleUseStore.Moment {
        Moment(wall: Self.start + seconds + wall, elapsed: 5000 + seconds)
    }

    @Test func `keeps each key once, until it is over`() {
        var generation = generation(at(0))
        #expect(generation.claim(id(1), lifetime: 60, at(0), isFull: false) == .won)
        #expect(generation.claim(id(1), lifetime: 600, at(59), isFull: false) == .lost)
        #expect(generation.count == 1)
        #expect(generation.latestEnd == 5060)
        #expect(generation.contains(id(1), at(59)))
        #expect(!generation.contains(id(1), at(60)))
        #expect(generation.claim(id(1), lifetime: 60, at(60), isFull: false) == .won)
        #expect(generation.contains(id(1), at(119)))
        #expect(generation.count == 1)
        #expect(generation.isOver(at(120)))
    }

    @Test func `a claim is another one whichever byte of its key differs`() {
        let bytes = (0..<32).map { UInt8($0) }
        let first = InMemorySingleUseStore.ClaimID(SingleUseKey(bytes: bytes))
        for position in bytes.indices {
            var generation = generation(at(0))
            #expect(generation.claim(first, lifetime: 60, at(0), isFull: false) == .won)
            var other = bytes
            other[position] ^= 1
            let id = InMemorySingleUseStore.ClaimID(SingleUseKey(bytes: other))
            #expect(!generation.contains(id, at(0)))
            #expect(generation.claim(id, lifetime: 60, at(0), isFull: false) == .won, "\(position)")
            #expect(generation.count == 2)
        }
    }

    @Test func `a claim ends when both clocks say so, and waits for the wall clock two hours at most`() {
        var generation = generation(at(0))
        #expect(generation.claim(id(1), lifetime: 600, at(0), isFull: false) == .won)
        for day: Int64 in [3600, 86_400, 315_360_000] {
            // Set forward: elapsed time alone says when.
            #expect(generation.contains(id(1), at(599, wall: day)))
            #expect(!generation.contains(id(1), at(600, wall: day)))
            // Set back: until the wall clock is there again, or for two hours.
            #expect(generation.contains(id(1), at(600, wall: -day)))
            #expect(generation.contains(id(1), at(600 + min(day, 7200) - 1, wall: -day)))
            #expect(!generation.contains(id(1), at(600 + min(day, 7200), wall: -day)))
        }
    }

    @Test(arguments: [Int64.min, 0, .max])
    func `no time that a clock can show, and no lifetime, is too much`(time: Int64) {
        for other in [Int64.min, 0, .max] {
            let now = Moment(wall: time, elapsed: 5000)
            let lifetime = Moment.seconds(.seconds(other))
            #expect((1...Int64(UInt32.max)).contains(lifetime))
            var generation = generation(now)
            #expect(generation.claim(id(1), lifetime: lifetime, now, isFull: false) == .won)
            #expect(generation.contains(id(1), now))
            _ = generation.contains(id(1), Moment(wall: other, elapsed: 5001))
            #expect(generation.isOver(Moment(wall: other, elapsed: 5000 + lifetime + 7200)))
        }
    }

    @Test func `a claim lives also where elapsed time runs backward`() {
        var generation = generation(at(0))
        for back: Int64 in [60, 5000] {
            #expect(generation.claim(id(UInt8(back / 50)), lifetime: 10, at(-back), isFull: false) == .won)
            #expect(generation.claim(id(UInt8(back / 50)), lifetime: 10, at(-back), isFull: false) == .lost)
        }
    }
}
