// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBrokerNIO
import Testing
import TestingSupport

@testable import OIDCBrokerServer

@Suite struct HTTP1ConnectionHandlerTests {
    /// Notes which parts and errors come through.
    private final class Probe: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var parts: [HTTPServerRequestPart] = []
        var errors = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { parts.append(unwrapInboundIn(data)) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors += 1 }
    }

    private let channel: EmbeddedChannel
    private let probe = Probe()

    init() throws {
        channel = EmbeddedChannel()
        let deadline = RequestHeadDeadlineHandler(deadline: .seconds(10))
        let idle = SilentConnectionHandler(timeout: .seconds(60))
        try channel.pipeline.syncOperations.addHandlers([
            idle, deadline, HTTP1ConnectionHandler(deadline: deadline, idle: idle), probe,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func receive(_ parts: [HTTPServerRequestPart]) throws {
        let context = try channel.pipeline.syncOperations.context(handlerType: RequestHeadDeadlineHandler.self)
        for part in parts { context.fireChannelRead(NIOAny(part)) }
    }

    private var request: [HTTPServerRequestPart] {
        [.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")), .end(nil)]
    }

    private func respond(_ status: HTTPResponse.Status, _ body: String = "") throws {
        let response = HTTPResponse(status: status, headerFields: [.contentLength: "\(body.utf8.count)"])
        let bytes = body.isEmpty ? nil : ByteBuffer(string: body)
        try channel.writeOutbound(ServerResponsePart.whole(response, body: bytes))
    }

    /// What was written since, one text for each write.
    private func writes() throws -> [String] {
        var writes: [String] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            guard case .byteBuffer(let bytes) = data else { continue }
            writes.append(String(buffer: bytes))
        }
        return writes
    }

    private func fireParserError() {
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
    }

    /// As TLS is closed: seconds may pass.
    private final class SlowToClose: ChannelOutboundHandler {
        typealias OutboundIn = Never
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
    }

    @Test func `while the connection is being closed, what comes is dropped before the decoder`() throws {
        try channel.pipeline.syncOperations.addHandler(SlowToClose(), position: .first)
        try channel.writeInbound(HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
        #expect(probe.parts.count == 1)
        try channel.pipeline.syncOperations.context(handlerType: Probe.self).close(promise: nil)
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        #expect(probe.parts.count == 1)
    }

    @Test func `behind a response that came before its request's end no second one is written`() throws {
        try receive([.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/"))])
        try respond(.contentTooLarge)
        #expect(try writes().count == 1)
        try receive([.end(nil)])
        try receive([.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/"))])
        try respond(.contentTooLarge)
        fireParserError()
        #expect(try writes().count == 1)
        #expect(probe.errors == 1)
    }

    @Test func `while the server drains, only the last response says that it is the last`() throws {
        try receive(request)
        try receive(request)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try respond(.ok)
        #expect(try writes().allSatisfy { !$0.lowercased().contains("connection: close") })
        try respond(.ok)
        #expect(try writes().allSatisfy { $0.lowercased().contains("connection: close") })
    }

    @Test func `a response is one write, as HTTP has it`() throws {
        try receive(request)
        let response = HTTPResponse(
            status: .seeOther, headerFields: [.location: "https://app.example/cb", .contentLength: "2"])
        try channel.writeOutbound(ServerResponsePart.whole(response, body: ByteBuffer(string: "ok")))
        #expect(
            try writes() == [
                "HTTP/1.1 303 See Other\r\nLocation: https://app.example/cb\r\nContent-Length: 2\r\n\r\nok"
            ])
    }

    @Test func `parts of a response are written as they come`() throws {
        try receive(request)
        try channel.writeOutbound(ServerResponsePart.head(HTTPResponse(status: .continue)))
        try channel.writeOutbound(
            ServerResponsePart.head(HTTPResponse(status: .ok, headerFields: [.contentLength: "2"])))
        try channel.writeOutbound(ServerResponsePart.body(ByteBuffer(string: "ok")))
        try channel.writeOutbound(ServerResponsePart.end)
        #expect(
            try writes().joined()
                == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    @Test(.attack(.splitHeaderFields)) func `a line break in a value splits no response`() throws {
        try receive(request)
        var response = HTTPResponse(status: .ok)
        response.headerFields[.location] = "a\r\nSet-Cookie: x=y"
        try channel.writeOutbound(ServerResponsePart.whole(response, body: nil))
        #expect(try writes() == ["HTTP/1.1 200 OK\r\nLocation: a  Set-Cookie: x=y\r\n\r\n"])
    }

    @Test func `what is not HTTP is 400`() throws {
        fireParserError()
        #expect(try writes() == ["HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"])
        #expect(probe.errors == 1)
    }

    @Test func `what is not HTTP behind a request waits for its response`() throws {
        try receive(request + request)
        fireParserError()
        #expect(probe.errors == 0)
        try respond(.ok)
        #expect(try writes().count == 1)
        #expect(probe.errors == 0)
        try respond(.ok)
        let last = try writes()
        #expect(last.count == 2 && last[1].hasPrefix("HTTP/1.1 400 "))
        #expect(probe.errors == 1)
    }

    @Test func `what is not HTTP says nothing into a response that is under way`() throws {
        try receive([request[0]])
        try channel.writeOutbound(ServerResponsePart.head(HTTPResponse(status: .ok)))
        _ = try writes()
        fireParserError()
        #expect(try writes().isEmpty)
        #expect(probe.errors == 1)
    }

    @Test func `a drain closes what is idle at once`() throws {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!channel.isActive)
    }

    @Test func `a drain waits for the response, and takes no further request`() throws {
        try receive(request)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)
        try receive(request)
        #expect(probe.parts.count == 2)
        try respond(.ok)
        #expect(try writes() == ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"])
        #expect(!channel.isActive)
    }

    @Test func `a drain waits for the rest of a request and its response`() throws {
        try receive([request[0]])
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try receive([request[1]])
        #expect(probe.parts.count == 2)
        #expect(channel.isActive)
        try respond(.ok)
        #expect(!channel.isActive)
    }
}
