// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBroker

/// The names that wait for a store that is away, without a clock and without a store.
struct WaitingNamesStateMachineTests {
    private typealias Machine = WaitingNames.StateMachine

    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .milliseconds(milliseconds)
    }

    private func place(_ person: Int) -> SingleUseKey {
        SingleUseKey(.unverifiedName, [UInt8(person & 0xFF), UInt8(person >> 8)])
    }

    private func name(_ person: Int, _ sealed: [UInt8] = [1], credential: UInt8? = nil) -> WaitingName {
        let claim = credential.map { credential -> ClaimInDoubt in
            let key = SingleUseKey(.nativeCredential, [credential])
            return ClaimInDoubt(
                key: key, end: at(600_000), claiming: Claiming(key: key, attempt: SingleUseAttempt()))
        }
        return WaitingName(
            key: place(person), sealed: sealed, owner: .owner(issuer: "i", subject: "\(person)"), claim: claim)
    }

    /// The names to be written now, and their round; `nil` if there are none.
    private func written(
        _ machine: inout WaitingNames.StateMachine, _ now: NIODeadline
    ) -> (names: [WaitingNames.StateMachine.Numbered], round: UInt64)? {
        guard case .write(let names, let round) = machine.look(now, isAway: false).action else { return nil }
        return (names, round)
    }

    private func isResting(_ action: WaitingNames.StateMachine.Action) -> Bool {
        if case .rest = action { true } else { false }
    }

    private func wait(_ action: WaitingNames.StateMachine.Action) -> NIODeadline? {
        if case .wait(let next) = action { next } else { nil }
    }

    @Test func `while the store is away nothing is written, and four times a second somebody looks`() throws {
        var machine = Machine()
        #expect(isResting(machine.look(at(0), isAway: true).action) == true)
        #expect(machine.add(name(1), now: at(0)) == 0)
        #expect(machine.begins(at(0)) == true)
        #expect(wait(machine.look(at(0), isAway: true).action) == at(250))
        #expect(wait(machine.look(at(250), isAway: true).action) == at(500))
        // Somebody looks already.
        #expect(machine.begins(at(400)) == false)
        let (names, round) = try #require(written(&machine, at(500)))
        #expect(names.map(\.name.key) == [place(1)])
        #expect(names.first?.seconds == 86_399)
        #expect(try machine.end(#require(names.first), round: round, .written, now: at(501)) == true)
        #expect(machine.count == 0)
        #expect(machine.bytes == 0)
        #expect(isResting(machine.look(at(501), isAway: false).action) == true)
        // The next one begins again.
        #expect(machine.begins(at(502)) == true)
    }

    @Test func `whoever looked has stopped with its event loop: another one looks`() throws {
        var machine = Machine()
        _ = machine.add(name(1), now: at(0))
        #expect(machine.begins(at(0)) == true)
        #expect(wait(machine.look(at(0), isAway: true).action) == at(250))
        #expect(machine.begins(at(1250)) == false)
        #expect(machine.begins(at(1251)) == true)
        let first = try #require(written(&machine, at(1251)))
        #expect(machine.begins(at(1251 + 20_000)) == false)
        #expect(machine.begins(at(1251 + 21_001)) == true)
        let second = try #require(written(&machine, at(30_000)))
        #expect(second.names.map(\.number) == first.names.map(\.number))
        // What was written first comes to its end after all, and begins no other round.
        #expect(machine.end(first.names[0], round: first.round, .written, now: at(30_001)) == false)
        #expect(machine.count == 0)
        #expect(machine.end(second.names[0], round: second.round, .written, now: at(30_002)) == true)
    }

    @Test func `a try that fails is repeated after a pause, with the next name alone`() throws {
        var machine = Machine()
        for person in 0..<40 { _ = machine.add(name(person), now: at(Int64(person))) }
        _ = machine.begins(at(100))
        let (names, round) = try #require(written(&machine, at(100)))
        #expect(names.map(\.name.key) == (0..<Machine.mostAtOnce).map(place))
        for (index, name) in names.enumerated() {
            let isLast = machine.end(name, round: round, index != 3 ? .written : .failed, now: at(200))
            #expect(isLast == (index == Machine.mostAtOnce - 1))
        }
        #expect(machine.count == 9)
        #expect(wait(machine.look(at(200), isAway: false).action) == at(450))
        let again = try #require(written(&machine, at(450)))
        #expect(again.names.map(\.name.key) == [place(32)])
        #expect(machine.end(again.names[0], round: again.round, .written, now: at(460)) == true)
        let rest = try #require(written(&machine, at(460)))
        #expect(rest.names.map(\.name.key) == [place(3)] + (33..<40).map(place))
    }

    @Test func `names that fail are tried in turn, and none before an older one of its person`() throws {
        var machine = Machine()
        _ = machine.add(name(0, [1]), now: at(0))
        _ = machine.add(name(0, [2], credential: 1), now: at(0))
        for person in 1...2 { _ = machine.add(name(person), now: at(0)) }
        var tried: [SingleUseKey] = []
        for number in Int64(0)..<5 {
            let (names, round) = try #require(written(&machine, at(number * 1_000)))
            #expect(names.map(\.name.sealed) == [[1]])
            tried += names.map(\.name.key)
            #expect(machine.end(names[0], round: round, .failed, now: at(number * 1_000)) == true)
        }
        #expect(tried == [place(0), place(1), place(2), place(0), place(1)])
    }

    @Test func `after several that failed the one behind all of them is next, whichever was answered last`() throws {
        var machine = Machine()
        for person in 0..<40 { _ = machine.add(name(person), now: at(0)) }
        let (names, round) = try #require(written(&machine, at(0)))
        for name in names.reversed() { _ = machine.end(name, round: round, .failed, now: at(0)) }
        #expect(try #require(written(&machine, at(250))).names.map(\.name.key) == [place(Machine.mostAtOnce)])
    }

    @Test func `a name waits for a day, and no longer`() {
        var machine = Machine()
        _ = machine.add(name(1), now: at(0))
        _ = machine.add(name(2), now: at(1))
        #expect(machine.look(at(86_400_000 - 1), isAway: true).expired == 0)
        #expect(machine.look(at(86_400_000), isAway: true).expired == 1)
        #expect(machine.value(at: place(1)) == nil)
        #expect(machine.value(at: place(2)) != nil)
    }

    @Test func `beyond ten thousand names the oldest goes`() {
        var machine = Machine()
        for person in 0..<Machine.mostNames { #expect(machine.add(name(person), now: at(0)) == 0) }
        #expect(machine.add(name(Machine.mostNames), now: at(0)) == 1)
        #expect(machine.count == Machine.mostNames)
        #expect(machine.value(at: place(0)) == nil)
        #expect(machine.value(at: place(1)) != nil)
        #expect(machine.value(at: place(Machine.mostNames)) != nil)
    }

    @Test func `beyond 4 MB the oldest go`() {
        var machine = Machine()
        let quarter = [UInt8](repeating: 7, count: Machine.mostBytes / 4)
        for person in 0..<4 { #expect(machine.add(name(person, quarter), now: at(0)) == 0) }
        #expect(machine.bytes == Machine.mostBytes)
        #expect(machine.add(name(4, [1]), now: at(0)) == 1)
        #expect(machine.value(at: place(0)) == nil)
        #expect(machine.add(name(5, quarter + quarter), now: at(0)) == 2)
        #expect(machine.bytes == quarter.count * 3 + 1)
    }

    @Test func `of one person eight names wait, one for each credential`() {
        var machine = Machine()
        for credential in 0..<UInt8(Machine.mostOfPerson) {
            #expect(machine.add(name(1, [credential], credential: credential), now: at(0)) == 0)
            #expect(machine.add(name(1, [99], credential: credential), now: at(0)) == 0)
        }
        #expect(machine.count == Machine.mostOfPerson)
        #expect(machine.add(name(1, [200], credential: 200), now: at(0)) == 1)
        #expect(machine.count == Machine.mostOfPerson)
    }

    @Test func `names in doubt do not push out the one that is known to be this person's`() {
        var machine = Machine()
        #expect(machine.add(name(1, [100]), now: at(0)) == 0)
        for credential in 1..<UInt8(Machine.mostOfPerson) {
            #expect(machine.add(name(1, [credential], credential: credential), now: at(0)) == 0)
        }
        #expect(machine.add(name(1, [99], credential: 99), now: at(0)) == 1)
        #expect(machine.count == Machine.mostOfPerson)
        #expect(machine.value(at: place(1)) == [100])
        machine.discard([1], at: place(1))
        #expect(machine.count == Machine.mostOfPerson, "the first one in doubt is gone already")
    }

    @Test func `the first name with a credential stays, and whichever attempt claimed it counts`() throws {
        var machine = Machine()
        let names = (0..<10).map { name(1, [$0], credential: 7) }
        for name in names { _ = machine.add(name, now: at(0)) }
        #expect(machine.count == 1)
        let (written, _) = try #require(self.written(&machine, at(0)))
        #expect(written.map(\.name.sealed) == [[0]])
        let attempts = names.prefix(ClaimInDoubt.mostAttempts).compactMap { $0.claim?.attempts.first }
        #expect(written.first?.name.claim?.attempts == attempts)
    }

    @Test func `a name that is known to be this person's takes the place of all earlier ones`() {
        var machine = Machine()
        _ = machine.add(name(1, [1], credential: 1), now: at(0))
        _ = machine.add(name(1, [2]), now: at(0))
        // One in doubt takes no other's place, and nobody gets it.
        _ = machine.add(name(1, [3], credential: 2), now: at(0))
        #expect(machine.count == 2)
        #expect(machine.value(at: place(1)) == [2])
        machine.stored(name(1, [4]), now: at(0))
        #expect(machine.count == 0)
    }

    @Test func `two names of one person are written one after the other`() throws {
        var machine = Machine()
        _ = machine.add(name(1, [1]), now: at(0))
        _ = machine.add(name(1, [2], credential: 2), now: at(0))
        _ = machine.add(name(2), now: at(0))
        let (names, round) = try #require(written(&machine, at(0)))
        #expect(names.map(\.name.sealed) == [[1]])
        #expect(machine.end(names[0], round: round, .written, now: at(1)) == true)
        #expect(try #require(written(&machine, at(1))).names.map(\.name.sealed) == [[2], [1]])
    }

    @Test func `a later name that was stored while an earlier one is written is written once more`() throws {
        var machine = Machine()
        _ = machine.add(name(1, [1]), now: at(0))
        let (names, round) = try #require(written(&machine, at(0)))
        machine.stored(name(1, [2]), now: at(1))
        #expect(machine.end(names[0], round: round, .written, now: at(2)) == true)
        #expect(try #require(written(&machine, at(2))).names.map(\.name.sealed) == [[2]])
    }

    @Test func `a name that was put before a later one came replaces earlier ones only`() throws {
        var machine = Machine()
        _ = machine.add(name(1, [1]), now: at(0))
        let later = machine.next
        _ = machine.add(name(1, [3]), now: at(0))
        let (names, round) = try #require(written(&machine, at(0)))
        machine.stored(name(1, [2]), before: later, now: at(1))
        #expect(machine.add(name(1, [2]), before: later, now: at(1)) == 0)
        #expect(machine.add(name(1, [2], credential: 2), before: later, now: at(1)) == 0)
        #expect(machine.count == 1)
        #expect(machine.value(at: place(1)) == [3])
        #expect(machine.end(names[0], round: round, .written, now: at(2)) == true)
        #expect(machine.count == 0)
    }

    @Test func `one that the store has is written again every five seconds, and others before it`() throws {
        var machine = Machine()
        _ = machine.add(name(1), isWritten: true, now: at(0))
        #expect(machine.count == 1 && machine.unwrittenCount == 0)
        #expect(wait(machine.look(at(0), isAway: false).action) == at(250))
        _ = machine.add(name(2), now: at(100))
        #expect(machine.unwrittenCount == 1)
        var (names, round) = try #require(written(&machine, at(250)))
        #expect(names.map(\.name.key) == [place(2)] && names.map(\.isWritten) == [false])
        #expect(machine.end(names[0], round: round, .unconfirmed, now: at(300)) == true)
        #expect(machine.unwrittenCount == 0)
        #expect(wait(machine.look(at(4_999), isAway: false).action) == at(5_249))
        (names, round) = try #require(written(&machine, at(5_000)))
        #expect(names.map(\.name.key) == [place(1)] && names.map(\.isWritten) == [true])
        // It is there for a day, however long it waits here.
        #expect(names.map(\.seconds) == [86_400])
        #expect(machine.end(names[0], round: round, .written, now: at(5_001)) == true)
        #expect(machine.count == 1)
    }

    @Test func `one that the store has takes the place of all earlier ones, and waits for ten minutes`() throws {
        var machine = Machine()
        _ = machine.add(name(1, [1]), now: at(0))
        _ = machine.add(name(1, [2], credential: 2), now: at(0))
        #expect(machine.count == 2)
        _ = machine.add(name(1, [3]), isWritten: true, now: at(0))
        #expect(machine.count == 1 && machine.value(at: place(1)) == [3])
        _ = machine.add(name(2), now: at(0))
        let before = machine.look(at(599_999), isAway: true)
        #expect(before.expired == 0 && machine.count == 2)
        // It is not lost.
        let after = machine.look(at(600_000), isAway: true)
        #expect(after.expired == 0 && machine.count == 1 && machine.value(at: place(2)) == [1])
    }

    @Test func `a name that was written ends earlier ones of its place`() throws {
        var machine = Machine()
        _ = machine.add(name(1, [1]), isWritten: true, now: at(0))
        _ = machine.add(name(1, [2], credential: 2), now: at(0))
        let (names, round) = try #require(written(&machine, at(0)))
        #expect(names.map(\.name.sealed) == [[2]])
        #expect(machine.end(names[0], round: round, .written, now: at(1)) == true)
        #expect(machine.count == 0)
    }

    @Test func `a name that an app received does not wait any more, another one does`() {
        var machine = Machine()
        _ = machine.add(name(1, [1]), now: at(0))
        machine.discard([2], at: place(1))
        #expect(machine.count == 1)
        machine.discard([1], at: place(1))
        #expect(machine.count == 0)
        #expect(machine.bytes == 0)
    }
}
