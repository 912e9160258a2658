// SPDX-License-Identifier: Apache-2.0

import EventLoopTicks
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// What joins the writes of a turn, in both transports and in the standalone server.
@Suite struct FlushCoalescingHandlerTests {
    /// Who was told that a write is done, in order.
    private final class Told: Sendable {
        let positions = Mutex<[Int]>([])
    }

    private let channel = EmbeddedChannel(handler: FlushCoalescingHandler())

    private func write(_ text: String) -> EventLoopFuture<Void> {
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: text)))
    }

    /// What goes to the socket, a text for each write.
    private func sent() throws -> [String] {
        var writes: [String] = []
        while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) {
            writes.append(String(buffer: bytes))
        }
        return writes
    }

    @Test func `what is flushed in one turn of the event loop is one write`() throws {
        for text in ["head, ", "body, ", "end"] {
            channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: text)), promise: nil)
        }
        #expect(try sent() == [])
        channel.embeddedEventLoop.run()
        #expect(try sent() == ["head, body, end"])
    }

    @Test func `the next turn has a write of its own`() throws {
        for text in ["one", "other"] {
            _ = write(text)
            channel.embeddedEventLoop.run()
            #expect(try sent() == [text])
        }
    }

    @Test func `a body that is too long to be copied is a write of its own, behind the head`() throws {
        let long = String(repeating: "x", count: 16_385)
        _ = write("head")
        _ = write(long)
        channel.embeddedEventLoop.run()
        #expect(try sent() == ["head", long])
    }

    @Test func `the promise of a write is completed`() throws {
        let told = Told()
        let writes = ["head", "body", ""].enumerated().map { position, text in
            write(text).map { told.positions.withLock { $0.append(position) } }
        }
        channel.embeddedEventLoop.run()
        // As one write all the same: AsyncHTTPClient waits for the body, and for an end that has no bytes.
        #expect(try sent() == ["headbody"])
        for write in writes { try write.wait() }
        #expect(told.positions.withLock { $0 } == [0, 1, 2])
    }

    @Test func `the promise of a write fails if the connection is gone`() throws {
        let writes = ["head", "body"].map { channel.write(IOData.byteBuffer(ByteBuffer(string: $0))) }
        // Behind the handler's back, as the other side closes.
        try channel.pipeline.syncOperations.context(handlerType: FlushCoalescingHandler.self).close(promise: nil)
        channel.embeddedEventLoop.run()
        for write in writes { #expect(throws: ChannelError.ioOnClosedChannel) { try write.wait() } }
    }

    @Test func `what is held is sent before the connection is closed`() throws {
        let held = write("bye")
        channel.close(promise: nil)
        #expect(try sent() == ["bye"])
        channel.embeddedEventLoop.run()
        try held.wait()
        #expect(try sent() == [])
    }
    @Test func `a write that is taken back is never sent, and one that was passed on cannot be taken back`() throws {
        let handler = try channel.pipeline.syncOperations.handler(type: FlushCoalescingHandler.self)
        #expect(!handler.takeBack())
        let held = write("secret")
        #expect(handler.takeBack())
        #expect(throws: ChannelError.ioOnClosedChannel) { try held.wait() }
        channel.embeddedEventLoop.run()
        #expect(try sent() == [])
        let passed = write("code")
        channel.embeddedEventLoop.run()
        #expect(!handler.takeBack())
        #expect(try sent() == ["code"])
        try passed.wait()
    }
}
