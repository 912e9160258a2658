// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

@testable import OIDCBrokerNIO

/// An HTTP/2 server connection in memory, each stream with NIO's codec, the broker's handler (or not), an application.
struct HTTP2Connection {
    let channel = EmbeddedChannel()
    let stub: StubResponder
    let log = Log()

    /// - Parameter usesHTTP1Parts: Whether the streams speak `HTTPServerRequestPart`.
    init(
        stub: StubResponder = StubResponder(), withBroker: Bool = true, usesHTTP1Parts: Bool = false,
        clientAddressing: ClientAddressing = .publicPeer, memory: MemoryBudget = MemoryBudget(bytes: 256 << 20)
    ) throws {
        self.stub = stub
        let log = self.log
        _ = try self.channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                let logger = Logger(label: "test")
                if usesHTTP1Parts {
                    try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                    if withBroker {
                        try pipeline.addHandler(
                            BrokerChannelHandler<HTTP1Parts>(
                                responder: stub, logger: logger, validatesAuthority: false,
                                clientAddressing: clientAddressing, memory: memory))
                    }
                    try pipeline.addHandler(Application(log: log))
                } else {
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    if withBroker {
                        try pipeline.addHandler(
                            BrokerChannelHandler<HTTPTypesParts>(
                                responder: stub, logger: logger, validatesAuthority: false,
                                clientAddressing: clientAddressing, memory: memory))
                    }
                    try pipeline.addHandler(StreamApplication(log: log))
                }
            }
        }
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/in-memory")).wait()
    }

    /// One read with these bytes.
    func send(_ bytes: some Collection<UInt8>) throws {
        try self.channel.writeInbound(ByteBuffer(bytes: bytes))
        self.channel.embeddedEventLoop.run()
    }

    /// What the client got since the last call.
    func received() throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) { all += Array(buffer: bytes) }
        return all
    }

    func advance(_ time: TimeAmount) {
        self.channel.embeddedEventLoop.advanceTime(by: time)
    }

    /// To be called at the end of a test; checks nothing.
    func finish() {
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }
}

/// The application behind the broker on an HTTP/2 stream, which records what it receives and responds at the end.
final class StreamApplication: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let log: Log
    private var path = ""

    init(log: Log) {
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.path = head.path ?? ""
            self.log.append("head \(head.method) \(self.path) \(head.headerFields)")
        case .body(let bytes):
            self.log.append("body \(self.path) \(String(buffer: bytes))")
        case .end(let trailers):
            self.log.append("end \(self.path) \(trailers.map { "\($0)" } ?? "")")
            context.write(self.wrapOutboundOut(.head(HTTPResponse(status: .ok))), promise: nil)
            context.write(self.wrapOutboundOut(.body(ByteBuffer(string: "app \(self.path)"))), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.log.append("readComplete \(self.path)")
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        self.log.append("event \(self.path) \(event)")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.log.append("error \(self.path) \(type(of: error))")
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.log.append("inactive \(self.path)")
    }
}
