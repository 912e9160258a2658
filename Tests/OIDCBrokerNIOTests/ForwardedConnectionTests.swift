// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import OIDCBroker
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// The client of a connection that comes from a proxy: 10.0.0.1, where 10.0.0.0/8 is trusted.
struct ForwardedConnectionTests {
    private static func addressing(_ field: ForwardedField = .xForwardedFor) throws -> ClientAddressing {
        .forwarded(in: field, by: try #require(TrustedProxies(["10.0.0.0/8"].compactMap { IPNetwork($0) })))
    }

    private func withConnection(
        _ field: ForwardedField = .xForwardedFor, from peer: String = "10.0.0.1",
        memory: MemoryBudget = MemoryBudget(bytes: 256 << 20),
        _ body: (Connection) throws -> Void
    ) throws {
        let connection = try Connection(memory: memory, clientAddressing: try Self.addressing(field))
        defer { connection.finish() }
        connection.channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 40000)
        try body(connection)
    }

    @Test func `each request of a proxy's connection has the client that the field names`() throws {
        try withConnection { connection in
            for field in [
                "X-Forwarded-For: 198.51.100.7", "x-forwarded-for:203.0.113.66, 198.51.100.8",
                "X-FORWARDED-FOR: unknown",
                "X-Other: 198.51.100.9", "X-Forwarded-For: 10.1.1.1",
            ] {
                try connection.send(Messages.get("/__/auth/handler", field))
            }
            #expect(
                connection.stub.seen.map { $0.client?.description }
                    == ["198.51.100.7", "198.51.100.8", "10.0.0.1", "10.0.0.1", "10.1.1.1"])
            // The broker itself never sees such a field.
            #expect(connection.stub.seen.allSatisfy { $0.fields.isEmpty })
        }
    }

    @Test func `lines of the field are read in their order`() throws {
        try withConnection { connection in
            try connection.send(
                Messages.get(
                    "/__/auth/handler", "X-Forwarded-For: 203.0.113.66", "Accept: a", "X-Forwarded-For: 198.51.100.7",
                    "X-Forwarded-For: 10.0.0.2"))
            #expect(connection.stub.seen.map { $0.client?.description } == ["198.51.100.7"])
        }
    }

    @Test func `pipelined requests keep their own clients`() throws {
        try withConnection { connection in
            try connection.send(
                (1...3).map { Messages.get("/__/auth/\($0)", "X-Forwarded-For: 198.51.100.\($0)") }.joined())
            #expect(
                connection.stub.seen.map { $0.client?.description } == ["198.51.100.1", "198.51.100.2", "198.51.100.3"])
        }
    }

    @Test(arguments: ["198.51.100.7", "127.0.0.1", "::1", "11.0.0.1"])
    func `no field of any other peer is read`(peer: String) throws {
        try withConnection(from: peer) { connection in
            try connection.send(
                Messages.get("/__/auth/handler", "X-Forwarded-For: 203.0.113.66", "Forwarded: for=10.0.0.2"))
            #expect(connection.stub.seen.map { $0.client?.description } == [peer])
        }
    }

    @Test func `only the field that is configured is read`() throws {
        let fields = ["X-Forwarded-For: 198.51.100.7", "Forwarded: for=198.51.100.8", "X-Real-IP: 198.51.100.9"]
        for (field, client) in [
            (.xForwardedFor, "198.51.100.7"), (.forwarded, "198.51.100.8"), (ForwardedField.none, nil),
        ] as [(ForwardedField, String?)] {
            try withConnection(field) { connection in
                try connection.send(Messages.get("/__/auth/handler", fields[0], fields[1], fields[2]))
                #expect(connection.stub.seen.map { $0.client?.description } == [client])
            }
        }
    }

    @Test func `a proxy on a Unix domain socket needs no name`() throws {
        let connection = try Connection(clientAddressing: .forwarded(in: .xForwardedFor, by: .none))
        defer { connection.finish() }
        connection.channel.remoteAddress = try SocketAddress(unixDomainSocketPath: "/proxy")
        try connection.send(Messages.get("/__/auth/handler", "X-Forwarded-For: 198.51.100.7, 10.0.0.2"))
        try connection.send(Messages.get("/__/auth/handler"))
        #expect(connection.stub.seen.map { $0.client?.description } == ["10.0.0.2", nil])
    }

    @Test(arguments: [true, false])
    func `on HTTP/2 each stream has the client that its field names`(usesHTTP1Parts: Bool) throws {
        let connection = try HTTP2Connection(usesHTTP1Parts: usesHTTP1Parts, clientAddressing: try Self.addressing())
        defer { connection.finish() }
        connection.channel.remoteAddress = try SocketAddress(ipAddress: "10.0.0.1", port: 40000)
        try connection.send(
            HTTP2Wire.preface
                + HTTP2Wire.request(
                    stream: 1, "GET", "/__/auth/a",
                    [("x-forwarded-for", "203.0.113.66"), ("x-forwarded-for", "198.51.100.7")])
                + HTTP2Wire.request(stream: 3, "GET", "/__/auth/b", [("x-forwarded-for", "198.51.100.8")])
                + HTTP2Wire.request(stream: 5, "GET", "/__/auth/c"))
        #expect(
            connection.stub.seen.map { $0.client?.description } == ["198.51.100.7", "198.51.100.8", "10.0.0.1"])
    }

    @Test func `the standalone server's parts give the lines of a field, in their order, by any spelling of HTTP/1`()
        throws
    {
        let lines = ["203.0.113.66", "198.51.100.7, 10.0.0.2"]
        let http1 = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/",
            headers: ["X-Forwarded-For": lines[0], "x-forwarded-fo": "no", "x-FORWARDED-for": lines[1]])
        #expect(HTTP1ServerParts.values(of: "x-forwarded-for", in: http1) == lines)
        let http2 = try HTTP2RequestHead(
            [
                ":method": "GET", ":scheme": "https", ":authority": "a", ":path": "/", "x-forwarded-for": lines[0],
                "x-forwarded-fo": "no", "x-forwarded-for": lines[1],
            ], endsStream: true)
        #expect(HTTP2ServerParts.values(of: "x-forwarded-for", in: http2) == lines)
    }

    @Test func `an unfinished body counts for the client, and not for its proxy`() throws {
        // Room for one such body of a client.
        let budget = MemoryBudget(bytesOfAddress: 5 * BodyShare.stepBytes)
        func sendUnfinished(of client: String, over connection: Connection) throws -> String {
            let body = String(repeating: "a", count: 30_000)
            let request = Messages.post("/__/auth/token", "X-Forwarded-For: \(client)", body: body)
            try connection.send(String(request.dropLast(5_000)))
            return try connection.received()
        }
        try withConnection(memory: budget) { first in
            #expect(try sendUnfinished(of: "198.51.100.7", over: first) == "")
            try withConnection(memory: budget) { second in
                let answer = try sendUnfinished(of: "198.51.100.8", over: second)
                #expect(answer == "")
            }
            try withConnection(memory: budget) { third in
                let answer = try sendUnfinished(of: "198.51.100.7", over: third)
                #expect(answer.hasPrefix("HTTP/1.1 503 "))
            }
        }
    }
}
