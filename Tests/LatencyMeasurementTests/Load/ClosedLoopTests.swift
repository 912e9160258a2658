// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct ClosedLoopTests {
    @Test func `all users begin at the begin, each anew when it is done`() {
        var loop = ClosedLoop(users: 3, begin: 100, end: 1000)
        #expect(loop.wakeUp == 100)
        let early = loop.advance(to: 99)
        #expect(early.isEmpty)
        let first = loop.advance(to: 100)
        #expect(first == (0..<3).map { Assignment(user: $0, intendedStart: 100) })
        #expect(loop.wakeUp == nil)
        let next = loop.userBecameIdle(1, at: 250)
        #expect(next == [Assignment(user: 1, intendedStart: 250)])
    }

    @Test func `no user begins at or after the end`() {
        var loop = ClosedLoop(users: 2, begin: 0, end: 1000)
        _ = loop.advance(to: 0)
        let last = loop.userBecameIdle(0, at: 999)
        #expect(last.count == 1)
        #expect(!loop.isExhausted)
        let none = loop.userBecameIdle(1, at: 1000)
        #expect(none.isEmpty)
        #expect(loop.isExhausted)
        let after = loop.userBecameIdle(0, at: 1001)
        #expect(after.isEmpty)
    }

    @Test func `a user that is done before the begin waits for it`() {
        var loop = ClosedLoop(users: 1, begin: 100, end: 1000)
        let early = loop.userBecameIdle(7, at: 50)
        #expect(early.isEmpty)
        let due = loop.advance(to: 120)
        #expect(Set(due.map(\.user)) == [0, 7])
        #expect(due.allSatisfy { $0.intendedStart == 120 })
    }
}
