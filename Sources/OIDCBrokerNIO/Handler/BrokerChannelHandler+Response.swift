// SPDX-License-Identifier: Apache-2.0

import EventLoopTicks
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OpenIDRelyingParty

// Outbound: the broker's responses, and the ends of connections and streams.

extension BrokerChannelHandler {
    /// Starts the response when it is the broker's turn.
    func start(_ response: ClaimStateMachine.Decision, id: Int, _ context: ChannelHandlerContext) {
        self.stopTimer()
        switch response {
        case .refuse(let refusal):
            let response = self.response(to: refusal)
            self.logger.debug(
                "invalid HTTP request refused",
                metadata: ["auth.status": "\(response.head.status.code)"])
            self.answered(response, id: id)
        case .respond:
            // The client pipelines requests and does not read, or asks too often. Earlier responses already occupy
            // enough memory. An HTTP/2 stream has only one response, and flow control.
            guard self.current?.isHTTP2 == true || self.mayAsk(context) else {
                return self.postpone(id: id, context)
            }
            self.ask(id: id, context)
        }
    }

    /// The response to a request that does not reach the broker, in a form that its sender can read.
    private func response(to refusal: ClaimStateMachine.Refusal) -> BrokerResponse {
        let response = ResponseFraming.refusal(refusal)
        guard var request = self.current?.request else { return response }
        request.logger = self.logger
        return self.responder.refusal(response, of: request)
    }

    /// Whether earlier responses are written, and the client does not have to wait.
    private func mayAsk(_ context: ChannelHandlerContext) -> Bool {
        context.channel.isWritable && self.pauseEnd <= context.eventLoop.now
    }

    /// Lets the request wait until earlier responses are written and the client may ask.
    private func postpone(id: Int, _ context: ChannelHandlerContext) {
        guard self.hasRoomForBody(context) else {
            // It is the last response, so that a client that does not read cannot cause any number of them.
            self.machine.bodyRefused()
            self.current?.releaseBody()
            return self.start(.refuse(.noRoom), id: id, context)
        }
        self.postponed = id
        guard self.pauseEnd > context.eventLoop.now else { return }
        // Its body is complete, so that no other timer runs.
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: self.pauseEnd) {
            self.timer = nil
            guard let context = self.context else { return }
            self.askPostponed(context)
        }
    }

    /// Passes the request that waits to the broker, if there is one and nothing is in its way any longer.
    func askPostponed(_ context: ChannelHandlerContext) {
        guard let id = self.postponed, self.mayAsk(context) else { return }
        self.postponed = nil
        self.ask(id: id, context)
    }

    /// Passes the current request to the broker.
    func ask(id: Int, _ context: ChannelHandlerContext) {
        guard var request = self.current?.request else {
            self.answered(ResponseFraming.failure(), id: id)
            return
        }
        self.current?.request = nil
        self.current?.releaseBody()
        request.validatesAuthority = self.validatesAuthority
        request.client = self.client(context)
        request.logger = self.logger
        self.ask(request, id: id, on: context.eventLoop)
    }

    private func ask(_ request: BrokerRequest, id: Int, on eventLoop: any EventLoop) {
        EndOfTick.run(on: eventLoop) { self.respond(to: request, id: id, on: eventLoop) }
    }

    private func respond(to request: BrokerRequest, id: Int, on eventLoop: any EventLoop) {
        switch self.responder.respond(to: request, on: eventLoop) {
        case .value(let response):
            self.answered(response, id: id)
        case .failure:
            self.answered(ResponseFraming.failure(), id: id)
        case .future(let future):
            // The future retains the handler until it completes, at the latest at the broker's own deadline.
            future.hop(to: eventLoop).assumeIsolated().whenComplete { result in
                switch result {
                case .success(let response): self.answered(response, id: id)
                case .failure: self.answered(ResponseFraming.failure(), id: id)
                }
            }
        }
    }

    /// Handles the broker's response. The channel may be closed, or the handler removed, by now.
    private func answered(_ response: consuming BrokerResponse, id: Int) {
        guard let context = self.context else { return }
        let action = self.machine.answered(id: id, endsConnection: response.endsConnection)
        guard action != .ignore else { return }
        let current = self.current
        if response.head.status.code < 200 { response = ResponseFraming.failure() }
        // The client depends on the current request.
        let line = current?.access?.line(response, client: self.client(context))
        self.current = nil
        // A handler in front may deliver the next request as soon as the end is written.
        if let pause = response.pause, action == .write { self.pauseReads(for: pause, context) }

        if let date { response.head.headerFields.append(date.field) }
        let (head, body) = ResponseFraming.frame(
            response, for: current?.framing, isHTTP2: current?.isHTTP2 ?? false, isLast: action == .writeAndEnd)
        // The parts are written without interruption, so that no other part comes between them. The state machine
        // already has the state after them.
        let last: Parts.ResponsePart
        if let whole = Parts.whole(head, body: body) {
            last = whole
        } else {
            context.write(NIOAny(Parts.head(head)), promise: nil)
            if let body { context.write(NIOAny(Parts.body(body)), promise: nil) }
            last = Parts.end()
        }
        if var line, let access = current?.access {
            line.bytes = body?.readableBytes ?? 0
            line.duration = context.eventLoop.now - access.begin
            self.accessLog?.write(line)
        }

        guard action == .writeAndEnd else {
            context.writeAndFlush(NIOAny(last), promise: nil)
            self.deliverHeldEvents(context)
            self.runPostponedCloses(context)
            self.resume(context)
            return
        }
        let flushed = context.eventLoop.makePromise(of: Void.self)
        flushed.futureResult.assumeIsolated().whenComplete { _ in self.flushed(id: id) }
        context.writeAndFlush(NIOAny(last), promise: flushed)
    }

    /// Has the connection not read for a time, in seconds, if its peer is the client itself. A proxy speaks for others,
    /// too.
    private func pauseReads(for seconds: Int64, _ context: ChannelHandlerContext) {
        guard self.pausesReads, case .client(_?) = self.peer(context) else { return }
        let pause = ReadPause(seconds: seconds)
        self.pauseEnd = context.eventLoop.now + pause.time
        context.triggerUserOutboundEvent(pause, promise: nil)
    }

    private func flushed(id: Int) {
        guard let context = self.context else { return }
        switch self.machine.flushed(id: id) {
        case .ignore:
            break
        case .close:
            self.close(context)
        case .reset:
            self.deliverRemainingEvents(context)
            // The codec for `HTTPServerResponsePart` does not support this event, and a stream channel would never
            // complete its promise. Closing the stream resets it too, with CANCEL.
            let codec = HTTP2FramePayloadToHTTPServerCodec.self
            if Parts.isHTTP2 == true || (try? context.pipeline.syncOperations.context(handlerType: codec)) != nil {
                context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
                self.runPostponedCloses(context)
            } else {
                self.close(context)
            }
            self.leaveIfAsked(context)
        case .drain(let id):
            self.startTimer(id: id, in: self.drainTime, context)
            if self.machine.takePendingRead() { context.read() }
        }
    }

    /// Tells the client of the broker's request to send its body.
    func sendContinue(_ context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(Parts.head(HTTPResponse(status: .continue))), promise: nil)
    }

    /// Closes the connection or stream. The state machine has finished already, and postponed close requests are
    /// completed with this one.
    func close(_ context: ChannelHandlerContext) {
        self.stopTimer()
        self.deliverRemainingEvents(context)
        self.runPostponedCloses(context)
        context.close(mode: .all, promise: nil)
        self.leaveIfAsked(context)
    }

    func runPostponedCloses(_ context: ChannelHandlerContext) {
        let closes = self.postponedCloses
        self.postponedCloses.removeAll()
        for close in closes { context.close(mode: close.mode, promise: close.promise) }
    }

    /// Drops what is held, except for events, since no further request is processed.
    private func deliverRemainingEvents(_ context: ChannelHandlerContext) {
        self.deliverHeldEvents(context)
        let items = self.held
        self.held.removeAll()
        self.heldShare = nil
        for case .event(let event) in items { context.fireUserInboundEventTriggered(event) }
    }
}
