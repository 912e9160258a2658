// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import OIDCBrokerNIO
import Testing

@testable import OIDCBrokerServer

/// Connections whose clients do not read, and HTTP/2 connections on which nothing progresses.
@Suite struct UnreadResponseHandlerTests {
    /// A socket that takes nothing until it is opened.
    private final class Clog: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        var isOpen = false

        func flush(context: ChannelHandlerContext) {
            if isOpen { context.flush() }
        }
    }

    private func connected(_ clog: Clog) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: [clog, UnreadResponseHandler(limit: .seconds(30))])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func `a client that does not read is closed, however much it sends`() throws {
        let channel = try connected(Clog())
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: "response")), promise: nil)
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(string: "x"))
        }
        #expect(channel.isActive)
        for _ in 0..<11 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            if channel.isActive { try channel.writeInbound(ByteBuffer(string: "x")) }
        }
        #expect(!channel.isActive)
    }

    @Test func `a client that reads is not`() throws {
        let clog = Clog()
        let channel = try connected(clog)
        for _ in 0..<10 {
            clog.isOpen = false
            channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: "response")), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(20))
            clog.isOpen = true
            channel.flush()
        }
        #expect(channel.isActive)
    }

    @Test func `it looks again after a time without writes`() throws {
        let clog = Clog()
        let channel = try connected(clog)
        clog.isOpen = true
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: "response")), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        clog.isOpen = false
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: "response")), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(!channel.isActive)
    }

    /// Counts the reads that get to the socket.
    private final class ReadProbe: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var reads = 0

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    @Test func `nothing more is read while responses do not get out, and what waits is counted`() throws {
        let budget = MemoryBudget(bytes: 64 << 20)
        let sockets = ReadProbe()
        let channel = EmbeddedChannel(
            handlers: [sockets, UnreadResponseHandler(limit: .seconds(30), held: budget.open(from: nil) { _ in })])
        channel.read()
        #expect(sockets.reads == 1)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(budget.held(.responses) >= HeldMemory.fullSocketBytes)
        channel.read()
        channel.read()
        #expect(sockets.reads == 1)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(sockets.reads == 2)
        #expect(budget.held(.responses) == 0)
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(sockets.reads == 2)
        _ = try channel.finish()
    }

    @Test func `a client that does not read is closed where there is no memory for what waits`() throws {
        let budget = MemoryBudget(bytes: HeldMemory.connectionBytes + HeldMemory.fullSocketBytes)
        let channel = EmbeddedChannel(
            handler: UnreadResponseHandler(limit: .seconds(30), held: budget.open(from: nil) { _ in }))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(channel.isActive)
        let other = budget.open(from: nil) { _ in }
        #expect(other == nil)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        let neighbor = try #require(budget.open(from: nil) { _ in })
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(!channel.isActive)
        #expect(neighbor.isIdle)
    }

    @Test(arguments: [true, false])
    func `to make room a connection is closed at once, or if no request is under way`(isIdle: Bool) throws {
        let held = try #require(MemoryBudget(bytes: 1 << 20).open(from: nil) { _ in })
        let handler = UnreadResponseHandler(limit: .seconds(30), held: held)
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        if !isIdle { held.requestBegan() }
        handler.cut(.ifIdle)
        #expect(channel.isActive == !isIdle)
        handler.cut(.now)
        #expect(!channel.isActive)
    }

    /// Whether the socket is read.
    private func isRead(_ channel: EmbeddedChannel) -> Bool {
        let option = channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }
        return option?.value as? Bool ?? true
    }

    @Test func `during a pause nothing is read, and the connection is closed for others whatever waits on it`() throws {
        let held = try #require(MemoryBudget(bytes: 1 << 20).open(from: nil) { _ in })
        let sockets = ReadProbe()
        let handler = UnreadResponseHandler(limit: .seconds(30), held: held)
        let channel = EmbeddedChannel(handlers: [sockets, handler])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        held.requestBegan()
        try channel.triggerUserOutboundEvent(ReadPause(seconds: 2)).wait()
        channel.read()
        #expect(sockets.reads == 0 && !isRead(channel))
        // One more pause begins anew.
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        try channel.triggerUserOutboundEvent(ReadPause(seconds: 2)).wait()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1_999))
        #expect(sockets.reads == 0 && !isRead(channel))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        // A channel with a socket reads once it does so by itself again.
        #expect(sockets.reads == 0 && isRead(channel))
        handler.cut(.ifIdle)
        #expect(channel.isActive)
        try channel.triggerUserOutboundEvent(ReadPause(seconds: 2)).wait()
        handler.cut(.ifIdle)
        #expect(!channel.isActive)
    }

    /// A handler that holds reads, as the broker does while a request is under way.
    private final class ReadGate: ChannelOutboundHandler {
        typealias OutboundIn = Any
        var isOpen = true

        func read(context: ChannelHandlerContext) {
            if isOpen { context.read() }
        }
    }

    @Test(arguments: [true, false])
    func `after a pause the connection is read again, unless a handler holds the read`(isHeld: Bool) throws {
        let (sockets, gate) = (ReadProbe(), ReadGate())
        let channel = EmbeddedChannel(handlers: [sockets, UnreadResponseHandler(limit: .seconds(30)), gate])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        gate.isOpen = !isHeld
        // Also where nothing was asked for before, since the pause came when a read had just ended.
        try channel.triggerUserOutboundEvent(ReadPause(seconds: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(!isRead(channel))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(isRead(channel) == !isHeld)
        gate.isOpen = true
        channel.read()
        #expect(isRead(channel))
    }

    @Test func `a client that goes on after a pause waits longer each time, 5 s at most`() throws {
        let channel = EmbeddedChannel(handler: UnreadResponseHandler(limit: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for seconds in [1, 2, 4, 5, 5] as [Int64] {
            try channel.triggerUserOutboundEvent(ReadPause(seconds: 1)).wait()
            channel.embeddedEventLoop.advanceTime(by: .seconds(seconds) - .nanoseconds(1))
            #expect(!isRead(channel), "\(seconds)")
            channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
            #expect(isRead(channel), "\(seconds)")
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        try channel.triggerUserOutboundEvent(ReadPause(seconds: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(isRead(channel))
    }

    @Test func `on HTTP/2 only progress of streams keeps a connection`() throws {
        let silence = SilentConnectionHandler(timeout: .seconds(60))
        let channel = EmbeddedChannel(handler: silence)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        silence.progressed()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        try channel.writeInbound(ByteBuffer(string: "x"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(19))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }
}
