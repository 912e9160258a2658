// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBroker
import OpenIDRelyingParty

// What goes out: our own responses, and the ends of connections and streams.

extension BrokerChannelHandler {
    /// It is our turn.
    func start(_ response: ClaimStateMachine.Answer, id: Int, _ context: ChannelHandlerContext) {
        self.stopTimer()
        switch response {
        case .refuse(let refusal):
            let response = ResponseFraming.refusal(refusal)
            self.logger.debug(
                "oidc-broker: request refused before it reached the broker",
                metadata: ["auth.status": "\(response.head.status.code)"])
            self.answered(response, id: id)
        case .respond:
            guard let isHTTP2 = self.current?.isHTTP2, var request = self.current?.request else {
                self.answered(ResponseFraming.failure(), id: id)
                return
            }
            self.current?.request = nil
            self.current?.releaseBody()
            request.validatesAuthority = self.validatesAuthority
            request.clientAddress = self.clientAddress(context)
            request.logger = self.logger
            // A client that pipelines and never reads: what earlier responses have in memory is enough. An HTTP/2 stream has
            // one response, and its window.
            guard isHTTP2 || context.channel.isWritable else {
                self.postponed = (request, id)
                return
            }
            self.ask(request, id: id, on: context.eventLoop)
        }
    }

    /// Has the broker respond.
    func ask(_ request: BrokerRequest, id: Int, on eventLoop: any EventLoop) {
        EndOfTick.run(on: eventLoop) { self.respond(to: request, id: id, on: eventLoop) }
    }

    /// Who the peer is; made once.
    func clientAddress(_ context: ChannelHandlerContext) -> ClientAddress? {
        if let knownClient = self.knownClient { return knownClient }
        let address = self.peersAreProxies ? nil : ClientAddress(context.channel.remoteAddress)
        self.knownClient = .some(address)
        return address
    }

    private func respond(to request: BrokerRequest, id: Int, on eventLoop: any EventLoop) {
        switch self.responder.respond(to: request, on: eventLoop) {
        case .value(let response):
            self.answered(response, id: id)
        case .failure:
            self.answered(ResponseFraming.failure(), id: id)
        case .future(let future):
            // The future holds the handler until it completes, at the latest with the broker's own deadline.
            future.hop(to: eventLoop).assumeIsolated().whenComplete { result in
                switch result {
                case .success(let response): self.answered(response, id: id)
                case .failure: self.answered(ResponseFraming.failure(), id: id)
                }
            }
        }
    }

    /// The answer is there; the channel may be closed, or we out of it, by now.
    private func answered(_ response: consuming BrokerResponse, id: Int) {
        guard let context = self.context else { return }
        let action = self.machine.answered(id: id)
        guard action != .ignore else { return }
        let current = self.current
        self.current = nil

        if response.head.status.code < 200 { response = ResponseFraming.failure() }
        let (head, body) = ResponseFraming.frame(
            response, for: current?.framing, isHTTP2: current?.isHTTP2 ?? false, isLast: action == .writeAndEnd)
        // One go, so that no other part comes between: the machine is where it will be afterwards already.
        let last: Parts.ResponsePart
        if let whole = Parts.whole(head, body: body) {
            last = whole
        } else {
            context.write(NIOAny(Parts.head(head)), promise: nil)
            if let body { context.write(NIOAny(Parts.body(body)), promise: nil) }
            last = Parts.end()
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

    private func flushed(id: Int) {
        guard let context = self.context else { return }
        switch self.machine.flushed(id: id) {
        case .ignore:
            break
        case .close:
            self.close(context)
        case .reset:
            self.deliverRemainingEvents(context)
            // The codec for `HTTPServerResponsePart` has no such event, and a stream channel would never complete a
            // promise of it; closing the stream resets it too, with CANCEL.
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

    /// Tells our client to go on with its body.
    func sendContinue(_ context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(Parts.head(HTTPResponse(status: .continue))), promise: nil)
    }

    /// Closes the connection or stream. The machine has finished already, and whoever asked to close gets what he
    /// asked for.
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

    /// No further request is processed: what is held is dropped, except for events.
    private func deliverRemainingEvents(_ context: ChannelHandlerContext) {
        self.deliverHeldEvents(context)
        let items = self.held
        self.held.removeAll()
        for case .event(let event) in items { context.fireUserInboundEventTriggered(event) }
    }
}
