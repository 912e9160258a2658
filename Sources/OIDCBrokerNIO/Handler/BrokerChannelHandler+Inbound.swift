// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import Admission
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords

// Inbound parts and events, which are handled at once or later from the queue.

extension BrokerChannelHandler {
    /// Handles a part in its turn.
    func receive(_ data: NIOAny, _ context: ChannelHandlerContext) {
        guard !self.machine.isPassive, let part = Parts.requestPart(data) else {
            self.forward(data, context)
            return
        }
        switch Parts.neutral(part) {
        case .head(let head): self.receive(head: head, data, context)
        case .body(let bytes): self.receive(body: bytes, data, context)
        case .end: self.receiveEnd(data, context)
        }
    }

    private func forward(_ data: NIOAny, _ context: ChannelHandlerContext) {
        self.hasForwarded = true
        context.fireChannelRead(data)
    }

    private func receive(head: Parts.RequestHead, _ data: NIOAny, _ context: ChannelHandlerContext) {
        let target = Parts.target(of: head)
        guard self.responder.handles(path: target.path) else {
            switch self.machine.headReceived(nil, isConnect: Parts.isConnect(head)) {
            case .forward: self.forward(data, context)
            case .collect, .refuse, .drop: break
            }
            return
        }

        let limits = self.responder.limits
        let isHTTP2 = self.isHTTP2Stream(context)
        let received = Parts.request(head, target: target, isHTTP2: isHTTP2)
        let framing = received?.framing
        var claimed = ClaimStateMachine.ClaimedHead()
        claimed.isHTTP2 = framing?.isHTTP2 ?? isHTTP2
        claimed.keepsConnection = framing?.keepsConnection ?? false
        claimed.expectsContinue = framing?.expectsContinue ?? false
        var current = Current(
            request: received?.request, framing: framing, isHTTP2: claimed.isHTTP2,
            forwardedClient: self.forwardedClient(head, context))
        var maximum = limits.maximumBodyBytes
        switch received.map({ self.responder.bodyRoom(for: $0.request) }) ?? .usual {
        case .usual: break
        case .long(let place):
            current.place = place
            maximum = place.maximumBytes
        case .noRoom:
            // It may come again, however long it is.
            claimed.refusal = .noRoom
            maximum = .max
        }
        if let framing {
            claimed.refusal = framing.refusal(target: target, maximumBodyBytes: maximum) ?? claimed.refusal
        } else {
            claimed.refusal = .badRequest
        }
        if self.responder.tracesRequests, let fields = self.traceFields(head, context) {
            current.request?.traceOrigin = .fields(fields)
        }
        if self.accessLog != nil {
            current.access = AccessRecord(
                method: received?.request.method.rawValue, path: self.responder.accessPath(of: target.path),
                version: claimed.isHTTP2 ? .http2 : framing?.isHTTP10 == true ? .http10 : .http11,
                begin: context.eventLoop.now)
        }

        switch self.machine.headReceived(claimed) {
        case .forward:
            self.forward(data, context)
        case .collect(let id, let startDeadline, let sendContinue):
            self.current = current
            if sendContinue { self.sendContinue(context) }
            // A timer that is always canceled at once would cost as much as parsing the head.
            if startDeadline, framing?.mayHaveBody != false {
                self.startTimer(id: id, in: limits.bodyDeadline, context)
            }
        case .refuse:
            self.current = current
        case .drop:
            break
        }
    }

    private func receive(body bytes: ByteBuffer, _ data: NIOAny, _ context: ChannelHandlerContext) {
        let usual = self.machine.isBusy ? self.responder.limits.maximumBodyBytes : 0
        let maximum = self.current?.place?.maximumBytes ?? usual
        switch self.machine.bodyReceived(bytes.readableBytes, maximumBodyBytes: maximum) {
        case .forward:
            self.forward(data, context)
        case .collect:
            if self.bodyLength == 0 {
                self.current?.request?.body = Self.compact(bytes, context.channel.allocator)
            } else {
                self.current?.request?.body.writeImmutableBuffer(bytes)
            }
        case .refuse:
            self.dropBody()
        case .drop:
            break
        }
    }

    /// Returns the bytes in memory of their own, if they are a small part of what was read. A kept slice keeps all of it:
    /// one byte on each stream of a connection would hold 32 KB each.
    private static func compact(_ bytes: ByteBuffer, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        guard bytes.storageCapacity > max(BodyShare.stepBytes, 2 * bytes.readableBytes) else { return bytes }
        var own = allocator.buffer(capacity: bytes.readableBytes)
        own.writeImmutableBuffer(bytes)
        return own
    }

    /// The number of bytes of the current request's body that were received and not passed on.
    private var bodyLength: Int { self.current?.request?.body.readableBytes ?? 0 }

    /// Counts the body of the current request, which is kept beyond this read.
    /// - Returns: Whether there is room for it. If not, it must be refused, and the refusal is counted.
    func hasRoomForBody(_ context: ChannelHandlerContext) -> Bool {
        let length = self.bodyLength
        // Most requests have no body, or it was passed on within the read that brought it. Of a long one all is counted.
        guard length > 0, self.current?.place == nil else { return true }
        let share = self.current?.share ?? self.makeShare(context)
        self.current?.share = share
        return self.isWithin(share.grow(toBodyOf: length))
    }

    /// Counts what is behind the current request and is held beyond this read.
    /// - Returns: Whether there is room for them. If not, they must be dropped, and the refusal is counted.
    private func hasRoomForHeldBodies(_ context: ChannelHandlerContext) -> Bool {
        let length = self.machine.heldBytes
        // It was dropped where the connection is being closed.
        guard length > 0, !self.held.isEmpty else { return true }
        let share = self.heldShare ?? self.makeShare(context)
        self.heldShare = share
        return self.isWithin(share.grow(toHeld: length))
    }

    private func makeShare(_ context: ChannelHandlerContext) -> BodyShare {
        // Any address has a bound of its own, also one of a private network, unless its peer speaks for all clients:
        // that has none.
        BodyShare(self.memory, address: self.client(context))
    }

    /// Counts a refusal if a limit is exceeded.
    private func isWithin(_ exceeded: BodyLimit?) -> Bool {
        guard let exceeded else { return true }
        self.responder.countRefusedBody(exceeded)
        return false
    }

    private func dropBody() {
        self.stopTimer()
        self.current?.releaseBody()
    }

    private func receiveEnd(_ data: NIOAny, _ context: ChannelHandlerContext) {
        switch self.machine.endReceived() {
        case .forward:
            self.forward(data, context)
        case .start(let response, let id):
            self.start(response, id: id, context)
        case .wait:
            self.stopTimer()
            self.refuseBodyWithoutRoom(context)
        case .close:
            self.close(context)
        case .drop:
            break
        }
    }

    private func refuseBodyWithoutRoom(_ context: ChannelHandlerContext) {
        guard !self.hasRoomForBody(context) else { return }
        self.machine.bodyRefused()
        self.dropBody()
    }

    /// Counts what is kept beyond the read, and sends a refusal that waited for its end.
    func readCompleted(_ context: ChannelHandlerContext) {
        guard self.hasRoomForHeldBodies(context) else {
            self.machine.heldRefused()
            guard self.machine.isBusy else {
                return self.closeForHeld("no memory for pipelined requests", context)
            }
            return self.dropHeld()
        }
        self.refuseBodyWithoutRoom(context)
        switch self.machine.readCompleted() {
        case .none: break
        case .start(let response, let id): self.start(response, id: id, context)
        }
    }

    /// Handles an event in its turn.
    func receive(event: Any, _ context: ChannelHandlerContext) {
        let action = self.machine.eventReceived(self.kind(of: event))
        switch action {
        case .forward:
            context.fireUserInboundEventTriggered(event)
        case .hold, .holdAndStart:
            if self.machine.holdsInbound, action == .hold {
                self.hold(.event(event), context)
            } else {
                self.heldEvents.append(event)
            }
            if case .holdAndStart(let response, let id) = action { self.start(response, id: id, context) }
        case .forwardAndClose:
            context.fireUserInboundEventTriggered(event)
            self.close(context)
        case .forwardAndLeave:
            // The following bytes are not HTTP. The upgraded protocol may write at once, so the state machine is
            // passive already.
            self.giveUp()
            self.releaseAll(context)
            context.fireUserInboundEventTriggered(event)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
    }

    private func kind(of event: Any) -> ClaimStateMachine.Event {
        switch event {
        case ChannelEvent.inputClosed as ChannelEvent: return .inputClosed
        case is ChannelShouldQuiesceEvent: return .quiesce
        case is HTTPServerUpgradeEvents: return .upgradeComplete
        default: return .other
        }
    }

    func isUpgradeComplete(_ event: Any) -> Bool {
        event is HTTPServerUpgradeEvents
    }

    /// Handles an error in its turn.
    func receive(error: any Error, isParserError: Bool, _ context: ChannelHandlerContext) {
        switch self.machine.errorCaught(isParserError: isParserError) {
        case .forward:
            context.fireErrorCaught(error)
        case .hold:
            self.hold(.error(error), context)
        case .forwardAndGiveUp(let closes):
            self.giveUp()
            context.fireErrorCaught(error)
            if closes { self.close(context) }
        }
    }

    // MARK: The queue

    /// The memory that a part takes while it is held, in bytes.
    func heldBytes(of data: NIOAny) -> Int {
        switch Parts.requestPart(data).map(Parts.neutral) {
        case .head: HeldMemory.heldPartBytes + HeldMemory.heldHeadBytes
        case .body(let bytes): HeldMemory.heldPartBytes + bytes.readableBytes
        case .end, nil: HeldMemory.heldPartBytes
        }
    }

    func hold(_ item: HeldInbound, _ context: ChannelHandlerContext) {
        if self.machine.partHeld(bytes: item.bytes) {
            self.held.append(item)
        } else {
            self.closeForHeld("too much input behind a response", context)
        }
    }

    /// Closes, and gives the request up: over TLS the close takes a while, and a response that is never delivered must
    /// not use up the code or login of the request.
    private func closeForHeld(_ reason: StaticString, _ context: ChannelHandlerContext) {
        self.logger.debug("connection closed: \(reason)")
        self.giveUp()
        self.held.removeAll()
        self.heldShare = nil
        self.close(context)
    }

    /// Drops what is held, except for events, since no request follows the one that is under way.
    private func dropHeld() {
        self.logger.debug("no memory for pipelined requests: the connection closes after this response")
        for item in self.held {
            self.machine.partReleased(bytes: item.bytes)
            if case .event(let event) = item { self.heldEvents.append(event) }
        }
        self.held.removeAll()
        self.heldShare = nil
    }

    /// Continues after the broker's response was written: handles held parts until the broker's next turn, and resumes
    /// reading.
    func resume(_ context: ChannelHandlerContext) {
        guard !self.isReplaying else { return }
        self.isReplaying = true
        self.hasForwarded = false
        while !self.machine.holdsInbound, let item = self.held.popFirst() {
            self.machine.partReleased(bytes: item.bytes)
            switch item {
            case .part(let data, _): self.receive(data, context)
            case .event(let event): self.receive(event: event, context)
            case .error(let error): self.receive(error: error, isParserError: true, context)
            }
        }
        self.isReplaying = false
        if self.held.isEmpty { self.heldShare = nil }
        // Some handlers process a batch only at its end, and the original end of this batch has already passed.
        if self.hasForwarded { context.fireChannelReadComplete() }
        self.readCompleted(context)
        if self.machine.takePendingRead() { context.read() }
        self.leaveIfAsked(context)
    }

    /// Forwards everything that is held, since the connection no longer uses HTTP.
    func releaseAll(_ context: ChannelHandlerContext) {
        self.hasForwarded = false
        self.deliverHeldEvents(context)
        while let item = self.held.popFirst() {
            self.machine.partReleased(bytes: item.bytes)
            switch item {
            case .part(let data, _): self.forward(data, context)
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .error(let error): context.fireErrorCaught(error)
            }
        }
        self.heldShare = nil
        if self.hasForwarded { context.fireChannelReadComplete() }
        self.runPostponedCloses(context)
        if self.machine.takePendingRead() { context.read() }
    }

    func deliverHeldEvents(_ context: ChannelHandlerContext) {
        let events = self.heldEvents
        self.heldEvents.removeAll()
        for event in events { context.fireUserInboundEventTriggered(event) }
    }

    /// Whether this is the pipeline of an HTTP/2 stream.
    private func isHTTP2Stream(_ context: ChannelHandlerContext) -> Bool {
        if let known = Parts.isHTTP2 ?? self.isHTTP2Stream { return known }
        let pipeline = context.pipeline.syncOperations
        let found =
            (try? pipeline.context(handlerType: HTTP2FramePayloadToHTTPServerCodec.self)) != nil
            || (try? pipeline.context(handlerType: HTTP2FramePayloadToHTTP1ServerCodec.self)) != nil
        self.isHTTP2Stream = found
        return found
    }
}
