// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import Testing
import TestingSupport

/// The client of a connection.
struct ClientOfConnectionTests {
    private static func client(_ text: String) throws -> SocketAddress {
        try SocketAddress(ipAddress: text, port: 40000)
    }

    @Test func `HTTP/1.1: the peer, for every request; none for a Unix-domain socket and for loopback`() throws {
        for (address, client) in [("198.51.100.7", IPAddress("198.51.100.7")), ("127.0.0.1", nil)]
            as [(String, IPAddress?)]
        {
            let connection = try Connection()
            defer { connection.finish() }
            connection.channel.remoteAddress = try Self.client(address)
            for _ in 1...2 { try connection.send(Messages.get("/__/auth/handler")) }
            #expect(connection.stub.seen.map(\.client) == [client, client])
        }
        let local = try Connection()
        defer { local.finish() }
        try local.send(Messages.get("/__/auth/handler"))
        #expect(local.stub.seen.map(\.client) == [nil])
    }

    @Test func `HTTP/2: the connection's, on each stream`() throws {
        let connection = try HTTP2Connection()
        defer { connection.finish() }
        connection.channel.remoteAddress = try Self.client("2001:db8:1:2::7")
        try connection.send(
            HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "GET", "/__/auth/a")
                + HTTP2Wire.request(stream: 3, "GET", "/__/auth/b"))
        let client = try #require(IPAddress("2001:db8:1:2::7"))
        #expect(connection.stub.seen.map(\.client) == [client, client])
    }

    @Test(
        arguments: [
            // Which peer, and whose address it is: the peer's as a client of the public internet, as any client, or
            // none.
            ("198.51.100.7", "198.51.100.7", "198.51.100.7"), ("2001:db8::7", "2001:db8::7", "2001:db8::7"),
            ("10.1.2.3", nil, "10.1.2.3"), ("127.0.0.1", nil, "127.0.0.1"), ("::1", nil, "::1"),
            ("::ffff:10.1.2.3", nil, "10.1.2.3"),
        ] as [(String, String?, String?)])
    func `whose address a peer's is depends on what is said of it`(
        peer: String, ofPublicPeer: String?, ofPeer: String?
    ) throws {
        for (addressing, client) in [
            (.publicPeer, ofPublicPeer), (.peer, ofPeer), (.unknown, nil),
            (.forwarded(in: .xForwardedFor, by: .none), ofPeer),
            (.forwarded(in: .none, by: .none), ofPeer),
        ] as [(ClientAddressing, String?)] {
            let connection = try Connection(clientAddressing: addressing)
            defer { connection.finish() }
            connection.channel.remoteAddress = try Self.client(peer)
            try connection.send(Messages.get("/__/auth/handler", "X-Forwarded-For: 203.0.113.66"))
            #expect(connection.stub.seen.map { $0.client?.description } == [client])
        }
    }

    @Test func `a peer whose address is not known is no client, whatever is trusted`() throws {
        let all = try #require(
            TrustedProxies(["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"].compactMap { IPNetwork($0) }))
        for addressing in [.publicPeer, .peer, .unknown, .forwarded(in: .xForwardedFor, by: all)] as [ClientAddressing]
        {
            #expect(addressing.peer(nil) == .client(nil))
        }
    }
}
