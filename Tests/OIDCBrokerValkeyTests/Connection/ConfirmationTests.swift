// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import OIDCBrokerValkey

/// Commands that write, where standbys are waited for.
struct ConfirmationTests {
    private typealias Machine = ValkeyConnection.StateMachine<Int>

    private func time(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
    }

    /// Whether a write ends with a `WAIT`; `nil` if nothing is written.
    private func waits(_ action: Machine.WriteAction) -> Bool? {
        guard case .write(let confirmation, _) = action else { return nil }
        return confirmation != nil
    }

    private func isHeld(_ action: Machine.AnswerAction) -> Bool {
        if case .hold = action { return true }
        return false
    }

    private func release(_ action: Machine.AnswerAction) -> (waiters: [Int], isConfirmed: Bool)? {
        guard case .release(let held, let isConfirmed) = action else { return nil }
        return (held.map { $0.waiter }, isConfirmed)
    }

    @Test func `answers of what writes are held back until the standbys are known`() throws {
        for (count, isConfirmed): (Int64, Bool) in [(0, false), (1, false), (2, true), (3, true)] {
            var machine = Machine(standbys: 2)
            _ = machine.send(0, byteCount: 1, writes: true, now: time(0))
            _ = machine.send(1, byteCount: 1, now: time(0))
            _ = machine.send(2, byteCount: 1, writes: true, now: time(0))
            #expect(waits(machine.beginWrite(now: time(0))) == true)
            #expect(isHeld(machine.received(.null)))
            if case .deliver(let waiter) = machine.received(.null) {
                #expect(waiter == 1)
            } else {
                Issue.record("a read is not held back")
            }
            #expect(isHeld(machine.received(.null)))
            let released = try #require(release(machine.received(.integer(count))))
            #expect(released.waiters == [0, 2])
            #expect(released.isConfirmed == isConfirmed)
        }
    }

    @Test func `what writes nothing is not waited for`() {
        var machine = Machine(standbys: 1)
        _ = machine.send(0, byteCount: 1, now: time(0))
        #expect(waits(machine.beginWrite(now: time(0))) == false)
        var without = Machine()
        _ = without.send(0, byteCount: 1, writes: true, now: time(0))
        #expect(waits(without.beginWrite(now: time(0))) == false)
    }

    @Test func `nothing is written while standbys are waited for`() throws {
        var machine = Machine(standbys: 1)
        _ = machine.send(0, byteCount: 1, writes: true, now: time(0))
        #expect(waits(machine.beginWrite(now: time(0))) == true)
        _ = machine.send(1, byteCount: 1, writes: true, now: time(10))
        #expect(waits(machine.beginWrite(now: time(10))) == nil)
        #expect(isHeld(machine.received(.null)))
        let first = try #require(release(machine.received(.integer(0))))
        #expect(first.waiters == [0])
        #expect(waits(machine.beginWrite(now: time(300))) == true)
        #expect(isHeld(machine.received(.null)))
        let second = try #require(release(machine.received(.integer(1))))
        #expect(second.waiters == [1])
        #expect(second.isConfirmed)
    }

    @Test func `a batch has 700 ms, and what is held back fails with it`() {
        var machine = Machine(standbys: 1)
        if case .write(let timer) = machine.send(0, byteCount: 1, writes: true, now: time(0)) {
            #expect(timer == time(700))
        }
        _ = machine.beginWrite(now: time(0))
        _ = machine.send(1, byteCount: 1, now: time(100))
        _ = machine.received(.null)
        guard case .close(let end) = machine.timerFired(now: time(700)) else {
            Issue.record("its time is over")
            return
        }
        #expect(end.error == .timeout)
        #expect(end.waiters == [0, 1])
    }

    @Test func `an answer to WAIT that is no number ends the connection`() {
        var machine = Machine(standbys: 1)
        _ = machine.send(0, byteCount: 1, writes: true, now: time(0))
        _ = machine.beginWrite(now: time(0))
        _ = machine.received(.null)
        guard case .close(let end) = machine.received(.error("NOPERM no")) else {
            Issue.record("it cannot be confirmed")
            return
        }
        #expect(end.error == .wrongPassword)
        #expect(end.waiters == [0])
    }

    @Test func `one WAIT ends a write`() throws {
        let eventLoop = EmbeddedEventLoop()
        let channel = EmbeddedChannel(loop: eventLoop)
        let connection = ValkeyConnection(eventLoop: eventLoop, standbys: 1)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/redis")).wait()
        try channel.pipeline.syncOperations.addHandler(connection)
        let answers = ["ONE", "TWO"].map { connection.write(RESPCommand(.text($0))) }
        eventLoop.run()
        let written = try #require(try channel.readOutbound(as: ByteBuffer.self))
        let wait = "*3\r\n$4\r\nWAIT\r\n$1\r\n1\r\n$3\r\n300\r\n"
        #expect(String(buffer: written) == "*1\r\n$3\r\nONE\r\n*1\r\n$3\r\nTWO\r\n" + wait)
        let later = connection.write(RESPCommand("SIX"))
        eventLoop.run()
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        try channel.writeInbound(ByteBuffer(string: ":1\r\n:2\r\n:0\r\n"))
        eventLoop.run()
        #expect(try answers[0].wait() == ConfirmedAnswer(value: .integer(1), isConfirmed: false))
        #expect(try answers[1].wait() == ConfirmedAnswer(value: .integer(2), isConfirmed: false))
        let next = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: next) == "*1\r\n$3\r\nSIX\r\n" + wait)
        try channel.writeInbound(ByteBuffer(string: ":3\r\n:1\r\n"))
        #expect(try later.wait() == ConfirmedAnswer(value: .integer(3), isConfirmed: true))
    }
}
