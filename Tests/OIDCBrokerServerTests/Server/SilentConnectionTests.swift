// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBrokerNIO
import Testing

@testable import OIDCBrokerServer

/// When an HTTP/1 connection on which nothing happens is closed, and what happens to what arrives then.
@Suite struct SilentConnectionTests {
    private final class Probe: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var parts = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { parts += 1 }
    }

    /// Closes as TLS does: it sends its own end, and waits for the peer's.
    private final class SlowCloser: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        var closes = 0

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            closes += 1
            promise?.succeed()
        }
    }

    private let channel = EmbeddedChannel()
    private let probe = Probe()
    private let closer = SlowCloser()

    init() throws {
        let deadline = RequestHeadDeadlineHandler(deadline: .seconds(10))
        let idle = SilentConnectionHandler(timeout: .seconds(60))
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([closer, idle, deadline])
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
        try pipeline.addHandlers([HTTP1ConnectionHandler(deadline: deadline, idle: idle), probe])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func receive(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func respond() throws {
        let response = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
        try channel.writeOutbound(ServerResponsePart.whole(response, body: nil))
    }

    private func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `requests, parts of bodies and responses keep a connection`() throws {
        try receive(Self.request)
        wait(59)
        try respond()
        wait(59)
        try receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
        wait(59)
        try receive("a")
        wait(59)
        #expect(closer.closes == 0)
        wait(1)
        #expect(closer.closes == 1)
    }

    @Test func `a head that begins keeps a connection until the head's deadline, and no longer`() throws {
        try receive(Self.request)
        try respond()
        wait(59)
        try receive("GET ")
        wait(9)
        try receive("/ ")
        #expect(closer.closes == 0)
        wait(1)
        #expect(closer.closes == 1)
    }

    @Test func `a head that begins late and arrives in time is served`() throws {
        try receive(Self.request)
        try respond()
        wait(59)
        try receive("GET / ")
        wait(5)
        try receive("HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(probe.parts == 4)
        #expect(closer.closes == 0)
    }

    @Test(arguments: [true, false])
    func `what arrives while a connection is being closed is dropped`(isIdle: Bool) throws {
        if isIdle {
            try receive(Self.request)
            try respond()
        }
        wait(isIdle ? 60 : 10)
        #expect(closer.closes == 1)
        let parts = probe.parts
        try receive(Self.request)
        #expect(probe.parts == parts)
    }
}
