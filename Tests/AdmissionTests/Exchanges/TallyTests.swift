// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// Counts of a bounded number of keys.
struct TallyTests {
    @Test func `a key beyond the bound is not counted; one that is forgotten makes room`() {
        var tally = Tally<Int>(limit: 2)
        for key in [1, 1, 2, 3, 3] { tally.add(key) }
        #expect([1, 2, 3].map { tally.count(of: $0) } == [2, 1, 0])
        #expect(tally.keyCount == 2)
        // What was not counted takes nothing away.
        tally.remove(3)
        tally.remove(2)
        tally.add(3)
        #expect([1, 2, 3].map { tally.count(of: $0) } == [2, 0, 1])
        tally.remove(1)
        #expect(tally.count(of: 1) == 1)
    }

    @Test func `what happened is counted for one turn at least and two at most`() {
        var tally = RecentTally<Int>(turn: 60, limit: 8)
        tally.advance(to: 1000)
        tally.add(1)
        tally.advance(to: 1059)
        tally.add(1)
        #expect(tally.count(of: 1) == 2)
        tally.advance(to: 1060)
        tally.add(1)
        #expect(tally.count(of: 1) == 3)
        tally.advance(to: 1119)
        #expect(tally.count(of: 1) == 3)
        tally.advance(to: 1120)
        #expect(tally.count(of: 1) == 1)
        tally.advance(to: 1180)
        #expect(tally.count(of: 1) == 0)
        #expect(tally.keyCount == 0)
    }

    @Test(
        arguments: [(120, 0), (1_000_000, 0), (Int64.max, 0), (-1, 1), (-5000, 1), (.min, 1)] as [(Int64, Int)])
    func
        `after a pause everything is forgotten; time that goes back, which it does not, forgets nothing and traps nowhere`(
            step: Int64, left: Int
        )
    {
        var tally = RecentTally<Int>(turn: 60, limit: 8)
        tally.advance(to: 0)
        tally.add(1)
        tally.advance(to: step)
        #expect(tally.count(of: 1) == left)
        tally.advance(to: .max)
        #expect(tally.count(of: 1) == 0)
        tally.advance(to: .min)
        #expect(tally.count(of: 1) == 0)
    }

    @Test func `says how long to wait, and the wait is enough`() {
        var tally = RecentTally<Int>(turn: 60, limit: 8)
        tally.advance(to: 1000)
        for _ in 0..<3 { tally.add(1) }
        #expect(tally.wait(of: 1, below: 3, now: 1000) == 120)
        tally.advance(to: 1070)
        #expect(tally.wait(of: 1, below: 3, now: 1070) == 50)
        tally.advance(to: 1119)
        #expect(tally.count(of: 1) == 3)
        #expect(tally.wait(of: 1, below: 3, now: 1119) == 1)
        tally.advance(to: 1120)
        #expect(tally.count(of: 1) == 0)
    }
}
