// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import OpenIDConnect

/// One connection to a provider: one request at a time, sent once.
///
/// Where a connection that was kept ends before a byte of the response came, the request is given back to the host, which
/// sends it on a new one: a GET, which asks the provider to do nothing, and a POST of which no byte was written.
///
/// It has one timer, which is not moved at each request: when it fires it looks whether anything is due, and sleeps on
/// until the next thing is.
final class NIOClientConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// A request and what came of it so far.
    private struct Exchange {
        let request: ProviderRequest
        let promise: EventLoopPromise<ProviderResponse>
        var response = ProviderResponse(status: 0, contentType: nil, body: ByteBuffer())
        var isSent = false
        /// Whether the connection may be used again.
        var keepsConnection = false
    }

    /// Tells the decoder that a response is due; GET and POST are the same to it.
    private static let announcement = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
    private let host: NIOClientHost
    private let loop: any EventLoop
    private var context: ChannelHandlerContext?
    private var exchange: Exchange?
    /// A response that is whole while the read that brought it is not over.
    private var finished: (promise: EventLoopPromise<ProviderResponse>, response: ProviderResponse)?
    /// Since when it has no request; nil before it was used.
    private(set) var idleSince: NIODeadline?
    /// What holds a request until the end of the loop's turn.
    private let coalescing: FlushCoalescingHandler
    /// When it began to connect.
    private let startedAt: NIODeadline
    /// When it got the request that is under way.
    private var sentAt: NIODeadline?
    /// Whether it was connected and, with TLS, the certificate was found good.
    var isEstablished = false
    private var isClosed = false
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?

    init(host: NIOClientHost, loop: any EventLoop, coalescing: FlushCoalescingHandler) {
        self.coalescing = coalescing
        self.host = host
        self.loop = loop
        startedAt = loop.now
    }

    /// Sends a request: now, or as soon as the connection stands.
    func send(_ request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>) {
        guard !isClosed, exchange == nil else { return promise.fail(ProviderTransportError.interrupted) }
        exchange = Exchange(request: request, promise: promise)
        sentAt = loop.now
        wake(at: request.deadline)
        if let context, context.channel.isActive { write(context) }
    }

    /// Ends the connection, and the request under way with it.
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
        // Whatever the channel says of itself, the provider may have got the request.
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
        // First: what is held must not be written while the connection is closed.
        let isUnwritten = coalescing.takeBack() || !exchange.isSent
        return exchange.request.form == nil || isUnwritten
    }

    /// Closes the connection; at once as far as its host is concerned.
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
        // Given up while the connection was being made.
        if isClosed { return context.close(promise: nil) }
        // The channel stands already: only the one that won is given to this handler.
        if context.channel.isActive { write(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        fail(ProviderTransportError.interrupted)
    }

    func channelActive(context: ChannelHandlerContext) {
        if isClosed { return context.close(promise: nil) }
        write(context)
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
        // The decoder asks the head only whether the response has a body; the encoder lets nothing of it through.
        context.write(wrapOutboundOut(.head(Self.announcement)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // Bytes behind the response, or that nobody asked for: whose they are, nobody knows.
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
            exchange?.response = try ProviderResponse(
                head, isDocument: request.form == nil, maximumBytes: request.maximumResponseBytes)
        } catch {
            return fail(error)
        }
        exchange?.keepsConnection =
            head.isKeepAlive && head.status != .switchingProtocols
            && host.keepsConnection(afterResponse: head.headers.first(name: "keep-alive"))
    }

    private func receive(_ bytes: ByteBuffer) {
        guard let exchange else { return }
        let count = exchange.response.body.readableBytes
        guard count + bytes.readableBytes <= exchange.request.maximumResponseBytes else {
            return fail(ProviderTransportError.tooLarge)
        }
        if count == 0 {
            self.exchange?.response.body = bytes
        } else {
            self.exchange?.response.body.writeImmutableBuffer(bytes)
        }
    }

    private func finish() {
        guard let exchange else { return }
        self.exchange = nil
        finished = (exchange.promise, exchange.response)
        // At the end of the stream no end of the read follows.
        if !exchange.keepsConnection || context?.channel.isActive != true { settle(reuses: false) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        settle(reuses: true)
        context.fireChannelReadComplete()
    }

    /// Gives the response, once what was read with it has been looked at: a second answer in the same bytes would be taken
    /// for that of the next request.
    private func settle(reuses: Bool) {
        guard let finished else { return }
        self.finished = nil
        // First: whoever gets the response may send the next request at once.
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
        // Behind all that this turn of the loop reads: answers are validated one after the other, not each between two reads,
        // so that the code for it stays in the processor's caches.
        loop.assumeIsolated().execute { finished.promise.succeed(finished.response) }
    }

    // MARK: Time

    /// Sees to it that the timer fires by then.
    private func wake(at time: NIODeadline) {
        if let timer {
            guard timer.at > time else { return }
            timer.task.cancel()
        }
        // Not weak: it is canceled with the connection, and counting the references to an object that was ever referred
        // to weakly takes a second object from then on.
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
