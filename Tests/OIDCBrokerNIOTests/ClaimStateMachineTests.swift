// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerNIO

/// The state machine of the broker's channel handler.
struct ClaimStateMachineTests {
    typealias Machine = ClaimStateMachine

    static let ours = Machine.ClaimedHead()
    static let ok = NeutralResponsePart.head(status: 200, announcesClose: false)
    static let okAndClose = NeutralResponsePart.head(status: 200, announcesClose: true)

    @Test func `What is not ours passes, and is counted`() {
        var machine = Machine()
        #expect(machine.headReceived(nil) == .forward)
        #expect(machine.bodyReceived(10, maximumBodyBytes: 1) == .forward)
        #expect(machine.endReceived() == .forward)
        #expect(machine.outstanding == 1)
        #expect(machine.readRequested() == true)
        #expect(machine.closeRequested(endsOutput: true) == .forward)
        #expect(machine.eventReceived(.quiesce) == .forward)
        #expect(machine.eventReceived(.inputClosed) == .forward)
        #expect(machine.errorCaught(isParserError: true) == .forward)
        #expect(machine.downstreamWrote(.informationalHead) == .none)
        #expect(machine.outstanding == 1)
        #expect(machine.downstreamWrote(Self.ok) == .none)
        #expect(machine.downstreamWrote(.body) == .none)
        #expect(machine.downstreamWrote(.end) == .none)
        #expect(machine.outstanding == 0)
    }

    @Test func `Ours on an idle connection is answered and the connection lives on`() {
        var machine = Machine()
        #expect(machine.headReceived(Self.ours) == .collect(id: 1, startDeadline: true, sendContinue: false))
        #expect(machine.bodyReceived(3, maximumBodyBytes: 3) == .collect)
        #expect(machine.endReceived() == .start(.respond, id: 1))
        #expect(machine.holdsInbound)
        #expect(machine.answered(id: 1) == .write)
        #expect(machine.state == .idle)
        #expect(machine.headReceived(Self.ours) == .collect(id: 2, startDeadline: true, sendContinue: false))
    }

    @Test func `Ours waits until downstream owes nothing`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .wait)
        #expect(machine.holdsInbound)
        #expect(machine.downstreamWrote(Self.ok) == .none)
        #expect(machine.downstreamWrote(.end) == .none)
        #expect(machine.downstreamWrote(Self.ok) == .none)
        #expect(machine.downstreamWrote(.end) == .start(.respond, id: 1))
    }

    @Test func `An unsolicited response is not interrupted`() {
        var machine = Machine()
        #expect(machine.downstreamWrote(Self.ok) == .none)
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .wait)
        #expect(machine.downstreamWrote(.end) == .start(.respond, id: 1))
        #expect(machine.outstanding == 0)
    }

    @Test func `An early response of downstream frees the turn before its request has ended`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.downstreamWrote(Self.ok)
        _ = machine.downstreamWrote(.end)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 0) == .forward)
        #expect(machine.endReceived() == .forward)
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .start(.respond, id: 1))
    }

    @Test func `A body beyond the limit is refused once, and the rest dropped`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.bodyReceived(5, maximumBodyBytes: 5) == .collect)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 5) == .refuse)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 5) == .drop)
        #expect(machine.readRequested() == true)
        #expect(machine.readCompleted() == .start(.refuse(.contentTooLarge), id: 1))
        #expect(machine.readCompleted() == .none)
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 5) == .drop)
        #expect(machine.flushed(id: 1) == .drain(id: 1))
        #expect(machine.bodyReceived(1, maximumBodyBytes: 5) == .drop)
        #expect(machine.endReceived() == .close)
        #expect(machine.state == .finished)
    }

    @Test func `Without room an unfinished body is refused at the end of the read`() {
        var machine = Machine()
        machine.bodyRefused()
        #expect(machine.state == .idle)
        _ = machine.headReceived(Self.ours)
        _ = machine.bodyReceived(1, maximumBodyBytes: 5)
        machine.bodyRefused()
        #expect(machine.bodyReceived(1, maximumBodyBytes: 5) == .drop)
        #expect(machine.readCompleted() == .start(.refuse(.noRoom), id: 1))
        #expect(machine.answered(id: 1) == .writeAndEnd)
    }

    @Test func `Without room a complete request that waits is refused in its turn, and nothing behind it is held`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .wait)
        #expect(machine.holdsInbound)
        machine.bodyRefused()
        #expect(!machine.holdsInbound)
        #expect(machine.headReceived(Self.ours) == .drop)
        _ = machine.downstreamWrote(Self.ok)
        #expect(machine.downstreamWrote(.end) == .start(.refuse(.noRoom), id: 1))
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)
    }

    @Test func `Without room a request whose turn it is gets the last response`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .start(.respond, id: 1))
        machine.bodyRefused()
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)
    }

    @Test func `Held bytes are known, and without room for them the response is the last one`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        _ = machine.endReceived()
        let (isHeld, isEmptyHeld) = (machine.partHeld(bytes: 5), machine.partHeld(bytes: 0))
        #expect(isHeld && isEmptyHeld)
        #expect(machine.heldBytes == 5)
        machine.partReleased(bytes: 5)
        #expect(machine.heldBytes == 0)
        machine.heldRefused()
        // What follows is dropped, and not held.
        #expect(machine.isBusy)
        #expect(!machine.holdsInbound)
        #expect(machine.headReceived(nil) == .drop)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 10) == .drop)
        #expect(machine.endReceived() == .drop)
        #expect(machine.readRequested() == false)
        // Neither an error nor an event of it gets in between.
        #expect(machine.errorCaught(isParserError: true) == .hold)
        #expect(machine.eventReceived(.inputClosed) == .hold)
        #expect(machine.closeRequested(endsOutput: true) == .postpone)
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)
        #expect(machine.headReceived(nil) == .drop)
    }

    @Test func `Without room for what is held a request that waits gets the last response in its turn`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .wait)
        #expect(machine.holdsInbound)
        machine.heldRefused()
        #expect(!machine.holdsInbound)
        #expect(machine.headReceived(nil) == .drop)
        #expect(machine.errorCaught(isParserError: true) == .hold)
        _ = machine.downstreamWrote(Self.ok)
        #expect(machine.downstreamWrote(.end) == .start(.respond, id: 1))
        #expect(machine.headReceived(nil) == .drop)
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)
    }

    @Test func `Without room for what is held a response that is on its way goes out, and without one all ends`() {
        var machine = Machine()
        var idle = machine
        _ = machine.headReceived(Machine.ClaimedHead(keepsConnection: false))
        _ = machine.endReceived()
        #expect(machine.answered(id: 1) == .writeAndEnd)
        machine.heldRefused()
        #expect(machine.isBusy)
        #expect(machine.flushed(id: 1) == .close)

        idle.heldRefused()
        #expect(!idle.isBusy)
        #expect(idle.headReceived(nil) == .drop)
    }

    @Test(arguments: [true, false])
    func `Behind an announced close nothing follows a refused request, since its successors were dropped`(
        isBody: Bool
    ) {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Self.ours)
        #expect(machine.endReceived() == .wait)
        if isBody { machine.bodyRefused() } else { machine.heldRefused() }
        #expect(machine.headReceived(nil) == .drop)
        _ = machine.downstreamWrote(Self.okAndClose)
        #expect(machine.downstreamWrote(.end) == .abandon)
        // Downstream has seen no head of these.
        #expect(machine.bodyReceived(1, maximumBodyBytes: 10) == .drop)
        #expect(machine.endReceived() == .drop)
        #expect(!machine.isBusy)
        #expect(machine.closeRequested(endsOutput: true) == .forward)
    }

    @Test func `Draining ends with its timer, or with the client's half of the connection`() {
        var machine = Machine()
        _ = machine.headReceived(Machine.ClaimedHead(refusal: .contentTooLarge))
        _ = machine.readCompleted()
        _ = machine.answered(id: 1)
        _ = machine.flushed(id: 1)
        var other = machine
        #expect(machine.timerFired(id: 2) == .ignore)
        #expect(machine.timerFired(id: 1) == .close)
        #expect(other.eventReceived(.inputClosed) == .forwardAndClose)
    }

    @Test func `On HTTP/2 an early response resets the stream`() {
        var machine = Machine()
        _ = machine.headReceived(Machine.ClaimedHead(isHTTP2: true, refusal: .contentTooLarge))
        var complete = machine
        _ = machine.readCompleted()
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .reset)

        // The end was in the same read: there is nothing to reset.
        #expect(complete.endReceived() == .start(.refuse(.contentTooLarge), id: 1))
        #expect(complete.answered(id: 1) == .write)
    }

    @Test func `On HTTP/2 a complete request needs no end of the connection, not even when it quiesces`() {
        var machine = Machine()
        _ = machine.headReceived(Machine.ClaimedHead(isHTTP2: true))
        _ = machine.endReceived()
        #expect(machine.eventReceived(.quiesce) == .hold)
        #expect(machine.answered(id: 1) == .write)
    }

    @Test func `A response may be the last one of its connection, but not of one of HTTP/2`() {
        for isHTTP2 in [false, true] {
            var machine = Machine()
            _ = machine.headReceived(Machine.ClaimedHead(isHTTP2: isHTTP2))
            _ = machine.endReceived()
            #expect(machine.answered(id: 1, endsConnection: true) == (isHTTP2 ? .write : .writeAndEnd))
            #expect(machine.flushed(id: 1) == (isHTTP2 ? .ignore : .close))
        }
    }

    @Test func `A refused request that was complete at the flush closes at once`() {
        var machine = Machine()
        #expect(machine.headReceived(Machine.ClaimedHead(refusal: .badRequest)) == .refuse)
        var late = machine
        #expect(machine.endReceived() == .start(.refuse(.badRequest), id: 1))
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)

        #expect(late.readCompleted() == .start(.refuse(.badRequest), id: 1))
        #expect(late.answered(id: 1) == .writeAndEnd)
        #expect(late.endReceived() == .drop)
        #expect(late.flushed(id: 1) == .close)
    }

    @Test func `A refusal waits for its turn too`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        #expect(machine.headReceived(Machine.ClaimedHead(refusal: .badRequest)) == .refuse)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 10) == .drop)
        #expect(machine.readCompleted() == .none)
        #expect(machine.readRequested() == false)
        _ = machine.downstreamWrote(Self.ok)
        #expect(machine.downstreamWrote(.end) == .start(.refuse(.badRequest), id: 1))
    }

    @Test func `A 100 is sent at once, or when downstream is done, and the deadline begins with it`() {
        let head = Machine.ClaimedHead(expectsContinue: true)
        var machine = Machine()
        #expect(machine.headReceived(head) == .collect(id: 1, startDeadline: true, sendContinue: true))

        var busy = Machine()
        _ = busy.headReceived(nil)
        _ = busy.endReceived()
        #expect(busy.headReceived(head) == .collect(id: 1, startDeadline: false, sendContinue: false))
        _ = busy.downstreamWrote(Self.ok)
        #expect(busy.downstreamWrote(.end) == .sendContinue(id: 1))
        #expect(busy.bodyReceived(1, maximumBodyBytes: 1) == .collect)
        #expect(busy.endReceived() == .start(.respond, id: 1))
    }

    @Test func `A client that does not wait for its 100 gets none`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Machine.ClaimedHead(expectsContinue: true))
        #expect(machine.endReceived() == .wait)
        _ = machine.downstreamWrote(Self.ok)
        #expect(machine.downstreamWrote(.end) == .start(.respond, id: 1))
    }

    @Test func `A deadline refuses only the request it belongs to`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.timerFired(id: 7) == .ignore)
        var late = machine
        #expect(machine.timerFired(id: 1) == .start(.refuse(.requestTimeout), id: 1))
        _ = late.endReceived()
        #expect(late.timerFired(id: 1) == .ignore)
    }

    @Test func `Late responses and flushes are ignored`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        _ = machine.endReceived()
        #expect(machine.answered(id: 9) == .ignore)
        machine.ended()
        #expect(machine.answered(id: 1) == .ignore)
        #expect(machine.flushed(id: 1) == .ignore)
    }

    @Test func `Reads are swallowed while ours is due, and remembered once`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.readRequested() == true)
        _ = machine.endReceived()
        #expect(machine.readRequested() == false)
        #expect(machine.readRequested() == false)
        #expect(machine.takePendingRead() == false)
        _ = machine.answered(id: 1)
        #expect(machine.takePendingRead() == true)
        #expect(machine.takePendingRead() == false)
    }

    @Test func `A close is postponed while ours is due, and makes ours the last response`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.closeRequested(endsOutput: true) == .postpone)
        _ = machine.endReceived()
        #expect(machine.closeRequested(endsOutput: true) == .postpone)
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)
    }

    @Test func `A close of the input alone does not end the connection`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        _ = machine.endReceived()
        #expect(machine.closeRequested(endsOutput: false) == .postpone)
        #expect(machine.answered(id: 1) == .write)
    }

    @Test func `A close with responses owed gives ours up: its turn would never come`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Self.ours)
        _ = machine.endReceived()
        #expect(machine.closeRequested(endsOutput: true) == .abandonAndForward)
        #expect(!machine.isBusy)
    }

    @Test(arguments: [true, false])
    func `Behind an announced close nothing of ours is processed`(isComplete: Bool) {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(Self.ours)
        if isComplete { _ = machine.endReceived() }
        _ = machine.downstreamWrote(Self.okAndClose)
        #expect(machine.downstreamWrote(.end) == .abandon)
        if !isComplete { #expect(machine.endReceived() == .drop) }
        #expect(machine.headReceived(Self.ours) == .drop)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 10) == .drop)
        #expect(machine.endReceived() == .drop)
        #expect(machine.headReceived(nil) == .forward)
    }

    @Test(arguments: [true, false])
    func `Ours is the last response if the client says so, or the server quiesces`(quiesces: Bool) {
        var machine = Machine()
        _ = machine.headReceived(Machine.ClaimedHead(keepsConnection: quiesces))
        if quiesces { #expect(machine.eventReceived(.quiesce) == .hold) }
        _ = machine.endReceived()
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.closeRequested(endsOutput: true) == .postpone)
        #expect(machine.flushed(id: 1) == .close)
    }

    @Test func `Half a request is refused when no more can come`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.eventReceived(.inputClosed) == .holdAndStart(.refuse(.badRequest), id: 1))
        #expect(machine.answered(id: 1) == .writeAndEnd)
        #expect(machine.flushed(id: 1) == .close)
    }

    @Test func `A whole request of a client that closed its side is answered`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        _ = machine.endReceived()
        #expect(machine.eventReceived(.inputClosed) == .hold)
        #expect(machine.eventReceived(.other) == .hold)
        #expect(machine.answered(id: 1) == .write)
    }

    @Test func `A parser error ends half a request of ours, and waits behind a whole one`() {
        var machine = Machine()
        _ = machine.headReceived(Self.ours)
        #expect(machine.errorCaught(isParserError: false) == .forward)
        var complete = machine
        #expect(machine.errorCaught(isParserError: true) == .forwardAndGiveUp(closes: true))
        #expect(!machine.isBusy)
        _ = complete.endReceived()
        #expect(complete.errorCaught(isParserError: true) == .hold)

        var owing = Machine()
        _ = owing.headReceived(nil)
        _ = owing.endReceived()
        _ = owing.headReceived(Self.ours)
        #expect(owing.errorCaught(isParserError: true) == .forwardAndGiveUp(closes: false))
    }

    @Test func `After a 101 nothing is looked at`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        #expect(machine.downstreamWrote(.switchingProtocols) == .becomePassive)
        #expect(machine.isPassive)
        #expect(machine.headReceived(Self.ours) == .forward)
        #expect(machine.bodyReceived(1, maximumBodyBytes: 0) == .forward)
        #expect(machine.endReceived() == .forward)
    }

    @Test func `A CONNECT makes a tunnel if it is accepted, and in its own place`() {
        var machine = Machine()
        _ = machine.headReceived(nil)
        _ = machine.endReceived()
        _ = machine.headReceived(nil, isConnect: true)
        _ = machine.endReceived()
        #expect(machine.downstreamWrote(Self.ok) == .none)
        #expect(machine.downstreamWrote(.end) == .none)
        var refused = machine
        #expect(machine.downstreamWrote(Self.ok) == .becomePassive)
        #expect(refused.downstreamWrote(.head(status: 405, announcesClose: false)) == .none)
        #expect(refused.downstreamWrote(.end) == .none)
        _ = refused.headReceived(nil)
        #expect(refused.downstreamWrote(Self.ok) == .none)
    }

    @Test(arguments: 0..<3)
    func `A completed upgrade passes at any time`(steps: Int) {
        var machine = Machine()
        if steps > 0 { _ = machine.headReceived(Self.ours) }
        if steps > 1 { _ = machine.endReceived() }
        #expect(machine.eventReceived(.upgradeComplete) == .forwardAndLeave)
        #expect(machine.isPassive)
        #expect(!machine.isBusy)
        #expect(machine.answered(id: 1) == .ignore)
    }

    @Test func `What is held is bounded in parts and in bytes`() {
        var machine = Machine(maximumHeldParts: 2, maximumHeldBytes: 100)
        #expect(machine.partHeld(bytes: 50) == true)
        #expect(machine.partHeld(bytes: 50) == true)
        machine.partReleased(bytes: 50)
        #expect(machine.partHeld(bytes: 50) == true)
        var more = machine
        #expect(more.partHeld(bytes: 0) == false)
        #expect(more.state == .finished)
        machine.partReleased(bytes: 50)
        #expect(machine.partHeld(bytes: 51) == false)
    }
}
