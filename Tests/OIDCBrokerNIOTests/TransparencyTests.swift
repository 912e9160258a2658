// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import OIDCBrokerNIO

/// What is not the broker's reaches downstream, and what downstream writes reaches the wire, exactly as without the
/// broker: the same events in the same order, the same bytes, however the bytes were cut into reads.
struct TransparencyTests {
    struct Trace: Equatable {
        var events: [String]
        var outbound: String
        var reads: Int
        var isOpen: Bool
    }

    static let corpus: [(name: String, text: String)] = [
        ("kept", Messages.get("/a") + Messages.get("/b?c=d")),
        ("closed", Messages.get("/a", "Connection: close") + Messages.get("/b")),
        ("HTTP/1.0", Messages.get("/a", version: "1.0")),
        ("HTTP/1.0 kept", Messages.get("/a", "Connection: keep-alive", version: "1.0") + Messages.get("/b")),
        ("body", Messages.post("/a", body: "0123456789") + Messages.post("/b", body: "")),
        ("chunked", Messages.chunked("/a", ["abc", "d", "efghij"]) + Messages.get("/b")),
        ("trailers", Messages.chunked("/a", ["abc"], trailers: "X-A: 1\r\nX-B: 2\r\n") + Messages.get("/b")),
        ("HEAD", "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n" + Messages.get("/b")),
        ("expect", Messages.post("/a", "Expect: 100-continue", body: "abc")),
        ("no host", "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("absolute", Messages.get("http://h/a") + "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("near", Messages.get("//__/auth/a") + Messages.get("/__/authx") + Messages.get("/x?y=/__/auth/")),
        ("offered upgrade", Messages.get("/a", "Connection: upgrade", "Upgrade: h2c") + Messages.get("/b")),
        ("connect", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\nraw bytes"),
        ("garbage", Messages.get("/a") + "\u{1}\u{2}\r\n\r\n"),
        ("half a body", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc"),
        ("half a head", "GET /a HTTP/1.1\r\nHos"),
    ]

    @Test(arguments: 0..<Self.corpus.count)
    func `Split at every byte`(index: Int) throws {
        let bytes = Array(Self.corpus[index].text.utf8)
        for pipelining in [true, false] {
            for answersAtOnce in [true, false] {
                for split in 1...bytes.count {
                    let reads = [Array(bytes[..<split]), Array(bytes[split...])].filter { !$0.isEmpty }
                    try self.compare(reads, pipelining, answersAtOnce, "\(Self.corpus[index].name), split at \(split)")
                }
                try self.compare(
                    bytes.map { [$0] }, pipelining, answersAtOnce, "\(Self.corpus[index].name), byte by byte")
            }
        }
    }

    private func compare(
        _ reads: [[UInt8]], _ pipelining: Bool, _ answersAtOnce: Bool, _ name: String
    ) throws {
        let without = try self.trace(reads, pipelining, answersAtOnce, withBroker: false)
        let with = try self.trace(reads, pipelining, answersAtOnce, withBroker: true)
        #expect(without == with, "\(name), pipelining \(pipelining), at once \(answersAtOnce)")
        // A test that records nothing would always pass.
        #expect(!without.events.isEmpty)
    }

    private func trace(
        _ reads: [[UInt8]], _ pipelining: Bool, _ answersAtOnce: Bool, withBroker: Bool
    ) throws -> Trace {
        let connection = try Connection(pipelining: pipelining, answersAtOnce: answersAtOnce, withBroker: withBroker)
        connection.application.closesOnInputClosed = true
        var outbound = ""
        for read in reads {
            try connection.send(read)
            connection.channel.read()
            outbound += try connection.received() + "|"
        }
        // A late application, an event of the server's, and the client's half-close.
        connection.application.answer()
        outbound += try connection.received() + "|"
        connection.fire("event")
        connection.application.answer()
        connection.fire(ChannelEvent.inputClosed)
        outbound += try connection.received() + "|"
        let isOpen = connection.isOpen
        connection.finish()
        return Trace(
            events: connection.log.lines, outbound: outbound, reads: connection.reads.count, isOpen: isOpen)
    }

    @Test(arguments: [true, false])
    func `Quiescing passes at once where nothing of ours is under way`(pipelining: Bool) throws {
        func lines(withBroker: Bool) throws -> [String] {
            let connection = try Connection(pipelining: pipelining, answersAtOnce: false, withBroker: withBroker)
            try connection.send(Messages.get("/a"))
            connection.fire(ChannelShouldQuiesceEvent())
            connection.application.answer()
            let lines = connection.log.lines + [try connection.received(), "\(connection.isOpen)"]
            connection.finish()
            return lines
        }
        #expect(try lines(withBroker: true) == lines(withBroker: false))
    }
}
