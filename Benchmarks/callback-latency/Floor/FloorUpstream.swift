// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix

/// The idle keep-alive connections of one event loop to the provider.
final class FloorUpstream {
    private let address: SocketAddress
    private let path: String
    private let eventLoop: any EventLoop
    private var idle: [FloorUpstreamHandler] = []

    init(address: SocketAddress, path: String, eventLoop: any EventLoop) {
        self.address = address
        self.path = path
        self.eventLoop = eventLoop
    }

    /// Redeems a code, and calls back with whether the provider responded with status 200 and a body.
    func post(code: String, _ whenDone: @escaping (Bool) -> Void) {
        let form =
            "grant_type=authorization_code&client_id=\(ProviderClient.id)&client_secret=\(ProviderClient.secret)"
            + "&redirect_uri=x&code=\(code)"
        if let handler = idle.popLast() {
            handler.post(path: path, form: form, whenDone)
        } else {
            connect(form: form, whenDone)
        }
    }

    func becameIdle(_ handler: FloorUpstreamHandler) { idle.append(handler) }

    func ended(_ handler: FloorUpstreamHandler) { idle.removeAll { $0 === handler } }

    private func connect(form: String, _ whenDone: @escaping (Bool) -> Void) {
        let handler = FloorUpstreamHandler(pool: self)
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .channelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .connect(to: address)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success: handler.post(path: self.path, form: form, whenDone)
                case .failure: whenDone(false)
                }
            }
    }
}

@available(*, unavailable)
extension FloorUpstream: Sendable {}

/// A channel handler for a connection to the provider.
final class FloorUpstreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private weak var pool: FloorUpstream?
    private var context: ChannelHandlerContext?
    private var whenDone: ((Bool) -> Void)?
    private var isGood = false
    private var bytes = 0

    init(pool: FloorUpstream) {
        self.pool = pool
    }

    func post(path: String, form: String, _ whenDone: @escaping (Bool) -> Void) {
        guard let context else { return whenDone(false) }
        self.whenDone = whenDone
        var headers = HTTPHeaders()
        headers.reserveCapacity(3)
        headers.add(name: "host", value: "127.0.0.1")
        headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        headers.add(name: "content-length", value: String(form.utf8.count))
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: form)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isGood = head.status == .ok
            bytes = 0
        case .body(let buffer):
            bytes += buffer.readableBytes
        case .end:
            pool?.becameIdle(self)
            finish(isGood && bytes > 0)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pool?.ended(self)
        finish(false)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func finish(_ isGood: Bool) {
        let done = whenDone
        whenDone = nil
        done?(isGood)
    }
}

@available(*, unavailable)
extension FloorUpstreamHandler: Sendable {}
