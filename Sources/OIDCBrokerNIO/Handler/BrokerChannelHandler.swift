// SPDX-License-Identifier: Apache-2.0

package import Logging
package import NIOCore
import NIOHTTP1
import OIDCBroker

/// Answers the requests whose path is the broker's, and passes everything else on untouched: bodies, pipelined
/// requests, kept connections, upgrades, half-closed ones.
///
/// It stands behind the HTTP codec and before the application's own handlers, one for each connection (HTTP/1.1) or
/// stream (HTTP/2):
///
/// ```swift
/// try channel.pipeline.syncOperations.configureHTTPServerPipeline()
/// try channel.pipeline.syncOperations.addBroker(broker, logger: logger)
/// try channel.pipeline.syncOperations.addHandler(ApplicationHandler())
/// ```
///
/// A request is the broker's if its path, byte for byte as received, is (`/__/auth/...`; nothing is decoded before it
/// is compared). An absolute-form target is reduced to its path first. Bodies are collected up to the broker's limits
/// (413, 408), `Expect: 100-continue` is answered, a request with no or more than one `Host` is refused (400): for the
/// broker's own requests only. Which events come in which order is decided by a state machine that is tested without
/// channels.
///
/// It may be removed from the pipeline at any time; it leaves when its own response is out.
///
/// What every request goes through is specialized for the standalone server (SE-0460): NIO calls the methods of a generic
/// class by its protocols, and so the unspecialized ones, which ask the runtime for types again and again.
package final class BrokerChannelHandler<Parts: HTTPPartAdapter>: ChannelDuplexHandler, RemovableChannelHandler {
    /// Request parts of the pipeline.
    package typealias InboundIn = Parts.RequestPart
    /// Request parts that are not the broker's.
    package typealias InboundOut = Parts.RequestPart
    /// Response parts of the handlers behind.
    package typealias OutboundIn = Parts.ResponsePart
    /// Those and the broker's own.
    package typealias OutboundOut = Parts.ResponsePart

    /// The broker's request that is under way.
    struct Current {
        /// `nil` if its head could not be translated. Its body grows while it is collected.
        var request: BrokerRequest?
        var framing: RequestFraming?
        var isHTTP2: Bool
        /// What the body has beyond its first bytes, while it is collected.
        var share: LargeBodies.Share?

        /// The body is handed on, or of no use any more.
        mutating func releaseBody() {
            request?.body = ByteBuffer()
            share = nil
        }
    }

    let responder: any BrokerResponder
    let logger: Logger
    let validatesAuthority: Bool
    let peersAreProxies: Bool
    let largeBodies: LargeBodies

    var machine = ClaimStateMachine()
    var context: ChannelHandlerContext?
    var current: Current?
    var timer: Scheduled<Void>?
    /// A request whose turn it is, while responses before it do not get out.
    var postponed: (request: BrokerRequest, id: Int)?

    /// Inbound parts, events and errors behind the end of our request.
    var held = CircularBuffer<HeldInbound>()
    /// Events from before the end of our request; older than anything in `held`.
    var heldEvents: [Any] = []
    var postponedCloses: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []
    var removalToken: ChannelHandlerContext.RemovalToken?
    var isReplaying = false
    var hasForwarded = false
    /// Looked up at the first request of ours: handlers may be added in any order.
    var isHTTP2Stream: Bool?
    /// Who the peer is, looked up at the first request of ours: `.some(nil)` where nobody in particular.
    var knownClient: ClientAddress??

    /// How long the rest of a refused HTTP/1 request is read and dropped before the connection closes.
    let drainTime = TimeAmount.seconds(1)

    /// A handler for one connection or stream; see ``OIDCBroker/Broker/makeChannelHandler(parts:logger:validatesAuthority:peersAreProxies:)``.
    package convenience init(
        responder: any BrokerResponder, logger: Logger, validatesAuthority: Bool = false, peersAreProxies: Bool = false
    ) {
        self.init(
            responder: responder, logger: logger, validatesAuthority: validatesAuthority,
            peersAreProxies: peersAreProxies, largeBodies: .shared)
    }

    init(
        responder: any BrokerResponder, logger: Logger, validatesAuthority: Bool, peersAreProxies: Bool,
        largeBodies: LargeBodies
    ) {
        self.largeBodies = largeBodies
        self.responder = responder
        self.logger = logger
        self.validatesAuthority = validatesAuthority
        self.peersAreProxies = peersAreProxies
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

    /// Lets go of everything that waits.
    private func end() {
        self.machine.ended()
        self.stopTimer()
        self.current = nil
        self.postponed = nil
        self.held.removeAll()
        self.heldEvents.removeAll()
        // The channel is closed, which is what they asked for.
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
            self.hold(.part(data, bytes: self.bodyBytes(of: data)), context)
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
            // Its turn comes behind what is held; the machine still learns at once that the connection is to end.
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
        if context.channel.isWritable, let postponed = self.postponed {
            self.postponed = nil
            self.ask(postponed.request, id: postponed.id, on: context.eventLoop)
        }
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
        // One read more, while nothing is held: a connection that is taken out of the selector for each response that is
        // waited for, and put back, costs two system calls, and its end would not be noticed meanwhile.
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
            context.close(mode: mode, promise: promise)
        }
    }

    // MARK: Timer

    func startTimer(id: Int, in time: TimeAmount, _ context: ChannelHandlerContext) {
        self.stopTimer()
        // Not weak: it is stopped when the channel ends and when we leave it.
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

    /// Our request will have no response.
    func giveUp() {
        self.stopTimer()
        self.current = nil
        self.postponed = nil
    }
}

@available(*, unavailable)
extension BrokerChannelHandler: Sendable {}
