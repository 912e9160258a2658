// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import OIDCBrokerNIO

/// Upgrades, removal and foreign parts.
struct UpgradeTests {
    @Test(arguments: [true, false])
    func `The handler leaves when an upgrade is complete, and raw bytes pass`(withBroker: Bool) throws {
        let connection = try UpgradableConnection(withBroker: withBroker)
        defer { connection.finish() }
        try connection.channel.writeInbound(
            ByteBuffer(
                string: "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: raw\r\n\r\nearly bytes"))
        connection.channel.embeddedEventLoop.run()
        try connection.channel.writeInbound(ByteBuffer(string: " more"))
        connection.channel.embeddedEventLoop.run()
        let text = try connection.channel.readAllOutbound()
        #expect(text.hasPrefix("HTTP/1.1 101 ") && text.hasSuffix("pong"))
        #expect(connection.log.lines.contains("upgraded"))
        let raw = connection.log.lines.filter { $0.hasPrefix("raw") }.map { $0.dropFirst(3) }.joined()
        #expect(raw == "early bytes more")
        let handler = try? connection.channel.pipeline.syncOperations.context(
            handlerType: BrokerChannelHandler<HTTP1Parts>.self)
        #expect(handler == nil)
    }

    @Test func `A connection on which no upgrade was asked for still serves both`() throws {
        let connection = try UpgradableConnection(withBroker: true)
        defer { connection.finish() }
        try connection.channel.writeInbound(ByteBuffer(string: Messages.get("/__/auth/x")))
        connection.channel.embeddedEventLoop.run()
        let text = try connection.channel.readAllOutbound()
        #expect(text == Messages.broker("/__/auth/x"))
    }

    @Test func `After a 101 of downstream's own, bytes of any type pass both ways`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/chat", "Connection: upgrade", "Upgrade: raw"))
        connection.application.write(.head(HTTPResponseHead(version: .http1_1, status: .switchingProtocols)))
        let pipeline = connection.channel.pipeline.syncOperations
        pipeline.removeHandler(
            context: try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self), promise: nil)
        pipeline.removeHandler(context: try pipeline.context(handlerType: HTTPResponseEncoder.self), promise: nil)
        pipeline.removeHandler(
            context: try pipeline.context(handlerType: HTTPServerProtocolErrorHandler.self), promise: nil)
        pipeline.removeHandler(
            context: try pipeline.context(handlerType: NIOHTTPResponseHeadersValidator.self), promise: nil)
        pipeline.removeHandler(connection.application, promise: nil)
        connection.channel.embeddedEventLoop.run()
        _ = try connection.received()

        try connection.send("GET /__/auth/x HTTP/1.1\r\n\r\n")
        let inbound: ByteBuffer? = try connection.channel.readInbound()
        #expect(inbound == ByteBuffer(string: "GET /__/auth/x HTTP/1.1\r\n\r\n"))
        try connection.channel.writeOutbound(ByteBuffer(string: "raw"))
        #expect(try connection.received() == "raw")
        #expect(connection.stub.seen.isEmpty)
    }

    @Test func `Parts of another type pass and never trap`() throws {
        let stub = StubResponder()
        let channel = EmbeddedChannel(
            handler: BrokerChannelHandler<HTTPTypesParts>(responder: stub, logger: Logger(label: "test")))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.writeInbound(ByteBuffer(string: "bytes"))
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "bytes"))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/__/auth/x")
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == .head(head))
        try channel.writeOutbound(ByteBuffer(string: "bytes"))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "bytes"))
        #expect(stub.seen.isEmpty)
    }

    @Test func `Asked to leave while a request of ours is under way, it answers first`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x"))
        let log = connection.log
        connection.channel.pipeline.syncOperations.removeHandler(connection.handler).whenSuccess { log.append("left") }
        #expect(connection.log.count("left") == 0)
        connection.stub.answer()
        #expect(connection.log.count("left") == 1)
        #expect(try connection.received() == Messages.broker("/__/auth/x"))
        try connection.send(Messages.get("/__/auth/x"))
        #expect(try connection.received() == Messages.app("/__/auth/x"))
    }

    @Test func `Asked to leave and closed before the response, it leaves`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        try connection.send(Messages.get("/__/auth/x"))
        let log = connection.log
        connection.channel.pipeline.syncOperations.removeHandler(connection.handler)
            .whenComplete { _ in log.append("left") }
        try connection.channel.pipeline.syncOperations.context(handlerType: ReadCounter.self).close(promise: nil)
        #expect(connection.log.count("left") == 1)
        connection.stub.answer()
        connection.finish()
    }
}

/// A server that upgrades to `raw`, by NIO's own handler.
private struct UpgradableConnection {
    let channel = EmbeddedChannel()
    let log = Log()

    init(withBroker: Bool) throws {
        let pipeline = self.channel.pipeline.syncOperations
        let application = Application(log: self.log)
        let upgrader = RawUpgrader(log: self.log, application: application)
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
        if withBroker {
            try pipeline.addHandler(
                BrokerChannelHandler<HTTP1Parts>(responder: StubResponder(), logger: Logger(label: "test")))
        }
        try pipeline.addHandler(application)
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/in-memory")).wait()
    }

    func finish() {
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }
}

private final class RawUpgrader: HTTPServerProtocolUpgrader {
    let supportedProtocol = "raw"
    let requiredUpgradeHeaders: [String] = []
    private let log: Log
    private let application: Application

    init(log: Log, application: Application) {
        self.log = log
        self.application = application
    }

    func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        channel.eventLoop.makeSucceededFuture(initialResponseHeaders)
    }

    func upgrade(context: ChannelHandlerContext, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<Void> {
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(RawRecorder(log: self.log), position: .last)
        } catch {
            return context.eventLoop.makeFailedFuture(error)
        }
        return pipeline.removeHandler(self.application)
    }
}

/// A handler that records raw bytes, responds to each with `pong`, and reports when the upgrade is complete.
private final class RawRecorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: Log

    init(log: Log) {
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.log.append("raw" + String(buffer: self.unwrapInboundIn(data)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is HTTPServerUpgradeEvents else { return }
        self.log.append("upgraded")
        // Written before the broker's handler has left.
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: "pong")), promise: nil)
    }
}

extension EmbeddedChannel {
    /// Everything written, as text.
    func readAllOutbound() throws -> String {
        var text = ""
        while let bytes = try self.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}
