// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// Generations of claims of the single-use store in memory.
struct GenerationsTests {
    private typealias Moment = InMemorySingleUseStore.Moment
    private static let start: Int64 = 1_800_000_000

    private func key(_ number: Int64) -> SingleUseKey {
        SingleUseKey(.login, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func at(_ seconds: Int64, wall: Int64 = 0) -> InMemorySingleUseStore.Moment {
        Moment(wall: Self.start + seconds + wall, elapsed: 5000 + seconds)
    }

    @Test func `keeps no claim for more than two minutes after its end`() {
        var generations = InMemorySingleUseStore.Generations(capacity: 1000)
        for second: Int64 in 0..<1000 {
            let now = at(second)
            generations.advance(to: now)
            #expect(generations.claim(key(second), lifetime: 60, now, isFull: false) == .won)
            #expect(generations.count <= 121, "\(second)")
            #expect(second < 59 || generations.contains(key(second - 59), now))
            #expect(second < 60 || !generations.contains(key(second - 60), now))
        }
        generations.advance(to: at(1060))
        #expect(generations.count == 0)
        #expect(generations.bytes == 0)
    }

    /// Two claims of ten minutes are one sign-in. What has ended goes within a minute.
    @Test func `the claims of an hour need no more room than those of eleven minutes`() {
        let capacity = 2 * 660
        var generations = InMemorySingleUseStore.Generations(capacity: capacity)
        for second: Int64 in 0..<3600 {
            for number in [second, 10_000 + second] {
                generations.advance(to: at(second))
                let isFull = generations.count >= capacity
                #expect(generations.claim(key(number), lifetime: 600, at(second), isFull: isFull) == .won)
            }
        }
        #expect(generations.bytes <= capacity * InMemorySingleUseStore.ClaimTable.bytesOfClaim)
        // The room of the default store is that of so many such sign-ins, and what records cannot take of it.
        let room = InMemorySingleUseStore.defaultBytes / 2 / InMemorySingleUseStore.ClaimTable.bytesOfClaim
        #expect(room / capacity >= 2000)
        #expect(room / 4 * 3 / capacity >= 1200)
    }

    @Test(
        arguments: [3600, 86_400, 315_360_000] as [Int64])
    func `however the wall clock is set, claims end: in time, or within two hours`(step: Int64) {
        for direction: Int64 in [-1, 1] {
            let wall = step * direction
            var generations = InMemorySingleUseStore.Generations(capacity: 1000)
            generations.advance(to: at(0))
            #expect(generations.claim(key(0), lifetime: 600, at(0), isFull: false) == .won)
            // Then the clock is set, and sign-ins go on.
            for second: Int64 in stride(from: 10, to: 20_000, by: 10) {
                let now = at(second, wall: wall)
                generations.advance(to: now)
                #expect(generations.claim(key(second), lifetime: 600, now, isFull: false) == .won)
                // Forward, nothing ends early; back, claims made after the step do not wait.
                #expect(second < 600 || generations.contains(key(second - 590), now))
                #expect(second < 620 || !generations.contains(key(second - 600), now))
                #expect(generations.count <= 70, "\(second)")
            }
            generations.advance(to: at(30_000, wall: wall))
            #expect(generations.count == 0)
        }
    }

    @Test func `full, it takes only what is there already, over`() {
        var generations = InMemorySingleUseStore.Generations(capacity: 1000)
        #expect(generations.claim(key(1), lifetime: 60, at(0), isFull: false) == .won)
        #expect(generations.claim(key(2), lifetime: 60, at(0), isFull: true) == .full)
        #expect(generations.claim(key(1), lifetime: 60, at(59), isFull: true) == .lost)
        #expect(generations.claim(key(1), lifetime: 60, at(60), isFull: true) == .won)
        #expect(generations.count == 1)
    }
}
