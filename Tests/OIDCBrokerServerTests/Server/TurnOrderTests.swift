// SPDX-License-Identifier: Apache-2.0

import EventLoopTicks
import NIOCore
import NIOEmbedded
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// A tick of the event loop reads all its connections, then responds to them, then writes them. This test exists
/// because otherwise only the speed would show a change, and speed is not tested.
struct TurnOrderTests {
    /// What happened, in its order.
    private final class Events {
        var all: [String] = []
    }

    /// A handler that records what passes it: after the coalesced flushes the broker's responses, before them the
    /// writes to the socket.
    private final class Probe: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        private let number: Int
        private let isAtSocket: Bool
        private let events: Events

        init(_ number: Int, isAtSocket: Bool, _ events: Events) {
            self.number = number
            self.isAtSocket = isAtSocket
            self.events = events
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if !isAtSocket { events.all.append("response \(number)") }
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            if isAtSocket { events.all.append("flush \(number)") }
            context.flush()
        }
    }

    @Test func `three requests are answered before the first response is written`() throws {
        let publicURL = try #require(PublicURL("http://localhost:1"))
        let initializer = ConnectionInitializer(
            broker: try Broker(
                configuration: .test(publicURL: publicURL, apps: [AppClient.publicApp.configuration]),
                transport: StubTransport(), logger: .quiet),
            limits: ListenerLimits(), tls: nil, connections: OpenConnections(), logger: .quiet)
        let loop = EmbeddedEventLoop()
        let events = Events()
        let channels = try (0..<3).map { number in
            let channel = EmbeddedChannel(loop: loop)
            try initializer.initialize(channel).wait()
            let pipeline = channel.pipeline.syncOperations
            let coalescing = try pipeline.handler(type: FlushCoalescingHandler.self)
            try pipeline.addHandler(Probe(number, isAtSocket: true, events), position: .before(coalescing))
            try pipeline.addHandler(Probe(number, isAtSocket: false, events), position: .after(coalescing))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }
        let request = "GET /__/auth/.well-known/openid-configuration HTTP/1.1\r\nHost: localhost:1\r\n\r\n"
        for channel in channels { try channel.writeInbound(ByteBuffer(string: request)) }
        #expect(events.all.isEmpty)
        loop.run()
        #expect(events.all == ["response 0", "response 1", "response 2", "flush 0", "flush 1", "flush 2"])
        for channel in channels {
            let written = try #require(try channel.readOutbound(as: IOData.self))
            if case .byteBuffer(let bytes) = written {
                #expect(String(buffer: bytes).hasPrefix("HTTP/1.1 200 OK\r\n"))
            } else {
                Issue.record("a file was written")
            }
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }
}
