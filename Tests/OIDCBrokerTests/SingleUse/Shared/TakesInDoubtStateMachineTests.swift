// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBroker

/// The takes that are in doubt, without a clock and without a store.
struct TakesInDoubtStateMachineTests {
    private typealias Machine = TakesInDoubt.StateMachine

    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .milliseconds(milliseconds)
    }

    private func take(_ number: Int, begin: Int64 = 0, isReturned: Bool = false) -> TakeInDoubt {
        let key = SingleUseKey(.handOff, [UInt8(number & 0xFF), UInt8(number >> 8)])
        return TakeInDoubt(
            claiming: Claiming(key: key, attempt: SingleUseAttempt(), isInDoubt: true), claimSeconds: 600,
            begin: at(begin), mayBeReturned: isReturned)
    }

    private func asked(_ action: Machine.Action) -> (takes: [TakeInDoubt], round: UInt64)? {
        if case .ask(let takes, let round) = action { (takes, round) } else { nil }
    }

    private func wait(_ action: Machine.Action) -> NIODeadline? {
        if case .wait(let next) = action { next.time } else { nil }
    }

    /// Adds a take; returns when to look.
    private func add(_ take: TakeInDoubt, to machine: inout Machine, _ now: Int64) -> Machine.Look? {
        machine.add(take, at(now))
    }

    private func isResting(_ action: Machine.Action) -> Bool {
        if case .rest = action { true } else { false }
    }

    @Test func `the first question comes after a pause, and none while the store is away`() throws {
        var machine = Machine()
        let first = try #require(add(take(1), to: &machine, 0))
        #expect(first.time == at(250))
        #expect(add(take(2), to: &machine, 10) == nil)
        #expect(wait(machine.look(first, at(250), isAway: true)) == at(500))
        let (takes, round) = try #require(asked(machine.look(first, at(500), isAway: false)))
        #expect(takes.count == 2 && machine.count == 2)
        #expect(machine.end(takes[0], nil, round: round, at(501)) == nil)
        let afterFailure = machine.end(takes[1], takes[1], round: round, at(502))
        let second = try #require(afterFailure)
        #expect(second.time == at(752) && machine.count == 1)
        let again = try #require(asked(machine.look(second, at(752), isAway: false)))
        #expect(again.takes.map(\.claiming) == [takes[1].claiming])
        let afterSuccess = machine.end(again.takes[0], nil, round: again.round, at(760))
        let last = try #require(afterSuccess)
        // Nothing failed, so there is no pause.
        #expect(last.time == at(760))
        #expect(isResting(machine.look(last, at(760), isAway: false)) == true)
        #expect(add(take(3), to: &machine, 2000)?.time == at(2250))
    }

    @Test func `what may have been given back is asked about before what is not known`() throws {
        var machine = Machine()
        let first = try #require(add(take(0), to: &machine, 0))
        for number in 1..<80 { _ = add(take(number), to: &machine, 0) }
        let (takes, round) = try #require(asked(machine.look(first, at(250), isAway: false)))
        #expect(takes.count == Machine.mostAtOnce)
        var won = takes[5]
        won.mayBeReturned = true
        var look: Machine.Look?
        for each in takes {
            look = machine.end(each, each.claiming == won.claiming ? won : each, round: round, at(300))
        }
        let last = try #require(look)
        let next = try #require(asked(machine.look(last, at(550), isAway: false)))
        #expect(next.takes.first?.claiming == won.claiming && next.takes.first?.mayBeReturned == true)
        #expect(next.takes.count == Machine.mostAtOnce && machine.count == 80)
    }

    @Test func `an answer of an earlier round, and a second one, change nothing`() throws {
        var machine = Machine()
        let first = try #require(add(take(1), to: &machine, 0))
        let (takes, round) = try #require(asked(machine.look(first, at(250), isAway: false)))
        #expect(machine.end(takes[0], takes[0], round: round - 1, at(300)) == nil)
        #expect(machine.end(takes[0], takes[0], round: round, at(300))?.time == at(550))
        #expect(machine.end(takes[0], takes[0], round: round, at(301)) == nil)
        #expect(machine.count == 1)
    }

    @Test func `whoever asked has stopped with its event loop: another one asks, and only that one`() throws {
        var machine = Machine()
        let first = try #require(add(take(1), to: &machine, 0))
        let asking = try #require(asked(machine.look(first, at(250), isAway: false)))
        #expect(add(take(2), to: &machine, 21_000) == nil)
        let other = try #require(add(take(3), to: &machine, 21_251))
        #expect(other.time == at(21_501))
        // What the first one asked about is theirs until they come back.
        let second = try #require(asked(machine.look(other, at(21_501), isAway: false)))
        #expect(second.takes.count == 2)
        #expect(machine.end(asking.takes[0], asking.takes[0], round: asking.round, at(21_600)) == nil)
        #expect(isResting(machine.look(first, at(21_600), isAway: false)) == true)
        #expect(machine.count == 3)
        for each in second.takes { _ = machine.end(each, nil, round: second.round, at(21_700)) }
        let last = try #require(asked(machine.look(other, at(21_700), isAway: false)))
        #expect(last.takes.map(\.claiming) == [asking.takes[0].claiming])
    }

    @Test func `one that is added twice is asked about once`() throws {
        var machine = Machine()
        let one = take(1)
        let first = try #require(add(one, to: &machine, 0))
        #expect(add(one, to: &machine, 10) == nil)
        #expect(machine.count == 1)
        let (takes, round) = try #require(asked(machine.look(first, at(250), isAway: false)))
        #expect(add(one, to: &machine, 260) == nil)
        #expect(machine.count == 2)
        _ = machine.end(takes[0], takes[0], round: round, at(300))
        #expect(machine.count == 1)
    }

    @Test func `a minute later it is given up`() throws {
        var machine = Machine()
        let first = try #require(add(take(1), to: &machine, 0))
        #expect(wait(machine.look(first, at(59_999), isAway: true)) != nil)
        #expect(isResting(machine.look(first, at(60_000), isAway: true)) == true)
        #expect(machine.count == 0)
    }

    @Test func `beyond ten thousand none is added`() throws {
        var machine = Machine()
        let first = try #require(add(take(0), to: &machine, 0))
        for number in 1...Machine.mostTakes { _ = add(take(number), to: &machine, 0) }
        #expect(machine.count == Machine.mostTakes)
        _ = machine.look(first, at(60_000), isAway: true)
        #expect(machine.count == 0)
    }

    @Test func `a value that is given back lives for the rest of a minute`() {
        #expect(take(1).seconds(at: at(0)) == 60)
        #expect(take(1).seconds(at: at(59_000)) == 1)
        #expect(take(1).seconds(at: at(900_000)) == 1)
    }
}
