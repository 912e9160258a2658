// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import OIDCBrokerNIO

/// A client that pipelines requests and does not read.
struct UnreadResponsesTests {
    private static let request = "GET /__/auth/handler HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `None is answered while earlier responses do not get out, and each is once they do`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        connection.channel.isWritable = false
        try connection.send(Self.request + Self.request)
        #expect(connection.stub.seen.isEmpty)
        connection.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.received().isEmpty)
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.channel.embeddedEventLoop.run()
        #expect(connection.stub.seen.count == 2)
        #expect(try connection.received() == Messages.broker("/__/auth/handler") + Messages.broker("/__/auth/handler"))
    }

    @Test func `Where the connection ends meanwhile, the broker is not asked`() throws {
        let connection = try Connection()
        connection.channel.isWritable = false
        try connection.send(Self.request)
        connection.finish()
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.channel.embeddedEventLoop.run()
        #expect(connection.stub.seen.isEmpty)
    }
}
