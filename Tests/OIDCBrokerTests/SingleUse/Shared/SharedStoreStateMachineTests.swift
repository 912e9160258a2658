// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import Testing

@testable import OIDCBroker
@testable import SingleUse
@testable import OIDCBrokerPages

extension SharedStore.StateMachine {
    fileprivate init() { self.init(values: HeldQueue(.values, in: nil)) }
}

/// What is known of a store that replicas share, without a clock and without a store.
struct SharedStoreStateMachineTests {
    private typealias Machine = SharedStore.StateMachine

    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .milliseconds(milliseconds)
    }

    /// A store that has failed ten times a second since a moment, up to and without another one.
    private func fail(_ machine: inout SharedStore.StateMachine, from begin: Int64, to end: Int64) {
        for time in stride(from: begin, to: end, by: 100) { #expect(machine.failed(at(time)) == .none, "\(time)") }
    }

    @Test func `it is reached with the first answer, and says so once`() {
        var machine = Machine()
        #expect(machine.status == .notReached)
        #expect(machine.succeeded(at(0)) == .reached)
        #expect(machine.status == .reached)
        #expect(machine.succeeded(at(1)) == .none)
    }

    @Test func `failures for less than five seconds change nothing, and five seconds take it away`() {
        var machine = Machine()
        _ = machine.succeeded(at(0))
        fail(&machine, from: 1000, to: 6000)
        #expect(machine.status == .reached)
        #expect(machine.begin(bytes: 0, now: at(5999)) == .proceed)
        #expect(machine.failed(at(6000)) == .away)
        #expect(machine.status == .away)
        #expect(machine.begin(bytes: 0, now: at(6001)) == .away)
        #expect(machine.failed(at(6002)) == .none)
        #expect(machine.retry(before: at(9000), pause: .milliseconds(50), now: at(6003)) == nil)
        #expect(machine.succeeded(at(8000)) == .back(after: .seconds(7)))
        #expect(machine.status == .reached)
        #expect(machine.begin(bytes: 0, now: at(8001)) == .proceed)
    }

    @Test func `one success begins the five seconds anew`() {
        var machine = Machine()
        fail(&machine, from: 0, to: 4900)
        #expect(machine.succeeded(at(4900)) == .reached)
        fail(&machine, from: 5000, to: 10_000)
        #expect(machine.failed(at(10_000)) == .away)
    }

    @Test func `a failure of long ago says nothing`() {
        var machine = Machine()
        _ = machine.succeeded(at(0))
        #expect(machine.failed(at(1000)) == .none)
        #expect(machine.failed(at(3_600_000)) == .none)
        #expect(machine.status == .reached)
    }

    @Test func `away before the first answer is not reached`() {
        var machine = Machine()
        fail(&machine, from: 0, to: 5000)
        #expect(machine.failed(at(5000)) == .away)
        #expect(machine.status == .notReached)
        #expect(machine.succeeded(at(9000)) == .reached)
    }

    @Test func `ten thousand operations wait, and the values for which the budget has room`() {
        var machine = Machine()
        for _ in 0..<Machine.mostOperations { #expect(machine.begin(bytes: 0, now: at(0)) == .proceed) }
        #expect(machine.begin(bytes: 0, now: at(0)) == .tooMany)
        machine.end(bytes: 0)
        #expect(machine.begin(bytes: 0, now: at(0)) == .proceed)
        let budget = MemoryBudget(bytes: 16 << 20)
        let most = budget.size / 4
        var other = Machine(values: HeldQueue(.values, in: budget))
        #expect(other.begin(bytes: most - 1, now: at(0)) == .proceed)
        #expect(other.begin(bytes: 2, now: at(0)) == .tooMany)
        #expect(other.begin(bytes: 1, now: at(0)) == .proceed)
        #expect(other.operations == 2)
        other.end(bytes: 1)
        other.end(bytes: most - 1)
        #expect(other.operations == 0 && budget.held == 0)
    }

    @Test func `reads leave a quarter of the places to what a sign-in cannot do without`() {
        var machine = Machine()
        for _ in 0..<Machine.mostReads { _ = machine.begin(bytes: 0, isRead: true, now: at(0)) }
        #expect(machine.begin(bytes: 0, isRead: true, now: at(0)) == .tooMany)
        #expect(machine.begin(bytes: 0, now: at(0)) == .proceed)
    }

    @Test func `standbys that have confirmed nothing for five seconds are waited for no more`() {
        var machine = Machine()
        #expect(machine.unconfirmed(at(0)) == Machine.Silence(since: at(0), isWorthWhile: true, leavesRoom: true))
        #expect(machine.unconfirmed(at(4999)) == Machine.Silence(since: at(0), isWorthWhile: true, leavesRoom: true))
        #expect(machine.unconfirmed(at(5000)) == Machine.Silence(since: at(0), isWorthWhile: false, leavesRoom: true))
        machine.confirmed()
        #expect(machine.unconfirmed(at(5002)) == Machine.Silence(since: at(5002), isWorthWhile: true, leavesRoom: true))
    }

    @Test func `standbys that were unknown for more than ten seconds may have been there meanwhile`() {
        var machine = Machine()
        _ = machine.unconfirmed(at(0))
        #expect(machine.unconfirmed(at(10_000)) == Machine.Silence(since: at(0), isWorthWhile: false, leavesRoom: true))
        #expect(machine.unconfirmed(at(20_000)) == Machine.Silence(since: at(0), isWorthWhile: false, leavesRoom: true))
        #expect(
            machine.unconfirmed(at(30_001)) == Machine.Silence(since: at(30_001), isWorthWhile: true, leavesRoom: true))
    }

    @Test func `beyond a number of operations that wait none waits longer than its own time`() {
        var machine = Machine()
        for _ in 0..<Machine.mostOperationsForLong { _ = machine.begin(bytes: 0, now: at(0)) }
        let last = machine.unconfirmed(at(0))
        #expect(last.leavesRoom)
        _ = machine.begin(bytes: 0, now: at(0))
        let first = machine.unconfirmed(at(0))
        #expect(!first.leavesRoom)
    }

    @Test func `a store that is away is tried again only for a value that is in hand`() {
        var machine = Machine()
        fail(&machine, from: 0, to: 5000)
        #expect(machine.failed(at(5000)) == .away)
        #expect(machine.retry(before: at(9000), pause: .milliseconds(50), now: at(6000)) == nil)
        #expect(machine.retry(before: at(9000), pause: .milliseconds(50), hasValue: true, now: at(6000)) == at(6050))
        #expect(machine.retry(before: at(6050), pause: .milliseconds(50), hasValue: true, now: at(6000)) == nil)
    }

    @Test func `a read brings nothing back`() {
        var machine = Machine()
        #expect(machine.succeeded(at(0), isRead: true) == .none)
        #expect(machine.status == .notReached)
        fail(&machine, from: 0, to: 5000)
        #expect(machine.succeeded(at(4950), isRead: true) == .none)
        #expect(machine.failed(at(5000)) == .away)
    }

    @Test func `a try is repeated if its pause ends before its time`() {
        let machine = Machine()
        #expect(machine.retry(before: at(1000), pause: .milliseconds(250), now: at(700)) == at(950))
        #expect(machine.retry(before: at(1000), pause: .milliseconds(250), now: at(750)) == nil)
    }

    @Test func `it is probed by one, every quarter of a second, until it answers`() {
        var machine = Machine()
        #expect(machine.beginsProbing(at(0)) == true)
        #expect(machine.beginsProbing(at(1)) == false)
        let first = machine.probe(at(0))
        #expect(first?.asks == true)
        #expect(first?.next == at(250))
        machine.endProbe()
        let second = machine.probe(at(250))
        #expect(second?.asks == true)
        // The answer to the second is missing: it is not asked again beside it, for a while.
        let third = machine.probe(at(500))
        #expect(third?.asks == false)
        let later = machine.probe(at(5250))
        #expect(later?.asks == true)
        _ = machine.succeeded(at(5300))
        let last = machine.probe(at(5500))
        #expect(last == nil)
        #expect(machine.beginsProbing(at(5501)) == true)
    }

    @Test func `where the event loop of the probe has ended, another one goes on`() {
        var machine = Machine()
        #expect(machine.beginsProbing(at(0)) == true)
        _ = machine.probe(at(0))
        #expect(machine.beginsProbing(at(1250)) == false)
        #expect(machine.beginsProbing(at(1251)) == true)
    }
}
