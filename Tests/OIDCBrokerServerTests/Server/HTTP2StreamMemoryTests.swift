// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// The memory for the streams that one read opens, which NIO makes before any of them can be refused.
@Suite struct HTTP2StreamMemoryTests {
    private static func requests(_ streams: some Sequence<UInt8>) -> ByteBuffer {
        ByteBuffer(bytes: streams.flatMap { HTTP2Wire.request(stream: $0, "GET", "/") })
    }

    private func withChannel(
        of budget: MemoryBudget, _ body: (EmbeddedChannel) throws -> Void
    ) throws {
        let held = try #require(budget.open(from: IPAddress("192.0.2.1")) { _ in })
        let handler = HTTP2FrameBudgetHandler(framesPerRequest: 100, headDeadline: .seconds(10), held: held)
        let channel = EmbeddedChannel(handler: handler)
        try channel.writeInbound(ByteBuffer(bytes: HTTP2Wire.preface))
        _ = try channel.readInbound(as: ByteBuffer.self)
        try body(channel)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `it is counted until the end of the tick`() throws {
        let budget = MemoryBudget(bytes: 64 << 20)
        try withChannel(of: budget) { channel in
            let idle = budget.held
            let requests = Self.requests(stride(from: 1, through: 99, by: 2))
            try channel.writeInbound(requests)
            #expect(try channel.readInbound(as: ByteBuffer.self) == requests)
            #expect(budget.held - idle >= 50 * HeldMemory.streamBytes)
            channel.embeddedEventLoop.run()
            #expect(budget.held == idle)
        }
    }

    @Test func `a read that opens more than there is room for ends the connection, and none is made`() throws {
        // A network has an eighth.
        let budget = MemoryBudget(bytes: 8 * 20 * HeldMemory.streamBytes)
        try withChannel(of: budget) { channel in
            try channel.writeInbound(Self.requests([1, 3]))
            _ = try channel.readInbound(as: ByteBuffer.self)
            channel.embeddedEventLoop.run()
            #expect(throws: HTTP2FrameBudgetHandler.ExcessiveStreams.self) {
                try channel.writeInbound(Self.requests(stride(from: 5, through: 47, by: 2)))
            }
            #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
            // GOAWAY with the last stream that was served, and ENHANCE_YOUR_CALM.
            let goAway = try channel.readOutbound(as: ByteBuffer.self)
            #expect(goAway == ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 11]))
        }
    }
}
