// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerServer

/// The decisions of ``HTTP1ConnectionStateMachine``, event by event.
@Suite struct HTTP1ConnectionStateMachineTests {
    private typealias Machine = HTTP1ConnectionStateMachine

    /// A machine that has read complete requests and responded to none.
    private func machine(requests: Int) -> Machine {
        var machine = Machine()
        for _ in 0..<requests {
            _ = machine.headRead()
            _ = machine.endRead()
        }
        return machine
    }

    /// Writes a response in one piece.
    private func respond(_ machine: inout Machine) -> (announcesClose: Bool, end: Machine.EndAction) {
        (machine.headWritten(isWhole: true), machine.endWritten())
    }

    @Test func `requests and responses are counted once`() {
        var machine = machine(requests: 2)
        #expect(machine.outstanding == 2)
        let first = respond(&machine)
        #expect(first == (false, .write))
        #expect(machine.outstanding == 1)
        let second = respond(&machine)
        #expect(second == (false, .write))
        #expect(machine.outstanding == 0)
        #expect(!machine.isDrained)
    }

    @Test func `a parse error at once is refused, and in the middle of a response is not`() {
        var idle = Machine()
        #expect(idle.parserErrorCaught() == .refuse)
        var collecting = Machine()
        _ = collecting.headRead()
        #expect(collecting.parserErrorCaught() == .refuse)
        _ = collecting.headWritten(isWhole: false)
        #expect(collecting.parserErrorCaught() == .forward)
    }

    @Test func `behind a response that came before its request's end a parse error has no response`() {
        var machine = Machine()
        _ = machine.headRead()
        _ = respond(&machine)
        #expect(machine.outstanding == 0)
        #expect(machine.parserErrorCaught() == .forward)
    }

    @Test func `a parse error waits for the responses before it, and nothing is read behind it`() {
        var machine = machine(requests: 2)
        #expect(machine.parserErrorCaught() == .hold)
        #expect(machine.headRead() == .drop)
        #expect(machine.bodyRead() == .drop)
        #expect(machine.endRead() == .drop)
        let first = respond(&machine)
        #expect(first.end == .writeAndReport)
        #expect(machine.responseFlushed() == nil)
        let second = respond(&machine)
        #expect(second.end == .writeAndReport)
        #expect(machine.responseFlushed() == .refuse)
        #expect(!machine.isDrained)
    }

    @Test func `an idle connection that is to drain closes at once`() {
        var machine = machine(requests: 1)
        _ = respond(&machine)
        let closes = machine.quiesce()
        #expect(closes)
    }

    @Test func `a connection that drains ends with the last response, which says so`() {
        var machine = machine(requests: 2)
        let closes = machine.quiesce()
        #expect(!closes)
        #expect(machine.headRead() == .drop)
        let first = respond(&machine)
        #expect(first == (false, .writeAndReport))
        #expect(machine.responseFlushed() == nil)
        #expect(!machine.isDrained)
        let second = respond(&machine)
        #expect(second == (true, .writeAndReport))
        #expect(!machine.isDrained, "not before it is flushed")
        #expect(machine.responseFlushed() == nil)
        #expect(machine.isDrained)
    }

    @Test func `a request that has begun is read to its end while the connection drains`() {
        var machine = Machine()
        _ = machine.headRead()
        let closes = machine.quiesce()
        #expect(!closes)
        #expect(machine.bodyRead() == .forward)
        #expect(machine.endRead() == .forward)
        #expect(!machine.isDrained)
        let first = respond(&machine)
        #expect(first == (true, .writeAndReport))
        _ = machine.responseFlushed()
        #expect(machine.isDrained)
    }

    @Test func `a response of parts is under way until its end`() {
        var machine = machine(requests: 1)
        _ = machine.quiesce()
        let announcesClose = machine.headWritten(isWhole: false)
        #expect(announcesClose)
        #expect(machine.endWritten() == .writeAndReport)
        _ = machine.responseFlushed()
        #expect(machine.isDrained)
    }

    @Test func `the deadline counts while a part of a head waits in the decoder`() throws {
        var machine = Machine()
        let partial = try #require(machine.willDecode())
        #expect(machine.awaitsHead(since: partial))
        let complete = try #require(machine.willDecode())
        _ = machine.headRead()
        #expect(!machine.awaitsHead(since: complete))
        let body = try #require(machine.willDecode())
        _ = machine.bodyRead()
        #expect(!machine.awaitsHead(since: body))
        let end = try #require(machine.willDecode())
        _ = machine.endRead()
        #expect(!machine.awaitsHead(since: end), "the end of a body is not the start of a head")
        let next = try #require(machine.willDecode())
        #expect(machine.awaitsHead(since: next))
    }

    @Test func `at the deadline a connection with an outstanding response is kept`() {
        var machine = machine(requests: 1)
        #expect(!machine.closesAtHeadDeadline())
        _ = respond(&machine)
        #expect(machine.closesAtHeadDeadline())
    }

    @Test func `what comes while the connection is being closed is dropped`() throws {
        var machine = Machine()
        let before = try #require(machine.willDecode())
        machine.close()
        #expect(!machine.awaitsHead(since: before))
        #expect(machine.willDecode() == nil)
    }
}
