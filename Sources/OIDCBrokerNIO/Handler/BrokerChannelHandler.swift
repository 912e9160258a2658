// SPDX-License-Identifier: Apache-2.0

package import Admission
package import Logging
package import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords

/// A channel handler that responds to the broker's requests, and forwards all others unchanged: bodies, pipelined requests,
/// kept-alive connections, upgrades, half-closed connections.
///
/// Add one to each connection (HTTP/1.1) or stream (HTTP/2), after the HTTP codec and before the server's own handlers:
///
/// ```swift
/// try channel.pipeline.syncOperations.configureHTTPServerPipeline()
/// try channel.pipeline.syncOperations.addBroker(broker, logger: logger)
/// try channel.pipeline.syncOperations.addHandler(ApplicationHandler())
/// ```
///
/// The path of a request decides, byte for byte as received, without decoding (`/__/auth/...`). An absolute-form target is
/// reduced to its path first. For the broker's requests, the handler collects bodies up to the broker's limits (413, 408),
/// responds to `Expect: 100-continue`, and refuses a request without `Host` or with several (400). A state machine, which is
/// tested without channels, decides the order of events.
///
/// The handler may be removed from the pipeline at any time. It leaves after its current response is written.
///
/// The functions that every request uses are specialized for the standalone server (SE-0460). Otherwise NIO, which calls the
/// methods of a generic class through protocols, would call the unspecialized ones, which ask the runtime for types again
/// and again.
package final class BrokerChannelHandler<Parts: HTTPPartAdapter>: ChannelDuplexHandler, RemovableChannelHandler {
    /// The request parts of the pipeline.
    package typealias InboundIn = Parts.RequestPart
    /// The request parts that are not the broker's.
    package typealias InboundOut = Parts.RequestPart
    /// The response parts of the handlers after this one.
    package typealias OutboundIn = Parts.ResponsePart
    /// The response parts of the handlers after this one and of the broker.
    package typealias OutboundOut = Parts.ResponsePart

    /// The broker's request that is under way.
    struct Current {
        /// The request; `nil` if its head could not be translated. Its body grows while it is collected.
        var request: BrokerRequest?
        var framing: RequestFraming?
        var isHTTP2: Bool
        /// The client that a trusted proxy named, if the peer is one.
        var forwardedClient: IPAddress?
        /// The memory for the body; `nil` if it was not kept from one read to the next.
        var share: BodyShare?
        /// The place for a longer body than usual, until the response is there; `nil` if it has none.
        var place: LongBodies.Place?
        /// What the line about the request says; `nil` if none is written.
        var access: AccessRecord?

        /// Releases the memory of the body, which was passed on or is no longer needed.
        mutating func releaseBody() {
            request?.body = ByteBuffer()
            share = nil
        }
    }

    let responder: any BrokerResponder
    let logger: Logger
    let validatesAuthority: Bool
    let clientAddressing: ClientAddressing
    let memory: MemoryBudget
    /// Whether the connection is the server's own, which is not read for a time where its client asks too often.
    let pausesReads: Bool
    /// The logger of a line for each of the broker's requests; `nil` for none.
    let accessLog: AccessLog?
    /// The field `Date` of the broker's responses; `nil` if what stands in front of this handler adds it.
    let date: ResponseDate?

    var machine = ClaimStateMachine()
    var context: ChannelHandlerContext?
    var current: Current?
    var timer: Scheduled<Void>?
    /// The identifier of the current request if it is its turn, and earlier responses are not written or the client has
    /// to wait.
    var postponed: Int?
    /// When the client may ask again, which was told that it asks too often.
    var pauseEnd = NIODeadline.distantPast

    /// Inbound parts, events and errors after the end of the broker's request.
    var held = CircularBuffer<HeldInbound>()
    /// The memory for `held`; `nil` if none was kept from one read to the next.
    var heldShare: BodyShare?
    /// Events from before the end of the broker's request, which precede everything in `held`.
    var heldEvents: [Any] = []
    var postponedCloses: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []
    var removalToken: ChannelHandlerContext.RemovalToken?
    var isReplaying = false
    var hasForwarded = false
    /// Whether this is the pipeline of an HTTP/2 stream. Determined at the broker's first request, because handlers may
    /// be added in any order.
    var isHTTP2Stream: Bool?
    /// What the peer of the connection is, determined at the broker's first request.
    var knownPeer: ClientAddressing.Peer?
    /// Whether the peer is a trusted proxy, determined at the first request that is traced.
    var isKnownProxy: Bool?

    /// The time for which the remainder of a refused HTTP/1 request is read and dropped before the connection closes.
    let drainTime = TimeAmount.seconds(1)

    /// Creates a handler for one connection or stream, as `Broker.makeChannelHandler` does.
    ///
    /// - Parameter memory: The memory for bodies; `nil` for that of the responder.
    package init(
        responder: any BrokerResponder, logger: Logger, validatesAuthority: Bool = false,
        clientAddressing: ClientAddressing = .publicPeer, memory: MemoryBudget? = nil, pausesReads: Bool = false,
        accessLogger: Logger? = nil, addsDate: Bool = false
    ) {
        date = addsDate ? responder.responseDate : nil
        self.pausesReads = pausesReads
        accessLog = accessLogger.map { AccessLog($0) }
        self.memory = memory ?? responder.memory
        self.responder = responder
        self.logger = logger
        self.validatesAuthority = validatesAuthority
        self.clientAddressing = clientAddressing
    }

    // MARK: Life

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.end()
        self.context = nil
    }

    package func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        guard self.machine.isBusy || self.isReplaying else {
            context.leavePipeline(removalToken: removalToken)
            return
        }
        self.removalToken = removalToken
    }

    package func channelInactive(context: ChannelHandlerContext) {
        self.end()
        context.fireChannelInactive()
        self.leaveIfAsked(context)
    }

    /// Releases everything that waits.
    private func end() {
        self.machine.ended()
        self.stopTimer()
        self.current = nil
        self.postponed = nil
        self.held.removeAll()
        self.heldShare = nil
        self.heldEvents.removeAll()
        // The channel is closed, which is what the postponed requests asked for.
        let closes = self.postponedCloses
        self.postponedCloses.removeAll()
        for close in closes { close.promise?.succeed(()) }
    }

    func leaveIfAsked(_ context: ChannelHandlerContext) {
        guard let token = self.removalToken, !self.machine.isBusy, !self.isReplaying else { return }
        self.removalToken = nil
        context.leavePipeline(removalToken: token)
    }

    // MARK: Inbound

    #if compiler(>=6.3)
        @specialized(where Parts == HTTP1ServerParts)
        @specialized(where Parts == HTTP2ServerParts)
    #endif
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if self.machine.holdsInbound || !self.held.isEmpty {
            self.hold(.part(data, bytes: self.heldBytes(of: data)), context)
        } else {
            self.receive(data, context)
        }
    }

    #if compiler(>=6.3)
        @specialized(where Parts == HTTP1ServerParts)
        @specialized(where Parts == HTTP2ServerParts)
    #endif
    package func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        self.readCompleted(context)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if self.held.isEmpty || self.isUpgradeComplete(event) {
            self.receive(event: event, context)
        } else {
            // The event is delivered after what is held, but the state machine learns at once that the connection will
            // end.
            if event is ChannelShouldQuiesceEvent { _ = self.machine.eventReceived(.quiesce) }
            self.hold(.event(event), context)
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isParserError = error is HTTPParserError
        if isParserError, !self.held.isEmpty {
            self.hold(.error(error), context)
        } else {
            self.receive(error: error, isParserError: isParserError, context)
        }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.askPostponed(context)
        context.fireChannelWritabilityChanged()
    }

    // MARK: Outbound

    #if compiler(>=6.3)
        @specialized(where Parts == HTTP1ServerParts)
        @specialized(where Parts == HTTP2ServerParts)
    #endif
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !self.machine.isPassive, let part = data.part(as: Parts.ResponsePart.self) else {
            context.write(data, promise: promise)
            return
        }
        let action = self.machine.downstreamWrote(Parts.neutral(part))
        context.write(data, promise: promise)
        switch action {
        case .none:
            break
        case .start(let response, let id):
            self.start(response, id: id, context)
        case .sendContinue(let id):
            self.sendContinue(context)
            self.startTimer(id: id, in: self.responder.limits.bodyDeadline, context)
        case .abandon:
            self.giveUp()
            self.deliverHeldEvents(context)
            self.runPostponedCloses(context)
            self.resume(context)
        case .becomePassive:
            self.giveUp()
            self.releaseAll(context)
            self.leaveIfAsked(context)
        }
    }

    #if compiler(>=6.3)
        @specialized(where Parts == HTTP1ServerParts)
        @specialized(where Parts == HTTP2ServerParts)
    #endif
    package func read(context: ChannelHandlerContext) {
        // One more read is forwarded while nothing is held. Removing the connection from the selector while the broker
        // responds would cost two system calls, and its end would not be noticed.
        if self.machine.readRequested() || (self.machine.holdsInbound && self.held.isEmpty) { context.read() }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch self.machine.closeRequested(endsOutput: mode != .input) {
        case .forward:
            context.close(mode: mode, promise: promise)
        case .postpone:
            self.postponedCloses.append((mode, promise))
        case .abandonAndForward:
            self.giveUp()
            self.held.removeAll()
            self.heldShare = nil
            context.close(mode: mode, promise: promise)
        }
    }

    // MARK: Timer

    func startTimer(id: Int, in time: TimeAmount, _ context: ChannelHandlerContext) {
        self.stopTimer()
        // A strong reference suffices, because the timer is canceled when the channel ends or the handler leaves.
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            guard let context = self.context else { return }
            self.timerFired(id: id, context)
        }
    }

    func stopTimer() {
        self.timer?.cancel()
        self.timer = nil
    }

    private func timerFired(id: Int, _ context: ChannelHandlerContext) {
        self.timer = nil
        switch self.machine.timerFired(id: id) {
        case .ignore: break
        case .start(let response, let id): self.start(response, id: id, context)
        case .wait: self.current?.releaseBody()
        case .close: self.close(context)
        }
    }

    /// Gives up the broker's request, which will get no response.
    func giveUp() {
        self.stopTimer()
        self.current = nil
        self.postponed = nil
    }
}

@available(*, unavailable)
extension BrokerChannelHandler: Sendable {}
