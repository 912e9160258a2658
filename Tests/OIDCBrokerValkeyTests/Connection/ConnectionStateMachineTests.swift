// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerValkey

/// What waits for an answer on a connection.
struct ConnectionStateMachineTests {
    private typealias Machine = ValkeyConnection.StateMachine<Int>

    private func time(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
    }

    /// Sends and returns the error; `nil` if the command is written.
    private func refusal(_ action: Machine.SendAction) -> ValkeyStoreError? {
        if case .refuse(let error) = action { return error }
        return nil
    }

    private func timer(_ action: Machine.SendAction) -> NIODeadline? {
        if case .write(let timer) = action { return timer }
        return nil
    }

    private func receiver(_ action: Machine.AnswerAction) -> Int? {
        if case .deliver(let waiter) = action { return waiter }
        return nil
    }

    @Test func `answers go to the commands in their order`() {
        var machine = Machine()
        for waiter in 0..<5 { #expect(refusal(machine.send(waiter, byteCount: 10, now: time(0))) == nil) }
        for waiter in 0..<5 { #expect(receiver(machine.received(.integer(Int64(waiter)))) == waiter) }
        #expect(machine.isOpen)
    }

    @Test func `an error is an answer`() {
        var machine = Machine()
        _ = machine.send(1, byteCount: 10, now: time(0))
        #expect(receiver(machine.received(.error("ERR no"))) == 1)
        #expect(machine.isOpen)
    }

    @Test func `at most 1,024 commands wait`() {
        var machine = Machine()
        for waiter in 0..<1024 { #expect(refusal(machine.send(waiter, byteCount: 1, now: time(0))) == nil) }
        #expect(refusal(machine.send(1024, byteCount: 1, now: time(0))) == .busy)
        #expect(receiver(machine.received(.null)) == 0)
        #expect(refusal(machine.send(1025, byteCount: 1, now: time(0))) == nil)
        #expect(refusal(machine.send(1026, byteCount: 1, now: time(0))) == .busy)
    }

    @Test func `at most 8 MB wait`() {
        var machine = Machine()
        #expect(refusal(machine.send(0, byteCount: 8_388_609, now: time(0))) == .busy)
        #expect(refusal(machine.send(1, byteCount: 8_388_607, now: time(0))) == nil)
        #expect(refusal(machine.send(2, byteCount: 2, now: time(0))) == .busy)
        #expect(refusal(machine.send(3, byteCount: 1, now: time(0))) == nil)
        #expect(refusal(machine.send(4, byteCount: 1, now: time(0))) == .busy)
        #expect(receiver(machine.received(.null)) == 1)
        #expect(refusal(machine.send(5, byteCount: 8_388_607, now: time(0))) == nil)
    }

    @Test func `one timer is for the oldest command`() throws {
        var machine = Machine()
        #expect(timer(machine.send(0, byteCount: 1, now: time(0))) == time(400))
        #expect(timer(machine.send(1, byteCount: 1, now: time(100))) == nil)
        #expect(timer(machine.send(2, byteCount: 1, now: time(200))) == nil)
        #expect(receiver(machine.received(.null)) == 0)
        guard case .wait(let next) = machine.timerFired(now: time(400)) else {
            Issue.record("the second command has time until 500")
            return
        }
        #expect(next == time(500))
        guard case .close(let end) = machine.timerFired(now: time(500)) else {
            Issue.record("the time of the second command is over")
            return
        }
        #expect(end.error == .timeout)
        #expect(end.waiters == [1, 2])
        #expect(!machine.isOpen)
    }

    @Test func `a timer without commands ends, and the next command sets one`() {
        var machine = Machine()
        _ = machine.send(0, byteCount: 1, now: time(0))
        _ = machine.received(.null)
        #expect(timer(machine.send(1, byteCount: 1, now: time(10))) == nil)
        _ = machine.received(.null)
        if case .none = machine.timerFired(now: time(400)) {
        } else {
            Issue.record("nothing waits")
        }
        #expect(timer(machine.send(2, byteCount: 1, now: time(1000))) == time(1400))
    }

    @Test func `an answer without a request ends the connection`() {
        var machine = Machine()
        _ = machine.send(0, byteCount: 1, now: time(0))
        _ = machine.received(.null)
        guard case .close(let end) = machine.received(.null) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(end.error == .unexpectedAnswer)
        #expect(end.waiters.isEmpty)
        #expect(!machine.isOpen)
    }

    @Test func `a server that cannot be used any more ends the connection`() {
        let texts: [(text: String, error: ValkeyStoreError)] = [
            ("READONLY You can't write against a read only replica.", .readOnly),
            ("NOREPLICAS Not enough good replicas to write.", .readOnly),
            ("MISCONF Redis is configured to save RDB snapshots", .readOnly),
            ("LOADING Redis is loading the dataset in memory", .loading),
            ("MASTERDOWN Link with MASTER is down", .notPrimary), ("CLUSTERDOWN The cluster is down", .unreachable),
        ]
        for (text, error) in texts {
            var machine = Machine()
            for waiter in 0..<3 { _ = machine.send(waiter, byteCount: 1, now: time(0)) }
            guard case .deliverAndClose(let waiter, let end) = machine.received(.error(text)) else {
                Issue.record("\(text)")
                continue
            }
            #expect(waiter == 0)
            #expect(end.error == error)
            #expect(end.waiters == [1, 2])
        }
    }

    @Test func `after the end nothing is taken`() {
        var machine = Machine()
        _ = machine.send(0, byteCount: 1, now: time(0))
        #expect(machine.end(.closed)?.waiters == [0])
        #expect(machine.end(.closed)?.waiters == nil)
        #expect(refusal(machine.send(1, byteCount: 1, now: time(0))) == .closed)
        if case .drop = machine.received(.null) {
        } else {
            Issue.record("no command waits")
        }
    }
}
