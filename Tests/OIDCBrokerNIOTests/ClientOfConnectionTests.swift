// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBroker
import OIDCBrokerNIO
import Testing
import TestingSupport

/// The client of a connection.
struct ClientOfConnectionTests {
    private static func client(_ text: String) throws -> SocketAddress {
        try SocketAddress(ipAddress: text, port: 40000)
    }

    @Test func `HTTP/1.1: the peer, for every request; none for a Unix-domain socket and for loopback`() throws {
        for (address, bytes) in [("198.51.100.7", [198, 51, 100, 7]), ("127.0.0.1", nil)] as [(String, [UInt8]?)] {
            let connection = try Connection()
            defer { connection.finish() }
            connection.channel.remoteAddress = try Self.client(address)
            for _ in 1...2 { try connection.send(Messages.get("/__/auth/handler")) }
            let client = bytes.flatMap { ClientAddress(bytes: $0) }
            #expect((client == nil) == (bytes == nil))
            #expect(connection.stub.seen.map(\.clientAddress) == [client, client])
        }
        let local = try Connection()
        defer { local.finish() }
        try local.send(Messages.get("/__/auth/handler"))
        #expect(local.stub.seen.map(\.clientAddress) == [nil])
    }

    @Test func `HTTP/2: the connection's, on each stream`() throws {
        let connection = try HTTP2Connection()
        defer { connection.finish() }
        connection.channel.remoteAddress = try Self.client("2001:db8:1:2::7")
        try connection.send(
            HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "GET", "/__/auth/a")
                + HTTP2Wire.request(stream: 3, "GET", "/__/auth/b"))
        let client = ClientAddress(try Self.client("2001:db8:1:2::8"))
        #expect(client != nil)
        #expect(connection.stub.seen.map(\.clientAddress) == [client, client])
    }

    @Test(arguments: [true, false])
    func `a peer configured as a proxy is not a client`(isProxy: Bool) throws {
        let (channel, stub) = (EmbeddedChannel(), StubResponder())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addHandler(
            BrokerChannelHandler<HTTP1Parts>(
                responder: stub, logger: Logger(label: "test"), peersAreProxies: isProxy))
        try channel.connect(to: Self.client("198.51.100.7")).wait()
        channel.remoteAddress = try Self.client("198.51.100.7")
        try channel.writeInbound(ByteBuffer(string: Messages.get("/__/auth/handler")))
        channel.embeddedEventLoop.run()
        #expect(stub.seen.map { $0.clientAddress == nil } == [isProxy])
    }
}
