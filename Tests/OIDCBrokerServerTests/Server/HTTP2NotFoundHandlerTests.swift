// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import OIDCBrokerNIO
import Testing

@testable import OIDCBrokerServer

@Suite struct HTTP2NotFoundHandlerTests {
    private struct Trouble: Error {}

    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: HTTP2NotFoundHandler(logger: Logger(label: "test")))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func head(_ method: String) throws -> HTTP2RequestPart {
        let fields: HPACKHeaders = [
            ":method": method, ":scheme": "https", ":authority": "auth.example.com", ":path": "/other",
        ]
        return .head(try HTTP2RequestHead(fields, endsStream: false))
    }

    /// The status, and the bytes of the body.
    private func answer() throws -> (status: Int?, body: Int) {
        var status: Int?
        var body = 0
        while let part = try channel.readOutbound(as: ServerResponsePart.self) {
            switch part {
            case .head(let head): status = head.status.code
            case .body(let bytes): body += bytes.readableBytes
            case .end, .whole: break
            }
        }
        return (status, body)
    }

    @Test func `what nobody claimed is not there, and the stream goes on`() throws {
        try channel.writeInbound(head("GET"))
        try channel.writeInbound(HTTP2RequestPart.end)
        #expect(try answer() == (404, NotFound.text.utf8.count))
        #expect(channel.isActive)
    }

    @Test func `a HEAD is answered without a body`() throws {
        try channel.writeInbound(head("HEAD"))
        try channel.writeInbound(HTTP2RequestPart.end)
        #expect(try answer() == (404, 0))
    }

    @Test func `a body that nobody reads ends the stream`() throws {
        try channel.writeInbound(head("POST"))
        try channel.writeInbound(HTTP2RequestPart.body(ByteBuffer(string: "a")))
        channel.embeddedEventLoop.run()
        #expect(try answer() == (404, NotFound.text.utf8.count))
        #expect(!channel.isActive)
    }

    @Test func `an error that nobody handled ends the stream`() throws {
        channel.pipeline.fireErrorCaught(Trouble())
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(try answer() == (nil, 0))
        // Nothing comes out at the end of the pipeline.
        try channel.throwIfErrorCaught()
    }
}
