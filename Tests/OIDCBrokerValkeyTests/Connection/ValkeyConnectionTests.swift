// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import OIDCBrokerValkey

/// A connection on a channel in memory.
struct ValkeyConnectionTests {
    /// A connection, and the channel that it is on.
    private struct Connected {
        let eventLoop = EmbeddedEventLoop()
        let channel: EmbeddedChannel
        let connection: ValkeyConnection

        init() throws {
            channel = EmbeddedChannel(loop: eventLoop)
            connection = ValkeyConnection(eventLoop: eventLoop)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/redis")).wait()
            try channel.pipeline.syncOperations.addHandler(connection)
        }

        func receive(_ text: String) throws {
            try channel.writeInbound(ByteBuffer(string: text))
        }
    }

    @Test func `what is asked in one turn is one write`() throws {
        let connected = try Connected()
        let answers = ["ONE", "TWO"].map { connected.connection.send(RESPCommand(.text($0))) }
        #expect(try connected.channel.readOutbound(as: ByteBuffer.self) == nil)
        connected.eventLoop.run()
        let written = try #require(try connected.channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: written) == "*1\r\n$3\r\nONE\r\n*1\r\n$3\r\nTWO\r\n")
        #expect(try connected.channel.readOutbound(as: ByteBuffer.self) == nil)
        try connected.receive(":1\r\n+T")
        try connected.receive("WO\r\n")
        #expect(try answers[0].wait() == .integer(1))
        #expect(try answers[1].wait() == .simple("TWO"))
        // The next turn is another write.
        _ = connected.connection.send(RESPCommand("SIX"))
        connected.eventLoop.run()
        #expect(try connected.channel.readOutbound(as: ByteBuffer.self) != nil)
    }

    @Test func `without an answer it is closed after 400 ms`() throws {
        let connected = try Connected()
        let first = connected.connection.send(RESPCommand("ONE"))
        connected.eventLoop.advanceTime(by: .milliseconds(399))
        let second = connected.connection.send(RESPCommand("TWO"))
        #expect(connected.channel.isActive)
        connected.eventLoop.advanceTime(by: .milliseconds(1))
        #expect(!connected.channel.isActive)
        #expect(throws: ValkeyStoreError.timeout) { try first.wait() }
        #expect(throws: ValkeyStoreError.timeout) { try second.wait() }
        #expect(throws: ValkeyStoreError.closed) { try connected.connection.send(RESPCommand("SIX")).wait() }
    }

    @Test func `bytes that are no RESP2 close it`() throws {
        let connected = try Connected()
        let answer = connected.connection.send(RESPCommand("ONE"))
        connected.eventLoop.run()
        try connected.receive("HTTP/1.1 400 Bad Request\r\n")
        #expect(throws: ValkeyStoreError.unexpectedAnswer) { try answer.wait() }
        #expect(!connected.channel.isActive)
    }

    @Test func `an answer without a request closes it`() throws {
        let connected = try Connected()
        try connected.receive("+OK\r\n")
        #expect(!connected.channel.isActive)
        #expect(!connected.connection.isOpen)
    }

    @Test func `the end of the channel fails what waits, and is told once`() throws {
        let connected = try Connected()
        var ends = 0
        connected.connection.onEnd = { ends += 1 }
        let answer = connected.connection.send(RESPCommand("ONE"))
        connected.eventLoop.run()
        connected.channel.close(promise: nil)
        connected.eventLoop.run()
        connected.connection.close(.timeout)
        #expect(throws: ValkeyStoreError.closed) { try answer.wait() }
        #expect(ends == 1)
    }

    @Test func `a server that became a replica is left`() throws {
        let connected = try Connected()
        let answers = ["ONE", "TWO"].map { connected.connection.send(RESPCommand(.text($0))) }
        connected.eventLoop.run()
        try connected.receive("-READONLY You can't write against a read only replica.\r\n")
        #expect(try answers[0].wait() == .error("READONLY You can't write against a read only replica."))
        #expect(throws: ValkeyStoreError.readOnly) { try answers[1].wait() }
        #expect(!connected.channel.isActive)
    }

    @Test func `on a channel that has ended it ends at once`() throws {
        let connection = ValkeyConnection(eventLoop: EmbeddedEventLoop())
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(connection)
        #expect(!connection.isOpen)
    }
}
