// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import NIOEmbedded
import OIDCBroker
import Testing

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// Connections whose client was told that it asks too often.
struct ReadPauseTests {
    private static let request = Messages.get("/__/auth/handler")

    /// The pauses that the connection is told of.
    private final class Pauses: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var seen: [ReadPause] = []

        func triggerUserOutboundEvent(
            context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
        ) {
            if let pause = event as? ReadPause { seen.append(pause) }
            promise?.succeed(())
        }
    }

    private let pauses = Pauses()

    /// A connection on which each request is one too many, for 2 s. 10.0.0.0/8 are proxies.
    private func connected(
        from peer: String = "192.0.2.7", pausesReads: Bool = true, pipelining: Bool = true
    ) throws -> Connection {
        var refusal = StubResponder.response("wait", status: .tooManyRequests)
        refusal.pause = 2
        let proxies = try #require(TrustedProxies(["10.0.0.0/8"].compactMap { IPNetwork($0) }))
        let connection = try Connection(
            stub: StubResponder(response: refusal), pipelining: pipelining,
            clientAddressing: .forwarded(in: .xForwardedFor, by: proxies), pausesReads: pausesReads)
        try connection.channel.pipeline.syncOperations.addHandler(pauses, position: .first)
        connection.channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 40000)
        return connection
    }

    @Test(arguments: [true, false])
    func `the next request waits until the client may ask again`(pipelining: Bool) throws {
        let connection = try connected(pipelining: pipelining)
        defer { connection.finish() }
        try connection.send(Self.request + Self.request)
        #expect(connection.stub.seen.count == 1)
        #expect(try connection.received().hasPrefix("HTTP/1.1 429 "))
        #expect(pauses.seen == [ReadPause(seconds: 2)])
        connection.advance(.milliseconds(1_999))
        #expect(try connection.received() == "")
        connection.advance(.milliseconds(1))
        #expect(try connection.received().hasPrefix("HTTP/1.1 429 "))
        #expect(connection.stub.seen.count == 2)
        // That was one too many as well.
        #expect(pauses.seen.count == 2)
    }

    @Test(arguments: [("10.0.0.1", true), ("192.0.2.7", false)])
    func `on a proxy's connection, and a host's own, each is answered by itself`(
        peer: String, pausesReads: Bool
    ) throws {
        let connection = try connected(from: peer, pausesReads: pausesReads)
        defer { connection.finish() }
        let request = Messages.get("/__/auth/handler", "X-Forwarded-For: 198.51.100.7")
        try connection.send(request + request)
        #expect(connection.stub.seen.count == 2)
        #expect(pauses.seen.isEmpty)
    }

    @Test func `a response that ends the connection makes no pause`() throws {
        let connection = try connected()
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/handler", "Connection: close"))
        #expect(try connection.received().hasPrefix("HTTP/1.1 429 "))
        #expect(pauses.seen.isEmpty)
    }

    @Test func `a client that closed its side gets its response first, as always`() throws {
        let connection = try connected(pipelining: false)
        defer { connection.finish() }
        try connection.send(Self.request + Self.request)
        connection.fire(ChannelEvent.inputClosed)
        #expect(connection.log.count("inputClosed") == 0)
        connection.advance(.seconds(2))
        connection.channel.embeddedEventLoop.run()
        #expect(connection.stub.seen.count == 2)
        #expect(connection.log.count("inputClosed") == 1)
    }

    @Test func `where the connection ends meanwhile, the broker is not asked`() throws {
        let connection = try connected()
        try connection.send(Self.request + Self.request)
        connection.finish()
        connection.advance(.seconds(2))
        #expect(connection.stub.seen.count == 1)
    }

    @Test func `a socket that takes nothing holds the next request back beyond the pause`() throws {
        let connection = try connected()
        defer { connection.finish() }
        try connection.send(Self.request + Self.request)
        connection.channel.isWritable = false
        connection.advance(.seconds(2))
        #expect(connection.stub.seen.count == 1)
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.channel.embeddedEventLoop.run()
        #expect(connection.stub.seen.count == 2)
    }

    @Test func `a pause is five seconds at most`() {
        #expect(ReadPause(seconds: 4).time == .seconds(4))
        #expect(ReadPause(seconds: 6).time == .seconds(5))
        #expect(ReadPause(seconds: .max).time == .seconds(5))
        #expect(ReadPause(seconds: -1).time == .zero)
    }
}
