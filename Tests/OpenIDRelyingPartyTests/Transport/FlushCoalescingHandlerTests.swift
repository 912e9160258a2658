// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import OpenIDRelyingParty

/// What joins the writes of a turn, in both transports and in the standalone server.
@Suite struct FlushCoalescingHandlerTests {
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

    @Test func `whoever waits for a write is told`() throws {
        let writes = [write("head"), write("body")]
        channel.embeddedEventLoop.run()
        #expect(try sent().joined() == "headbody")
        for write in writes { try write.wait() }
    }

    @Test func `what is held is sent before the connection is closed`() throws {
        let held = write("bye")
        channel.close(promise: nil)
        #expect(try sent() == ["bye"])
        channel.embeddedEventLoop.run()
        try held.wait()
        #expect(try sent() == [])
    }
}
