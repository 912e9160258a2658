// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOHTTP2
import NIOTLS

/// An HTTP/2 connection over TLS. A browser has one for an origin. Each request is a stream.
///
/// It is the last handler of the connection's pipeline; streams have pipelines of their own.
final class HTTP2Connection: ChannelInboundHandler, UserConnection {
    typealias InboundIn = HTTP2Frame

    private let host: String
    private weak var delegate: (any UserConnectionDelegate)?
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private var context: ChannelHandlerContext?
    private var exchange: HTTP2Exchange?
    private var isClosed = false
    private var responses = 0

    init(
        host: String, delegate: any UserConnectionDelegate, multiplexer: NIOHTTP2Handler.StreamMultiplexer
    ) {
        self.host = host
        self.delegate = delegate
        self.multiplexer = multiplexer
    }

    var isUsable: Bool { context != nil && !isClosed && exchange == nil }

    func send(_ request: UserRequest) {
        guard let context, !isClosed else {
            delegate?.connectionFailed("the connection is closed", isStale: responses > 0)
            return
        }
        let exchange = HTTP2Exchange(request, host: host, connection: self)
        self.exchange = exchange
        let bound = NIOLoopBound(exchange, eventLoop: context.eventLoop)
        let promise = context.eventLoop.makePromise(of: (any Channel).self)
        promise.futureResult.assumeIsolated().whenFailure { _ in
            self.failed(exchange, "no stream could be opened", isUntouched: true)
        }
        multiplexer.createStreamChannel(promise: promise) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(bound.value)
            }
        }
    }

    func close() {
        delegate = nil
        isClosed = true
        context?.close(promise: nil)
    }

    /// Handles the complete response of a stream.
    func received(_ response: TargetResponse, by exchange: HTTP2Exchange, at time: Int64) {
        guard exchange === self.exchange, let context else { return }
        self.exchange = nil
        responses += 1
        context.eventLoop.assumeIsolated().execute { self.delegate?.received(response, at: time) }
    }

    /// Handles the end of a stream without a response.
    func failed(_ exchange: HTTP2Exchange, _ reason: String, isUntouched: Bool) {
        guard exchange === self.exchange else { return }
        self.exchange = nil
        delegate?.connectionFailed(reason, isStale: isUntouched && responses > 0)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted(let negotiated) = event, negotiated != "h2" {
            end("the target does not speak HTTP/2")
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end("the connection was closed")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(ConnectionFailure.kind(of: error))
        context.close(promise: nil)
    }

    private func end(_ reason: String) {
        isClosed = true
        guard let exchange else { return }
        failed(exchange, reason, isUntouched: !exchange.hasBegun)
    }
}

@available(*, unavailable)
extension HTTP2Connection: Sendable {}
