// SPDX-License-Identifier: Apache-2.0

import EventLoopTicks
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import OpenIDConnect
import OpenIDRelyingParty

/// A connection to a provider, which carries one request at a time and sends each once.
///
/// If a reused connection ends before the response begins, the request is returned to the host, which sends it on a new
/// connection. This is done for a GET, which has no effect at the provider, and for a POST before its first byte was
/// written.
///
/// There is a single timer, which is not rescheduled for each request: when it fires, it handles what is due and is set
/// to the next deadline.
final class NIOClientConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// A request with what was received of its response so far.
    private struct Exchange {
        let request: ProviderRequest
        let promise: EventLoopPromise<ProviderResponse>
        var response = ProviderResponse(status: 0, contentType: nil, body: ByteBuffer())
        var isSent = false
        /// Whether the connection may be reused.
        var keepsConnection = false
    }

    /// A head that tells the decoder to expect a response. GET and POST make no difference to the decoder.
    private static let announcement = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
    private let host: NIOClientHost
    /// The host that the server's certificate must name.
    private let name: String
    private let loop: any EventLoop
    private var context: ChannelHandlerContext?
    private var exchange: Exchange?
    /// A complete response, held until the read that delivered it has completed.
    private var finished: (promise: EventLoopPromise<ProviderResponse>, response: ProviderResponse)?
    /// The time since which the connection is idle; `nil` if it was not used yet.
    private(set) var idleSince: NIODeadline?
    /// The handler that holds a request until the end of the event loop tick.
    private let coalescing: FlushCoalescingHandler
    /// The time at which the connection attempt began.
    private let startedAt: NIODeadline
    /// The time at which the request under way was passed to this connection.
    private var sentAt: NIODeadline?
    /// Whether the connection was established and, with TLS, the certificate was accepted.
    var isEstablished = false
    private var isClosed = false
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?

    init(host: NIOClientHost, name: String, loop: any EventLoop, coalescing: FlushCoalescingHandler) {
        self.name = name
        self.coalescing = coalescing
        self.host = host
        self.loop = loop
        startedAt = loop.now
    }

    /// Sends a request now, or as soon as the connection is established.
    func send(_ request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>) {
        guard !isClosed, exchange == nil else { return promise.fail(ProviderTransportError.interrupted) }
        exchange = Exchange(request: request, promise: promise)
        sentAt = loop.now
        wake(at: request.deadline)
        if let context, context.channel.isActive, isEstablished { write(context) }
    }

    /// Closes the connection and fails the request under way.
    func fail(_ error: any Error) {
        settle(reuses: false)
        let exchange = self.exchange
        self.exchange = nil
        if let exchange, maySendAgain(exchange, after: error) {
            host.sendAgain(exchange.request, exchange.promise, insteadOn: self)
            return close()
        }
        close()
        guard let exchange else { return }
        // Whatever the channel's error says, the provider may have received the request.
        let isInterruption = exchange.isSent && error is ChannelError
        let reason = isInterruption ? .interrupted : ProviderTransportError(classifying: error)
        exchange.promise.fail(reason == .connectTimedOut && !hadTimeToConnect ? .timedOut : reason)
    }

    /// Whether the attempt had all the time of one: a request that waited for most of its own says nothing of the way to
    /// the provider.
    private var hadTimeToConnect: Bool { loop.now - startedAt >= host.connectTimeout }

    private func maySendAgain(_ exchange: Exchange, after error: any Error) -> Bool {
        guard !isClosed, idleSince != nil, exchange.response.status == 0,
            ProviderTransportError.isEndOfConnection(error)
        else { return false }
        if let sentAt, let idleSince { host.ended(afterIdle: sentAt - idleSince) }
        // The held write is dropped first, so that it is not written when the connection is closed.
        let isUnwritten = coalescing.takeBack() || !exchange.isSent
        return exchange.request.content == nil || isUnwritten
    }

    /// Closes the connection and removes it from its host at once.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.task.cancel()
        timer = nil
        host.closed(self)
        context?.close(promise: nil)
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The request was abandoned while the connection was being made.
        if isClosed { return context.close(promise: nil) }
        // The channel may already be active: this handler is added only to the channel of the successful attempt.
        if context.channel.isActive, isEstablished { write(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        fail(ProviderTransportError.interrupted)
    }

    func channelActive(context: ChannelHandlerContext) {
        if isClosed { return context.close(promise: nil) }
        if isEstablished { write(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            do {
                try validateCertificate(context)
            } catch {
                return fail(error)
            }
            isEstablished = true
            write(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Checks what NIOSSL does not: the strength of the server's own certificate, and that it names the host.
    private func validateCertificate(_ context: ChannelHandlerContext) throws {
        guard let certificate = try context.pipeline.syncOperations.nioSSL_peerCertificate() else {
            throw ProviderTransportError.untrusted
        }
        guard CertificateStrength.isSufficient(certificate) else { throw ProviderTransportError.weakCertificate }
        guard let identity = ServiceIdentity(certificate),
            !identity.mayRest(on: context.channel.remoteAddress) || identity.matches(name)
        else { throw ProviderTransportError.untrusted }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isClosed, exchange == nil, finished == nil, let idleSince { host.ended(afterIdle: loop.now - idleSince) }
        fail(exchange?.isSent == false && idleSince == nil ? ProviderTransportError.unreachable : .interrupted)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }

    private func write(_ context: ChannelHandlerContext) {
        guard let request = exchange?.request, exchange?.isSent == false else { return }
        exchange?.isSent = true
        let bytes: ByteBuffer
        do {
            bytes = try ProviderRequestEncoder.encode(
                request, authority: host.authority, allocator: context.channel.allocator)
        } catch {
            return fail(error)
        }
        // The decoder uses the head only to know whether the response has a body. The encoder drops the head.
        context.write(wrapOutboundOut(.head(Self.announcement)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // These bytes follow a complete response or were never requested, so they belong to no known request.
        guard exchange != nil else {
            settle(reuses: false)
            return close()
        }
        switch part {
        case .head(let head): receive(head)
        case .body(let bytes): receive(bytes)
        case .end: finish()
        }
    }

    private func receive(_ head: HTTPResponseHead) {
        guard let request = exchange?.request else { return }
        do {
            exchange?.response = try ProviderResponse(head, to: request)
        } catch {
            return fail(error)
        }
        exchange?.keepsConnection =
            head.isKeepAlive && head.status != .switchingProtocols
            && host.keepsConnection(afterResponse: head.headers.first(name: "keep-alive"))
    }

    private func receive(_ bytes: ByteBuffer) {
        guard let count = exchange?.response.body.readableBytes, let limit = exchange?.request.maximumResponseBytes
        else { return }
        guard count + bytes.readableBytes <= limit else { return fail(ProviderTransportError.tooLarge) }
        if count == 0 {
            exchange?.response.body = bytes
        } else {
            exchange?.response.body.writeImmutableBuffer(bytes)
        }
    }

    private func finish() {
        guard let exchange = exchange.take() else { return }
        finished = (exchange.promise, exchange.response)
        // If the channel is inactive, no `channelReadComplete` follows.
        if !exchange.keepsConnection || context?.channel.isActive != true { settle(reuses: false) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        settle(reuses: true)
        context.fireChannelReadComplete()
    }

    /// Delivers the response after everything in the same read was processed: a second response in it must not be taken
    /// for the response to the next request.
    private func settle(reuses: Bool) {
        guard let finished = finished.take() else { return }
        // The connection is released first, because the recipient of the response may send the next request at once.
        if reuses, !isClosed, context?.channel.isActive == true {
            let now = loop.now
            idleSince = now
            sentAt = nil
            let limit = host.idleLimit
            wake(at: now + limit)
            host.released(self)
        } else {
            close()
        }
        EndOfTick.run(on: loop) { finished.promise.succeed(finished.response) }
    }

    // MARK: Time

    /// Makes sure that the timer fires by the given time.
    private func wake(at time: NIODeadline) {
        if let timer {
            guard timer.at > time else { return }
            timer.task.cancel()
        }
        // A strong reference is enough, since the timer is canceled when the connection closes. A weak one would make
        // every later reference count of this object slower.
        let task = loop.assumeIsolated().scheduleTask(deadline: time) {
            self.timer = nil
            self.look()
        }
        timer = (time, task)
    }

    private func look() {
        guard !isClosed else { return }
        if let deadline = exchange?.request.deadline {
            guard deadline > loop.now else {
                return fail(isEstablished ? ProviderTransportError.timedOut : .connectTimedOut)
            }
            wake(at: deadline)
        } else {
            let end = (idleSince ?? loop.now) + host.idleLimit
            guard end > loop.now else { return close() }
            wake(at: end)
        }
    }
}

@available(*, unavailable)
extension NIOClientConnection: Sendable {}
