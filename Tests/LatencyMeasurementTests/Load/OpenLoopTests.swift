// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

/// Nanoseconds.
private let millisecond: Int64 = 1_000_000

@Suite struct OpenLoopTests {
    @Test func `arrivals come at a constant rate, whatever happened before`() {
        var loop = OpenLoop(users: 100, rate: 1000, begin: 0, end: 10 * millisecond)
        #expect(loop.arrivalCount == 10)
        #expect(loop.wakeUp == 0)
        var intended: [Int64] = []
        for time in stride(from: Int64(0), to: 20 * millisecond, by: Int(millisecond) / 2) {
            intended += loop.advance(to: time).map(\.intendedStart)
        }
        #expect(intended == (0..<10).map { Int64($0) * millisecond })
        #expect(loop.isExhausted)
        #expect(loop.wakeUp == nil)
    }

    @Test func `nothing begins before its time`() {
        var loop = OpenLoop(users: 1, rate: 10, begin: 5 * millisecond, end: 1000 * millisecond)
        #expect(loop.wakeUp == 5 * millisecond)
        let early = loop.advance(to: 5 * millisecond - 1)
        #expect(early.isEmpty)
        let due = loop.advance(to: 5 * millisecond)
        #expect(due == [Assignment(user: 0, intendedStart: 5 * millisecond)])
    }

    /// The main property: one user, 1,000 arrivals a second, and a target that stalls for 100 ms. All sign-ins that
    /// were meant to begin in that time have waited, although the generator sent no requests.
    @Test func `latency is counted from the intended start: a stall is seen by all who arrive in it`() throws {
        var loop = OpenLoop(users: 1, rate: 1000, begin: 0, end: 200 * millisecond)
        var clock: Int64 = 0
        var latencies: [Int64] = []
        var due = loop.advance(to: clock)
        while let assignment = due.first {
            // The first sign-in takes 100 ms, every other 0.1 ms.
            clock = max(clock, assignment.intendedStart)
            clock += latencies.isEmpty ? 100 * millisecond : millisecond / 10
            latencies.append(clock - assignment.intendedStart)
            due = loop.userBecameIdle(assignment.user, at: clock)
            if due.isEmpty, let wakeUp = loop.wakeUp {
                clock = wakeUp
                due = loop.advance(to: clock)
            }
        }
        #expect(latencies.count == 200)
        #expect(latencies[0] == 100 * millisecond)
        // The second was meant to begin at 1 ms and could at 100 ms.
        #expect(latencies[1] == 99 * millisecond + millisecond / 10)
        #expect(latencies[50] > 40 * millisecond)
        // The backlog is worked off, and the rest do not wait.
        let last = try #require(latencies.last)
        #expect(last == millisecond / 10)
        // A closed loop would have seen one slow sign-in; here half of them are.
        #expect(latencies.count { $0 > 10 * millisecond } > 90)
    }

    @Test func `arrivals without a free user wait, and keep their time`() {
        var loop = OpenLoop(users: 2, rate: 1000, begin: 0, end: 10 * millisecond)
        let first = loop.advance(to: 5 * millisecond)
        #expect(first.map(\.intendedStart) == [0, millisecond])
        #expect(Set(first.map(\.user)) == [0, 1])
        // No user is free, so time alone changes nothing.
        #expect(loop.wakeUp == nil)
        #expect(loop.backlog(at: 5 * millisecond) == 4)
        let later = loop.userBecameIdle(1, at: 7 * millisecond)
        #expect(later == [Assignment(user: 1, intendedStart: 2 * millisecond)])
    }

    @Test func `arrivals that are due together begin together`() {
        var loop = OpenLoop(users: 10, rate: 1000, begin: 0, end: 100 * millisecond)
        let due = loop.advance(to: 4 * millisecond)
        #expect(due.map(\.intendedStart) == [0, 1, 2, 3, 4].map { $0 * millisecond })
        #expect(Set(due.map(\.user)).count == 5)
        #expect(loop.wakeUp == 5 * millisecond)
    }

    @Test func `a rate that divides no second evenly does not drift`() {
        let loop = OpenLoop(users: 1, rate: 3, begin: 0, end: 3600 * 1000 * millisecond)
        #expect(loop.arrivalCount == 10_800)
        #expect(loop.intendedStart(ofArrival: 3) == 1000 * millisecond)
        #expect(loop.intendedStart(ofArrival: 10_797) == 3_599_000 * millisecond)
    }

    @Test(arguments: [0.0, -1, .infinity, .nan])
    func `a rate that is none makes no arrival`(rate: Double) {
        var loop = OpenLoop(users: 1, rate: rate, begin: 0, end: 1000 * millisecond)
        #expect(loop.isExhausted)
        #expect(loop.wakeUp == nil)
        #expect(loop.backlog(at: 500 * millisecond) == 0)
        let due = loop.advance(to: 500 * millisecond)
        #expect(due.isEmpty)
    }

    @Test func `no user, no sign-in`() {
        var loop = OpenLoop(users: 0, rate: 1000, begin: 0, end: 10 * millisecond)
        let due = loop.advance(to: 5 * millisecond)
        #expect(due.isEmpty)
        #expect(loop.wakeUp == nil)
        #expect(!loop.isExhausted)
    }
}
