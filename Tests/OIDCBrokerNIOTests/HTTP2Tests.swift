// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import Testing
import TestingSupport

@testable import OIDCBrokerNIO

/// HTTP/2.
struct HTTP2Tests {
    static let corpus: [(name: String, bytes: [UInt8])] = [
        ("get", HTTP2Wire.request(stream: 1, "GET", "/a")),
        (
            "two streams",
            HTTP2Wire.request(stream: 1, "POST", "/a", endsStream: false) + HTTP2Wire.request(stream: 3, "GET", "/b")
                + HTTP2Wire.data(stream: 1, "abc", endsStream: false) + HTTP2Wire.data(stream: 1, "d")
        ),
        (
            "trailers",
            HTTP2Wire.request(stream: 1, "POST", "/a", endsStream: false)
                + HTTP2Wire.data(stream: 1, "abc", endsStream: false) + HTTP2Wire.headers(stream: 1, [("x-a", "1")])
        ),
        (
            "reset",
            HTTP2Wire.request(stream: 1, "POST", "/a", endsStream: false)
                + HTTP2Wire.data(stream: 1, "abc", endsStream: false) + HTTP2Wire.reset(stream: 1)
                + HTTP2Wire.request(stream: 3, "GET", "/b")
        ),
        ("near", HTTP2Wire.request(stream: 1, "GET", "//__/auth/a") + HTTP2Wire.request(stream: 3, "GET", "/__/authx")),
    ]

    @Test(arguments: 0..<corpus.count)
    func `What is not ours is the same with and without the handler, split at every byte`(index: Int) throws {
        let bytes = HTTP2Wire.preface + Self.corpus[index].bytes
        for split in 1...bytes.count {
            let reads = [bytes[..<split], bytes[split...]].filter { !$0.isEmpty }
            let without = try self.trace(reads, withBroker: false)
            let with = try self.trace(reads, withBroker: true)
            // NIO serves its streams in the order of a dictionary, another in each run: each stream is compared by itself.
            for path in ["/a", "/b", "//__/auth/a", "/__/authx"] {
                let (mine, theirs) = (Self.lines(with.events, of: path), Self.lines(without.events, of: path))
                #expect(mine == theirs, "\(Self.corpus[index].name), split at \(split)")
            }
            #expect(without.events.count == with.events.count)
            for (mine, theirs) in zip(with.outbound, without.outbound) {
                #expect(Self.byStream(mine) == Self.byStream(theirs), "\(Self.corpus[index].name), split at \(split)")
            }
            #expect(without.events.contains { $0.hasPrefix("head") })
        }
    }

    private static func lines(_ events: [String], of path: String) -> [String] {
        events.filter { " \($0) ".contains(" \(path) ") }
    }

    private static func byStream(_ bytes: [UInt8]) -> [UInt32: [HTTP2Wire.Frame]] {
        Dictionary(grouping: HTTP2Wire.frames(bytes)) { UInt32($0.stream) }
    }

    private func trace(
        _ reads: [ArraySlice<UInt8>], withBroker: Bool
    ) throws -> (events: [String], outbound: [[UInt8]]) {
        let connection = try HTTP2Connection(withBroker: withBroker)
        var outbound: [[UInt8]] = []
        for read in reads {
            try connection.send(read)
            outbound.append(try connection.received())
        }
        connection.finish()
        return (connection.log.lines, outbound)
    }

    @Test func `Ours is answered, split at every byte; the stream beside it is not touched`() throws {
        let bytes =
            HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "POST", "/__/auth/token", endsStream: false)
            + HTTP2Wire.request(stream: 3, "GET", "/app") + HTTP2Wire.data(stream: 1, "code=", endsStream: false)
            + HTTP2Wire.data(stream: 1, "x")
        for split in 1..<bytes.count {
            let connection = try HTTP2Connection()
            try connection.send(bytes[..<split])
            try connection.send(bytes[split...])
            let frames = HTTP2Wire.frames(try connection.received())
            #expect(self.body(frames, stream: 1) == "broker /__/auth/token", "split at \(split)")
            #expect(self.body(frames, stream: 3) == "app /app", "split at \(split)")
            #expect(!frames.contains { $0.type == 3 || $0.type == 7 })
            #expect(connection.stub.seen.map(\.body) == ["code=x"])
            #expect(connection.stub.seen.map(\.authority) == ["broker.test"])
            connection.finish()
        }
    }

    @Test(arguments: [true, false], ["/__/auth/token", StubResponder.formPath])
    func `A body beyond the limit is answered, and the stream reset without an error`(
        isDeclared: Bool, path: String
    ) throws {
        let connection = try HTTP2Connection()
        defer { connection.finish() }
        let length = isDeclared ? [("content-length", "70000")] : []
        try connection.send(
            HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "POST", path, endsStream: false, length))
        if !isDeclared {
            // The connection's window is 65,535 bytes; the server opens it as it reads.
            let piece = String(repeating: "a", count: 16_384)
            for _ in 0..<4 { try connection.send(HTTP2Wire.data(stream: 1, piece, endsStream: false)) }
            #expect(!HTTP2Wire.frames(try connection.received()).contains { $0.stream == 1 && $0.type == 1 })
            try connection.send(HTTP2Wire.data(stream: 1, "a", endsStream: false))
        }
        let frames = HTTP2Wire.frames(try connection.received()).filter { $0.stream == 1 && $0.type != 8 }
        // HEADERS, DATA that end the stream, RST_STREAM with NO_ERROR: in this order.
        #expect(frames.first?.type == 1)
        #expect(frames.dropLast().last?.flags == 1)
        #expect(frames.last == HTTP2Wire.Frame(type: 3, flags: 0, stream: 1, payload: [0, 0, 0, 0]))
        #expect(connection.stub.seen.isEmpty)
        // A form of a provider is a user's, who sees the broker's page.
        let isForm = path == StubResponder.formPath
        #expect(self.body(frames, stream: 1) == (isForm ? "a page of the broker\n" : "The request is too large\n"))

        // The connection lives on.
        try connection.send(HTTP2Wire.request(stream: 3, "GET", "/__/auth/x"))
        #expect(self.body(HTTP2Wire.frames(try connection.received()), stream: 3) == "broker /__/auth/x")
    }

    @Test func `A body that is not complete in time ends the stream`() throws {
        let connection = try HTTP2Connection()
        defer { connection.finish() }
        try connection.send(
            HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "POST", "/__/auth/token", endsStream: false))
        connection.advance(.milliseconds(9_999))
        #expect(!HTTP2Wire.frames(try connection.received()).contains { $0.stream == 1 })
        connection.advance(.milliseconds(1))
        let frames = HTTP2Wire.frames(try connection.received()).filter { $0.stream == 1 }
        #expect(frames.first?.type == 1)
        #expect(frames.last?.type == 3)
    }

    @Test(arguments: [true, false])
    func `As a client sees it: statuses, and no connection field`(usesHTTP1Parts: Bool) throws {
        let server = try HTTP2Connection(usesHTTP1Parts: usesHTTP1Parts)
        let client = try HTTP2Client(server: server)
        defer { client.finish() }

        let ours = try client.exchange(.init(method: .get, scheme: "https", authority: "a.test", path: "/__/auth/x"))
        #expect(ours.first == "head 200")
        #expect(ours.contains("field content-length: 17"))
        #expect(ours.contains("body broker /__/auth/x"))
        #expect(!ours.contains { $0.hasPrefix("field connection") })

        let head = try client.exchange(.init(method: .head, scheme: "https", authority: "a.test", path: "/__/auth/x"))
        #expect(head.contains("field content-length: 17"))
        #expect(!head.contains { $0.hasPrefix("body") })

        let app = try client.exchange(.init(method: .get, scheme: "https", authority: "a.test", path: "/app"))
        #expect(app.contains("body app /app"))

        if !usesHTTP1Parts {
            // NIO's codec for the other parts drops such a head itself.
            let none = try client.exchange(.init(method: .get, scheme: "https", authority: nil, path: "/__/auth/x"))
            #expect(none.first == "head 400")
            #expect(none.last == "end")
        }

        let fragment = try client.exchange(
            .init(method: .get, scheme: "https", authority: "a.test", path: "/__/auth/x#y"))
        #expect(fragment.first == "head 400")
    }

    @Test func `A client that waits for 100 gets it`() throws {
        let connection = try HTTP2Connection()
        defer { connection.finish() }
        try connection.send(
            HTTP2Wire.preface
                + HTTP2Wire.request(
                    stream: 1, "POST", "/__/auth/token", endsStream: false, [("expect", "100-continue")]))
        let interim = HTTP2Wire.frames(try connection.received()).filter { $0.stream == 1 }
        #expect(interim.map(\.type) == [1])
        #expect(interim.first.map { $0.flags & 1 } == 0)
        try connection.send(HTTP2Wire.data(stream: 1, "x"))
        #expect(self.body(HTTP2Wire.frames(try connection.received()), stream: 1) == "broker /__/auth/token")
    }

    @Test func `A stream that is reset while the response is made is forgotten`() throws {
        let connection = try HTTP2Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send(HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "GET", "/__/auth/x"))
        try connection.send(HTTP2Wire.reset(stream: 1))
        _ = try connection.received()
        connection.stub.answer()
        #expect(!HTTP2Wire.frames(try connection.received()).contains { $0.stream == 1 })
    }

    private func body(_ frames: [HTTP2Wire.Frame], stream: UInt8) -> String {
        String(decoding: frames.filter { $0.type == 0 && $0.stream == stream }.flatMap(\.payload), as: UTF8.self)
    }
}

/// NIO's own HTTP/2 client, joined with a server in memory.
private struct HTTP2Client {
    private let channel = EmbeddedChannel()
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private let server: HTTP2Connection

    init(server: HTTP2Connection) throws {
        self.server = server
        self.multiplexer = try self.channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { $0.eventLoop.makeSucceededVoidFuture() }
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/in-memory")).wait()
        try self.interact()
    }

    /// Sends a request without a body and returns what came back, line by line.
    func exchange(_ request: HTTPRequest) throws -> [String] {
        let log = Log()
        let created = self.channel.eventLoop.makePromise(of: (any Channel).self)
        self.multiplexer.createStreamChannel(promise: created) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers(
                    HTTP2FramePayloadToHTTPClientCodec(), ResponseRecorder(log: log))
            }
        }
        self.channel.embeddedEventLoop.run()
        let stream = try created.futureResult.wait()
        stream.write(HTTPRequestPart.head(request), promise: nil)
        stream.writeAndFlush(HTTPRequestPart.end(nil), promise: nil)
        try self.interact()
        return log.lines
    }

    private func interact() throws {
        var isDone = false
        while !isDone {
            isDone = true
            self.channel.embeddedEventLoop.run()
            while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) {
                isDone = false
                try self.server.channel.writeInbound(bytes)
            }
            self.server.channel.embeddedEventLoop.run()
            while let bytes = try self.server.channel.readOutbound(as: ByteBuffer.self) {
                isDone = false
                try self.channel.writeInbound(bytes)
            }
        }
    }

    func finish() {
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
        self.server.finish()
    }
}

/// Writes down a response.
private final class ResponseRecorder: ChannelInboundHandler {
    typealias InboundIn = HTTPResponsePart

    private let log: Log

    init(log: Log) {
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.log.append("head \(head.status.code)")
            for field in head.headerFields { self.log.append("field \(field.name.canonicalName): \(field.value)") }
        case .body(let bytes): self.log.append("body \(String(buffer: bytes))")
        case .end: self.log.append("end")
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.log.append("error \(type(of: error))")
    }
}
