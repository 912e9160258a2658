// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct ProviderCircuitStateMachineTests {
    /// The machine behind a reference, for `#expect`.
    private final class Machine {
        private var machine = ProviderCircuit.StateMachine()

        var isClosed: Bool { machine.isClosed }

        func admit(now: Int64) -> ProviderCircuit.StateMachine.Permit? { machine.admit(now: now) }

        func wait(now: Int64) -> Int64? { machine.wait(now: now) }

        func ended(
            _ permit: ProviderCircuit.StateMachine.Permit, _ verdict: ProviderCircuit.StateMachine.Verdict,
            now: Int64
        ) {
            machine.ended(permit, verdict, now: now)
        }
    }

    /// A machine that so many requests failed in a row.
    private func machine(failures: Int, at now: Int64 = 1000) -> Machine {
        let machine = Machine()
        for _ in 0..<failures {
            if let permit = machine.admit(now: now) { machine.ended(permit, .failed(retryAfter: nil), now: now) }
        }
        return machine
    }

    @Test func `five failures in a row open it, four do not`() {
        let closed = machine(failures: 4)
        #expect(closed.isClosed)
        #expect(closed.admit(now: 1000) == .ordinary)
        let open = machine(failures: 5)
        #expect(!open.isClosed)
        #expect(open.admit(now: 1000) == nil)
    }

    @Test func `asking for the wait is not a request and uses no probe`() throws {
        let machine = machine(failures: 4)
        #expect(machine.wait(now: 1000) == nil)
        machine.ended(.ordinary, .failed(retryAfter: 7), now: 1000)
        #expect(machine.wait(now: 1000) == 7)
        #expect(machine.wait(now: 1006) == 1)
        #expect(machine.wait(now: 999) == nil)
        for _ in 0..<3 { #expect(machine.wait(now: 1007) == nil) }
        let probe = try #require(machine.admit(now: 1007))
        #expect(probe == .probe(1))
        for _ in 0..<3 { #expect(machine.wait(now: 1007) == 1) }
        #expect(machine.wait(now: 1067) == nil)
        machine.ended(probe, .answered, now: 1008)
        #expect(machine.wait(now: 1008) == nil)
        #expect(machine.isClosed)
    }

    @Test func `a response in between begins the count anew`() {
        let machine = machine(failures: 4)
        machine.ended(.ordinary, .answered, now: 1000)
        for _ in 1...4 { machine.ended(.ordinary, .failed(retryAfter: nil), now: 1000) }
        #expect(machine.isClosed)
        machine.ended(.ordinary, .failed(retryAfter: nil), now: 1000)
        #expect(!machine.isClosed)
    }

    @Test func `what says nothing of the provider neither counts nor begins anew`() {
        let machine = machine(failures: 4)
        machine.ended(.ordinary, .unknown, now: 1000)
        #expect(machine.isClosed)
        machine.ended(.ordinary, .failed(retryAfter: nil), now: 1000)
        #expect(!machine.isClosed)
    }

    @Test func `after a second one probe is sent, and a response to it closes the circuit`() throws {
        let machine = machine(failures: 5)
        #expect(machine.admit(now: 1000) == nil)
        let admitted1 = machine.admit(now: 1001)
        let probe = try #require(admitted1)
        #expect(probe != .ordinary)
        #expect(machine.admit(now: 1001) == nil)
        #expect(machine.admit(now: 1006) == nil)
        machine.ended(probe, .answered, now: 1006)
        #expect(machine.isClosed)
        #expect(machine.admit(now: 1006) == .ordinary)
        // And the count begins anew.
        for _ in 1...4 { machine.ended(.ordinary, .failed(retryAfter: nil), now: 1006) }
        #expect(machine.isClosed)
    }

    @Test func `each probe that fails doubles the pause, up to half a minute`() throws {
        let machine = machine(failures: 5)
        var now: Int64 = 1000
        for pause in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
            #expect(machine.admit(now: now + pause - 1) == nil)
            let admitted2 = machine.admit(now: now + pause)
            let probe = try #require(admitted2)
            now += pause
            machine.ended(probe, .failed(retryAfter: nil), now: now)
        }
        let admitted3 = machine.admit(now: now + 30)
        let probe = try #require(admitted3)
        machine.ended(probe, .answered, now: now + 30)
        #expect(machine.isClosed)
    }

    @Test(arguments: [(1, 1), (7, 7), (300, 300), (301, 300), (.max, 300)] as [(Int64, Int64)])
    func `a provider that asks to be left alone is, five minutes at most`(asked: Int64, pause: Int64) throws {
        let machine = Machine()
        machine.ended(.ordinary, .failed(retryAfter: asked), now: 1000)
        #expect(machine.admit(now: 1000 + pause - 1) == nil)
        let admitted4 = machine.admit(now: 1000 + pause)
        let probe = try #require(admitted4)
        machine.ended(probe, .answered, now: 1000 + pause)
        #expect(machine.isClosed)
    }

    @Test func `asking for no time is a failure like any other`() {
        let machine = machine(failures: 3)
        machine.ended(.ordinary, .failed(retryAfter: 0), now: 1000)
        #expect(machine.isClosed)
        machine.ended(.ordinary, .failed(retryAfter: 0), now: 1000)
        #expect(!machine.isClosed)
    }

    @Test func `a probe that is told to wait waits, and the doubling goes on from where it was`() throws {
        let machine = machine(failures: 5)
        let admitted5 = machine.admit(now: 1001)
        let first = try #require(admitted5)
        machine.ended(first, .failed(retryAfter: 100), now: 1001)
        #expect(machine.admit(now: 1100) == nil)
        let admitted6 = machine.admit(now: 1101)
        let second = try #require(admitted6)
        machine.ended(second, .failed(retryAfter: nil), now: 1101)
        #expect(machine.admit(now: 1104) == nil)
        let admitted7 = machine.admit(now: 1105)
        let third = try #require(admitted7)
        // Less than the pause there is anyway.
        machine.ended(third, .failed(retryAfter: 3), now: 1105)
        #expect(machine.admit(now: 1112) == nil)
        #expect(machine.admit(now: 1113) != nil)
    }

    @Test func `those that went out before it opened change nothing`() throws {
        let machine = machine(failures: 5)
        machine.ended(.ordinary, .answered, now: 1000)
        machine.ended(.ordinary, .failed(retryAfter: 300), now: 1000)
        #expect(machine.admit(now: 1000) == nil)
        let admitted8 = machine.admit(now: 1001)
        let probe = try #require(admitted8)
        machine.ended(.ordinary, .answered, now: 1001)
        machine.ended(.ordinary, .failed(retryAfter: nil), now: 1001)
        #expect(machine.admit(now: 1001) == nil)
        machine.ended(probe, .answered, now: 1002)
        #expect(machine.isClosed)
    }

    @Test func `a probe that never ends is given up, and its late end is not the next one's`() throws {
        let machine = machine(failures: 5)
        let admitted9 = machine.admit(now: 1001)
        let lost = try #require(admitted9)
        #expect(machine.admit(now: 1060) == nil)
        let admitted10 = machine.admit(now: 1061)
        let probe = try #require(admitted10)
        #expect(probe != lost)
        machine.ended(lost, .answered, now: 1061)
        #expect(!machine.isClosed)
        machine.ended(probe, .answered, now: 1062)
        #expect(machine.isClosed)
    }

    @Test func `a probe that was not sent lets the next one go`() throws {
        let machine = machine(failures: 5)
        let admitted11 = machine.admit(now: 1001)
        let first = try #require(admitted11)
        machine.ended(first, .unknown, now: 1001)
        #expect(!machine.isClosed)
        let admitted12 = machine.admit(now: 1001)
        let second = try #require(admitted12)
        #expect(machine.admit(now: 1001) == nil)
        machine.ended(second, .answered, now: 1001)
        #expect(machine.isClosed)
    }

    @Test(.attack(.clockThatGoesBack)) func `a clock that goes back keeps nothing open`() throws {
        let open = Machine()
        open.ended(.ordinary, .failed(retryAfter: 300), now: 1000)
        #expect(open.admit(now: 999) != nil)
        // Nor does it hold a probe that was let through.
        #expect(open.admit(now: 400) != nil)
    }
}
