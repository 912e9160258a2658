// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBrokerNIO
import Testing

@testable import OIDCBrokerServer

@Suite struct HTTP2NotFoundHandlerTests {
    private struct Failure: Error {}

    /// Notes resets, and says that they are done.
    private final class Resets: ChannelOutboundHandler {
        typealias OutboundIn = ServerResponsePart
        var codes: [Int] = []

        func triggerUserOutboundEvent(
            context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
        ) {
            if let event = event as? NIOHTTP2FramePayloadToHTTPEvent, let code = event.reset {
                codes.append(code.networkCode)
            }
            promise?.succeed(())
        }
    }

    private let channel: EmbeddedChannel
    private let resets = Resets()

    init() throws {
        channel = EmbeddedChannel(handlers: [resets, HTTP2NotFoundHandler(logger: Logger(label: "test"))])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func head(_ method: String, endsStream: Bool = true) throws -> HTTP2RequestPart {
        let fields: HPACKHeaders = [
            ":method": method, ":scheme": "https", ":authority": "auth.example.com", ":path": "/other",
        ]
        return .head(try HTTP2RequestHead(fields, endsStream: endsStream))
    }

    /// The status, and the bytes of the body; of a response in one part.
    private func readResponse() throws -> (status: Int?, body: Int) {
        var status: Int?
        var body = 0
        while let part = try channel.readOutbound(as: ServerResponsePart.self) {
            guard case .whole(let head, let bytes) = part else {
                Issue.record("a part of a response")
                continue
            }
            status = head.status.code
            body += bytes?.readableBytes ?? 0
        }
        return (status, body)
    }

    @Test func `an unclaimed path is not found, and the stream goes on`() throws {
        try channel.writeInbound(head("GET"))
        try channel.writeInbound(HTTP2RequestPart.end(nil))
        #expect(try readResponse() == (404, NotFound.text.utf8.count))
        #expect(channel.isActive)
        #expect(resets.codes.isEmpty)
    }

    @Test func `a HEAD is answered without a body`() throws {
        try channel.writeInbound(head("HEAD"))
        try channel.writeInbound(HTTP2RequestPart.end(nil))
        #expect(try readResponse() == (404, 0))
    }

    @Test func `an unread body is not waited for, and its client is told to stop`() throws {
        try channel.writeInbound(head("POST", endsStream: false))
        channel.embeddedEventLoop.run()
        #expect(try readResponse() == (404, NotFound.text.utf8.count))
        #expect(resets.codes == [0])
        try channel.writeInbound(HTTP2RequestPart.body(ByteBuffer(string: "a")))
        try channel.writeInbound(HTTP2RequestPart.end(nil))
        #expect(try readResponse() == (nil, 0))
    }

    @Test func `an unhandled error ends the stream`() throws {
        channel.pipeline.fireErrorCaught(Failure())
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(try readResponse() == (nil, 0))
        // Nothing comes out at the end of the pipeline.
        try channel.throwIfErrorCaught()
    }
}
