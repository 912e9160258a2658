// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import OIDCBroker
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// Whose `traceparent` is believed: that of a trusted proxy, where 10.0.0.0/8 is trusted.
struct TraceContextTests {
    private static let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private static func addressing(_ field: ForwardedField) throws -> ClientAddressing {
        .forwarded(in: field, by: try #require(TrustedProxies(["10.0.0.0/8"].compactMap { IPNetwork($0) })))
    }

    /// What the broker learns of a request with these lines.
    private func parent(
        _ addressing: ClientAddressing, from peer: SocketAddress, tracesRequests: Bool = true, _ lines: String...
    ) throws -> [String?] {
        let stub = StubResponder(tracesRequests: tracesRequests)
        let connection = try Connection(stub: stub, clientAddressing: addressing)
        defer { connection.finish() }
        connection.channel.remoteAddress = peer
        let fields = lines.isEmpty ? ["Traceparent: " + Self.text] : lines
        try connection.send(
            (["GET /__/auth/token HTTP/1.1", "Host: auth.example.com"] + fields).joined(separator: "\r\n")
                + "\r\n\r\n")
        return stub.seen.map { $0.traceFields?.parent.text }
    }

    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 40000) }

    @Test(arguments: [ForwardedField.none, .xForwardedFor, .forwarded])
    func `a trusted proxy is believed, whether or not it names clients`(field: ForwardedField) throws {
        let addressing = try Self.addressing(field)
        #expect(try parent(addressing, from: address("10.0.0.1")) == [Self.text])
        let socket = try SocketAddress(unixDomainSocketPath: "/proxy")
        #expect(try parent(addressing, from: socket) == [Self.text])
    }

    @Test(arguments: [ForwardedField.none, .xForwardedFor, .forwarded])
    func `where no proxy is named no peer is trusted`(field: ForwardedField) throws {
        let addressing = ClientAddressing.forwarded(in: field, by: .none)
        let socket = try SocketAddress(unixDomainSocketPath: "/proxy")
        for peer in [socket, try address("10.0.0.1"), try address("127.0.0.1")] {
            #expect(try parent(addressing, from: peer) == [nil])
        }
    }

    @Test(arguments: ["198.51.100.7", "127.0.0.1", "::1", "11.0.0.1"])
    func `no other peer is trusted`(peer: String) throws {
        #expect(try parent(Self.addressing(.xForwardedFor), from: address(peer)) == [nil])
        for addressing in [ClientAddressing.publicPeer, .peer, .unknown] {
            #expect(try parent(addressing, from: address(peer)) == [nil])
        }
    }

    @Test func `without a tracer nothing is read`() throws {
        let addressing = try Self.addressing(.none)
        #expect(try parent(addressing, from: address("10.0.0.1"), tracesRequests: false) == [nil])
    }

    @Test func `of two lines none is believed, nor one that is none`() throws {
        let addressing = try Self.addressing(.none)
        let line = "traceparent: " + Self.text
        #expect(try parent(addressing, from: address("10.0.0.1"), tracesRequests: true, line, line) == [nil])
        #expect(try parent(addressing, from: address("10.0.0.1"), tracesRequests: true, line + "-x") == [nil])
        #expect(
            try parent(addressing, from: address("10.0.0.1"), tracesRequests: true, "tracestate: a=b") == [nil])
    }

    @Test(arguments: [true, false])
    func `on HTTP/2 each stream has its own, with its state`(usesHTTP1Parts: Bool) throws {
        let connection = try HTTP2Connection(
            stub: StubResponder(tracesRequests: true), usesHTTP1Parts: usesHTTP1Parts,
            clientAddressing: try Self.addressing(.none))
        defer { connection.finish() }
        connection.channel.remoteAddress = try address("10.0.0.1")
        try connection.send(
            HTTP2Wire.preface
                + HTTP2Wire.request(
                    stream: 1, "GET", "/__/auth/a",
                    [("traceparent", Self.text), ("tracestate", "a=b"), ("tracestate", "c=d")])
                + HTTP2Wire.request(stream: 3, "GET", "/__/auth/b"))
        #expect(connection.stub.seen.map { $0.traceFields?.parent.text } == [Self.text, nil])
        #expect(connection.stub.seen.map { $0.traceFields?.state } == ["a=b,c=d", nil])
        // Where a connection converts only what the broker reads, it never sees such a field.
        #expect(!usesHTTP1Parts || connection.stub.seen.allSatisfy { $0.fields.isEmpty })
    }
}
