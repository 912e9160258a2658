// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import OIDCBroker
import OIDCBrokerNIO
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerServer

/// Connections over the rate of their client, one request and one more each second, in the server's own pipelines.
@Suite struct ReadPauseTests {
    private static let path = "/__/auth/handler?state=x"
    private static let proxy = "10.0.0.1"

    private let clock = TestClock()
    private let limits = ListenerLimits()

    private func initializer() throws -> ConnectionInitializer {
        // Keys are made for a loopback URL alone.
        var configuration = BrokerConfiguration.test(
            publicURL: try #require(PublicURL("https://localhost")), apps: [AppClient.publicApp.configuration])
        configuration.publicURL = try #require(PublicURL("https://broker.test"))
        var rates = RequestLimits()
        (rates.browserPerSecond, rates.browserBurst) = (1, 1)
        let broker = try Broker(
            configuration: configuration, transport: StubTransport(), clock: clock, elapsed: clock.elapsed,
            requestLimits: rates, logger: .quiet)
        var server = ServerConfiguration()
        server.tls = TLSFiles(certificateChain: "certificate.pem", privateKey: "key.pem")
        server.trustedProxies = [Self.proxy].compactMap { IPNetwork($0) }
        server.forwarded = .xForwardedFor
        return ConnectionInitializer(
            broker: broker, limits: limits, tls: nil, connections: OpenConnections(),
            live: LiveServerConfiguration(server), logger: .quiet)
    }

    private func http1(from peer: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let address = try SocketAddress(ipAddress: peer, port: 40000)
        channel.remoteAddress = address
        try initializer().initialize(channel).wait()
        try channel.connect(to: address).wait()
        return channel
    }

    private func http2(from peer: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let address = try SocketAddress(ipAddress: peer, port: 40000)
        channel.remoteAddress = address
        let initializer = try initializer()
        let deadline = RequestHeadDeadlineHandler(deadline: limits.requestHeadDeadline)
        try channel.pipeline.syncOperations.addHandlers([
            UnreadResponseHandler(limit: limits.responseDeadline), deadline,
        ])
        try channel.connect(to: address).wait()
        guard case .served(let addressing) = initializer.live.rules.decision(about: address) else { return channel }
        try initializer.configureHTTP2(
            channel, deadline, ConnectionInitializer.Accepted(clientAddressing: addressing))
        _ = try exchange(channel, HTTP2Wire.preface)
        return channel
    }

    /// Sends bytes; gives those that came back.
    private func exchange(_ channel: EmbeddedChannel, _ bytes: [UInt8] = []) throws -> [UInt8] {
        if !bytes.isEmpty {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            // A channel with a socket asks for the next read by itself.
            if isRead(channel) { channel.read() }
        }
        channel.embeddedEventLoop.run()
        var all: [UInt8] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { all += Array(buffer: bytes) }
        }
        return all
    }

    /// Sends HTTP/1 requests in one piece; gives the statuses of the responses.
    private func statuses(_ channel: EmbeddedChannel, _ requests: Int = 0) throws -> [String] {
        let request = Request.head(
            "GET \(Self.path) HTTP/1.1", ["Host: broker.test", "X-Forwarded-For: 198.51.100.7"])
        let text = String(
            decoding: try exchange(channel, Array(String(repeating: request, count: requests).utf8)), as: UTF8.self)
        return text.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
    }

    /// Whether the socket is read.
    private func isRead(_ channel: EmbeddedChannel) -> Bool {
        let option = channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }
        return option?.value as? Bool ?? true
    }

    @Test func `a client that pipelines gets one 429, and is not read until it may ask again`() throws {
        let channel = try http1(from: "192.0.2.7")
        #expect(try statuses(channel, 3) == ["400", "429"])
        #expect(!isRead(channel))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(try statuses(channel) == [])
        clock.advance(by: 1)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try statuses(channel) == ["400"])
        #expect(isRead(channel))
        #expect(try statuses(channel, 1) == ["429"])
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `each request of a proxy is answered by itself`() throws {
        let channel = try http1(from: Self.proxy)
        #expect(try statuses(channel, 3) == ["400", "429", "429"])
        #expect(isRead(channel))
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a connection of HTTP/2 is not read either, but for that of a proxy`() throws {
        for (peer, isPaused) in [("192.0.2.7", true), (Self.proxy, false)] {
            let channel = try http2(from: peer)
            let fields = [("x-forwarded-for", "198.51.100.7")]
            for (stream, isRead) in [(1, true), (3, !isPaused)] as [(UInt8, Bool)] {
                let frames = HTTP2Wire.frames(
                    try exchange(channel, HTTP2Wire.request(stream: stream, "GET", Self.path, fields)))
                #expect(frames.contains { $0.type == 1 && $0.stream == stream }, "\(peer) \(stream)")
                #expect(self.isRead(channel) == isRead, "\(peer) \(stream)")
            }
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(isRead(channel))
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test func `the deadline of a head goes on during a pause`() throws {
        let channel = try http1(from: "192.0.2.7")
        #expect(try statuses(channel, 2) == ["400", "429"])
        _ = try exchange(channel, Array("GET / HTTP/1.1\r\nHost".utf8))
        channel.embeddedEventLoop.advanceTime(by: limits.requestHeadDeadline)
        #expect(!channel.isActive)
    }
}
