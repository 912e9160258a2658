// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import NIOHTTP2
import OIDCBroker
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// Deadlines of HTTP/2 connections that are unused, or whose responses are not read, in the server's own pipeline with
/// TLS.
@Suite struct HTTP2DeadlineTests {
    private static let ping = HTTP2Wire.frame(type: 6, flags: 0, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8])
    private static let noWindow = HTTP2Wire.frame(type: 4, flags: 0, stream: 0, [0, 4, 0, 0, 0, 0])

    private let channel = EmbeddedChannel()

    init() throws {
        try self.init(limits: ListenerLimits())
    }

    private init(limits: ListenerLimits, held: HeldConnection? = nil) throws {
        let publicURL = try #require(PublicURL("https://broker.test"))
        // Keys are made for a loopback URL alone.
        var configuration = BrokerConfiguration.test(
            publicURL: try #require(PublicURL("https://localhost")), apps: [AppClient.publicApp.configuration])
        configuration.makeMissingKeys()
        configuration.publicURL = publicURL
        let initializer = ConnectionInitializer(
            broker: try Broker(configuration: configuration, transport: StubTransport(), logger: .quiet),
            limits: limits, tls: nil, connections: OpenConnections(), logger: .quiet)
        let deadline = RequestHeadDeadlineHandler(deadline: limits.requestHeadDeadline)
        try channel.pipeline.syncOperations.addHandlers([
            UnreadResponseHandler(limit: limits.responseDeadline, held: held), deadline,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try initializer.configureHTTP2(channel, deadline)
        _ = try exchange(HTTP2Wire.preface)
    }

    /// Sends bytes; gives the frames that came back, but for settings, pings and window updates.
    private func exchange(_ bytes: [UInt8]) throws -> [HTTP2Wire.Frame] {
        if channel.isActive { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
        channel.embeddedEventLoop.run()
        var all: [UInt8] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { all += Array(buffer: bytes) }
        }
        return HTTP2Wire.frames(all).filter { ![4, 6, 8].contains($0.type) }
    }

    private func advance(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    /// Lets time go by, with a PING and settings every five seconds.
    private func ping(for seconds: Int64) throws {
        for _ in 0..<(seconds / 5) {
            advance(5)
            _ = try exchange(Self.ping + HTTP2Wire.frame(type: 4, flags: 0, stream: 0, []))
        }
    }

    @Test func `pings and settings keep no connection that has no streams`() throws {
        _ = try exchange(HTTP2Wire.request(stream: 1, "GET", "/other"))
        try ping(for: 55)
        #expect(channel.isActive)
        try ping(for: 15)
        #expect(!channel.isActive)
    }

    @Test(arguments: [true, false])
    func `a head that is never complete has ten seconds, however its bytes trickle in`(isFirst: Bool) throws {
        if !isFirst { #expect(try exchange(HTTP2Wire.request(stream: 1, "GET", "/other")).count == 2) }
        let stream: UInt8 = isFirst ? 1 : 3
        _ = try exchange(HTTP2Wire.frame(type: 1, flags: 1, stream: stream, [0x82]))
        let continuations = [0x84, 0x87, 0x84].flatMap { HTTP2Wire.frame(type: 9, flags: 0, stream: stream, [$0]) }
        for second in 0..<9 {
            advance(1)
            _ = try exchange(Array(continuations[(second * 3)..<(second * 3 + 3)]))
        }
        #expect(channel.isActive)
        advance(1)
        #expect(!channel.isActive)
    }

    @Test func `so has a frame of a head whose content does not come, and each head has a time of its own`() throws {
        for stream in stride(from: UInt8(1), through: 5, by: 2) {
            let request = HTTP2Wire.request(stream: stream, "GET", "/other")
            _ = try exchange(Array(request.dropLast()))
            advance(9)
            #expect(try exchange(Array(request.suffix(1))).count == 2)
            advance(9)
            #expect(channel.isActive)
        }
        _ = try exchange(Array(HTTP2Wire.request(stream: 7, "GET", "/other").dropLast()))
        advance(10)
        let last = try #require(try exchange([]).first)
        #expect(last.type == 7, "GOAWAY")
        #expect(last.payload == [0, 0, 0, 7, 0, 0, 0, 11])
        #expect(!channel.isActive)
    }

    @Test func `the frames of a stream do`() throws {
        for stream in stride(from: UInt8(1), through: 7, by: 2) {
            #expect(try exchange(HTTP2Wire.request(stream: stream, "GET", "/other")).count == 2)
            try ping(for: 50)
        }
        #expect(channel.isActive)
    }

    @Test func `a request that does not come to its end resets its stream`() throws {
        var limits = ListenerLimits()
        // Before the broker's own deadline, which sends a response.
        limits.requestDeadline = .seconds(5)
        let test = try HTTP2DeadlineTests(limits: limits)
        #expect(
            try test.exchange(HTTP2Wire.request(stream: 1, "POST", "/__/auth/token", endsStream: false)).isEmpty)
        test.advance(4)
        #expect(try test.exchange(Self.ping).isEmpty)
        test.advance(1)
        let frames = try test.exchange([])
        #expect(frames.map(\.type) == [3])
        #expect(frames.first?.payload == [0, 0, 0, 8])
        #expect(try test.exchange(HTTP2Wire.request(stream: 3, "GET", "/other")).count == 2)
    }

    @Test func `a response that gets no window ends the connection`() throws {
        _ = try exchange(Self.noWindow)
        // A head is not held back; its body is.
        #expect(try exchange(HTTP2Wire.request(stream: 1, "GET", "/other")).map(\.type) == [1])
        #expect(
            try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/.well-known/openid-configuration"))
                .map(\.type) == [1])
        try ping(for: 25)
        advance(4)
        #expect(channel.isActive)
        advance(1)
        #expect(!channel.isActive)
    }

    @Test func `beyond a number of bytes that are not read, streams are reset`() throws {
        var limits = ListenerLimits()
        let target = "/__/auth/.well-known/openid-configuration"
        let probe = try HTTP2DeadlineTests(limits: limits)
        let frames = try probe.exchange(HTTP2Wire.request(stream: 1, "GET", target))
        let length = frames.filter { $0.type == 0 }.map(\.payload.count).reduce(0, +)
        // Two, and not a third.
        limits.maximumUnreadBytes = 3 * length - 1
        let test = try HTTP2DeadlineTests(limits: limits)
        _ = try test.exchange(Self.noWindow)
        for stream in [1, 3] as [UInt8] {
            #expect(try test.exchange(HTTP2Wire.request(stream: stream, "GET", target)).map(\.type) == [1])
        }
        let refused = try test.exchange(HTTP2Wire.request(stream: 5, "GET", target))
        #expect(refused.map(\.type) == [3])
        #expect(refused.first?.payload == [0, 0, 0, 11])
        // A response that was read makes room.
        let window = [
            UInt8(length >> 24 & 255), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255),
        ]
        let read = try test.exchange(HTTP2Wire.frame(type: 8, flags: 0, stream: 1, window))
        #expect(read.map(\.type) == [0])
        #expect(try test.exchange(HTTP2Wire.request(stream: 7, "GET", target)).map(\.type) == [1])
    }

    @Test func `streams that wait for a window count, and one client has an eighth of the memory`() throws {
        // A client may hold twelve streams with a head alone.
        let budget = MemoryBudget(bytes: 8 * 8 * 16 * 1024)
        let client = try #require(IPAddress("192.0.2.1"))
        let test = try HTTP2DeadlineTests(
            limits: ListenerLimits(), held: budget.open(from: client) { _ in })
        _ = try test.exchange(Self.noWindow)
        let target = "/__/auth/.well-known/openid-configuration"
        var answered = 0
        var isOver = false
        for number in 0..<99 {
            let frames = try test.exchange(HTTP2Wire.request(stream: UInt8(2 * number + 1), "GET", target))
            answered += frames.filter { $0.type == 1 }.count
            isOver = isOver || frames.contains { $0.type == 7 }
        }
        #expect(answered > 5 && answered < 13 && isOver)
        #expect(budget.held(.responses) <= 8 * 16 * 1024)
        // Another client is served meanwhile.
        let other = try HTTP2DeadlineTests(
            limits: ListenerLimits(), held: budget.open(from: IPAddress("192.0.2.2")) { _ in })
        #expect(try other.exchange(HTTP2Wire.request(stream: 1, "GET", target)).map(\.type) == [1, 0])
        #expect(budget.held(.responses) <= 8 * 16 * 1024)
        _ = try test.channel.finish(acceptAlreadyClosed: true)
        test.channel.embeddedEventLoop.run()
        #expect(budget.held(.responses) == 0)
    }

    @Test(arguments: ["GET", "POST"])
    func `a stream gives back what it held however it ends`(method: String) throws {
        let budget = MemoryBudget(bytes: 1 << 24)
        let test = try HTTP2DeadlineTests(limits: ListenerLimits(), held: budget.open(from: nil) { _ in })
        let held = test.channel
        // A response that is read, one that waits and is reset, a request that is reset, one that is refused.
        _ = try test.exchange(HTTP2Wire.request(stream: 1, method, "/other"))
        #expect(budget.held(.responses) == 0)
        _ = try test.exchange(Self.noWindow)
        _ = try test.exchange(HTTP2Wire.request(stream: 3, method, "/other"))
        #expect(budget.held(.responses) > 0)
        _ = try test.exchange(HTTP2Wire.frame(type: 3, flags: 0, stream: 3, [0, 0, 0, 8]))
        #expect(budget.held(.responses) == 0)
        _ = try test.exchange(HTTP2Wire.request(stream: 5, method, "/__/auth/token", endsStream: false))
        #expect(budget.held(.responses) > 0)
        _ = try test.exchange(HTTP2Wire.frame(type: 3, flags: 0, stream: 5, [0, 0, 0, 8]))
        #expect(budget.held(.responses) == 0)
        _ = try held.finish(acceptAlreadyClosed: true)
        #expect(budget.held(.responses) == 0)
    }

    @Test func `one that gets its window in time does not`() throws {
        _ = try exchange(Self.noWindow)
        _ = try exchange(HTTP2Wire.request(stream: 1, "GET", "/other"))
        advance(29)
        let frames = try exchange(HTTP2Wire.frame(type: 8, flags: 0, stream: 1, [0, 0, 1, 0]))
        #expect(frames.map(\.type) == [0])
        advance(30)
        #expect(channel.isActive)
    }
}
