// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import OIDCBrokerNIO

/// An HTTP/1.1 server connection in memory: NIO's codec, the broker's handler (or not), an application.
struct Connection {
    let channel = EmbeddedChannel()
    let stub: StubResponder
    let log = Log()
    let reads = ReadCounter()
    let handler: BrokerChannelHandler<HTTP1Parts>
    let application: Application

    /// - Parameter pipelining: Whether NIO's own handler holds back pipelined requests. Off, as in Hummingbird, the
    ///   broker's handler sees them all.
    init(
        stub: StubResponder = StubResponder(), pipelining: Bool = true, answersAtOnce: Bool = true,
        withBroker: Bool = true, memory: MemoryBudget = MemoryBudget(bytes: 256 << 20),
        clientAddressing: ClientAddressing = .publicPeer, pausesReads: Bool = false
    ) throws {
        self.stub = stub
        self.application = Application(log: self.log, answersAtOnce: answersAtOnce)
        self.handler = BrokerChannelHandler(
            responder: stub, logger: Logger(label: "test"), clientAddressing: clientAddressing, memory: memory,
            pausesReads: pausesReads)
        let pipeline = self.channel.pipeline.syncOperations
        try pipeline.addHandler(self.reads)
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: pipelining)
        if withBroker { try pipeline.addHandler(self.handler) }
        try pipeline.addHandler(self.application)
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/in-memory")).wait()
    }

    /// One read with these bytes.
    func send(_ text: String) throws {
        try self.send(Array(text.utf8))
    }

    /// One read with these bytes, and the rest of the loop's turn.
    func send(_ bytes: some Collection<UInt8>) throws {
        try self.channel.writeInbound(ByteBuffer(bytes: bytes))
        self.channel.embeddedEventLoop.run()
        try self.channel.throwIfErrorCaught()
    }

    /// The event, and the rest of the loop's turn.
    func fire(_ event: any Sendable) {
        self.channel.pipeline.fireUserInboundEventTriggered(event)
        self.channel.embeddedEventLoop.run()
    }

    /// What the client got since the last call, the loop's turn being over.
    func received() throws -> String {
        self.channel.embeddedEventLoop.run()
        var text = ""
        while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    func advance(_ time: TimeAmount) {
        self.channel.embeddedEventLoop.advanceTime(by: time)
    }

    var isOpen: Bool { self.channel.isActive }

    /// To be called at the end of a test; checks nothing. The close comes from the socket's side: one that comes from
    /// downstream would wait for a response of the broker.
    func finish() {
        try? self.channel.pipeline.syncOperations.context(handlerType: ReadCounter.self).close(promise: nil)
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }
}

/// Counts the reads that reach the socket.
final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        self.count += 1
        context.read()
    }
}
