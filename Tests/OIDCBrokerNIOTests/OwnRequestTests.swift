// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBroker
import Testing

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// The broker's own requests, HTTP/1.1.
struct OwnRequestTests {
    @Test func `Is answered, and downstream sees nothing of it but the end of the read`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/handler?code=1"))
        #expect(try connection.received() == Messages.broker("/__/auth/handler?code=1"))
        #expect(connection.log.lines == ["readComplete"])
        #expect(connection.isOpen)
        #expect(connection.stub.seen.first?.authority == "broker.test")
        #expect(connection.stub.seen.first?.validatesAuthority == false)
    }

    @Test(arguments: [true, false])
    func `The body is collected whole; a trailer is not looked at`(chunked: Bool) throws {
        let connection = try Connection()
        defer { connection.finish() }
        let request =
            chunked
            ? Messages.chunked("/__/auth/token", ["code=", "x"], trailers: "Host: evil.test\r\nX-A: b\r\n")
            : Messages.post("/__/auth/token", body: "code=x")
        try connection.send(request)
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(connection.stub.seen.map(\.body) == ["code=x"])
        #expect(connection.stub.seen.first?.authority == "broker.test")
    }

    @Test func `What a turn of the loop reads is answered when all of it is read`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.channel.writeInbound(ByteBuffer(string: Messages.get("/__/auth/x")))
        #expect(connection.stub.seen.isEmpty)
        connection.channel.embeddedEventLoop.run()
        #expect(connection.stub.seen.map(\.path) == ["/__/auth/x"])
        #expect(try connection.received() == Messages.broker("/__/auth/x"))
    }

    @Test
    func `A request whose connection ends within the turn that read it is still run, and nothing is written`() throws {
        let connection = try Connection()
        try connection.channel.writeInbound(ByteBuffer(string: Messages.get("/__/auth/x")))
        connection.finish()
        #expect(connection.stub.seen.map(\.path) == ["/__/auth/x"])
        #expect(try connection.received().isEmpty)
    }

    @Test func `A response may come later; nothing is read meanwhile`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/handler") + Messages.get("/app"))
        let reads = connection.reads.count
        connection.channel.read()
        connection.channel.read()
        #expect(connection.reads.count == reads)
        #expect(try connection.received() == "")
        #expect(connection.log.lines == ["readComplete"])
        connection.stub.answer()
        #expect(try connection.received() == Messages.broker("/__/auth/handler") + Messages.app("/app"))
        #expect(connection.reads.count == reads + 1)
        // The end of the batch that was held is told again.
        #expect(connection.log.lines.last == "readComplete")
        #expect(connection.log.count("readComplete") == 2)
    }

    @Test func `Any two reads make the same request`() throws {
        let text =
            Messages.get("/before") + Messages.post("/__/auth/handler", body: "state=s&code=c")
            + Messages.post("/between", body: "b") + Messages.chunked("/__/auth/token", ["a", "bc"])
            + Messages.get("/after")
        let expected =
            Messages.app("/before") + Messages.broker("/__/auth/handler") + Messages.app("/between")
            + Messages.broker("/__/auth/token") + Messages.app("/after")
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            for pipelining in [true, false] {
                let connection = try Connection(pipelining: pipelining)
                defer { connection.finish() }
                try connection.send(bytes[..<split])
                try connection.send(bytes[split...])
                #expect(try connection.received() == expected, "split at \(split)")
                #expect(connection.stub.seen.map(\.body) == ["state=s&code=c", "abc"], "split at \(split)")
            }
        }
        let connection = try Connection()
        defer { connection.finish() }
        for byte in bytes { try connection.send([byte]) }
        #expect(try connection.received() == expected)
    }

    @Test func `HEAD has the length and no content`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("HEAD /__/auth/jwks HTTP/1.1\r\nHost: broker.test\r\n\r\n" + Messages.get("/app"))
        let length = "broker /__/auth/jwks".utf8.count
        #expect(
            try connection.received()
                == "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" + Messages.app("/app"))
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified])
    func `204 and 304 have neither`(status: HTTPResponse.Status) throws {
        let connection = try Connection(stub: StubResponder(response: StubResponder.response("", status: status)))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x"))
        #expect(try connection.received() == "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\r\n")
    }

    @Test func `The connection closes if the client said so, and not otherwise`() throws {
        let text = try self.respond(to: Messages.get("/__/auth/x", "Connection: close"), isOpen: false)
        #expect(text.contains("\r\nConnection: close\r\n"))
        let old = try self.respond(to: Messages.get("/__/auth/x", version: "1.0"), isOpen: false)
        #expect(old.contains("\r\nConnection: close\r\n"))
        let kept = try self.respond(
            to: Messages.get("/__/auth/x", "Connection: keep-alive", version: "1.0"), isOpen: true)
        #expect(kept.contains("\r\nConnection: keep-alive\r\n"))
        // NIO's decoder stops behind an offered upgrade: such a connection would hang.
        let upgrade = try self.respond(
            to: Messages.get("/__/auth/x", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AA"),
            isOpen: false)
        #expect(upgrade.contains("\r\nConnection: close\r\n"))
    }

    private func respond(to request: String, isOpen: Bool) throws -> String {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(request)
        let text = try connection.received()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(connection.isOpen == isOpen)
        return text
    }

    @Test func `Behind a request that closes nothing more is processed`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x", "Connection: close") + Messages.get("/app"))
        connection.stub.answer()
        #expect(try connection.received().hasSuffix("broker /__/auth/x"))
        #expect(!connection.isOpen)
        #expect(!connection.log.lines.contains { $0.hasPrefix("head") })
    }

    @Test func `No value can split a response`() throws {
        var response = StubResponder.response("x", status: .seeOther)
        response.head.headerFields[.location] = "https://a.test/\r\nX-Evil: 1\0x"
        response.head.headerFields[.transferEncoding] = "chunked"
        response.head.headerFields[.connection] = "close"
        let connection = try Connection(stub: StubResponder(response: response))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x"))
        let text = try connection.received()
        #expect(text.contains("\r\nLocation: https://a.test/  X-Evil: 1 x\r\n"))
        #expect(text.split(separator: "\r\n").count == 4)
        #expect(!text.contains("\0"))
        #expect(connection.isOpen)
    }

    @Test func `The fields that are the connection's to say are said by it alone`() throws {
        var response = StubResponder.response("x")
        response.head.headerFields[.connection] = "upgrade"
        response.head.headerFields[.upgrade] = "websocket"
        response.head.headerFields[.transferEncoding] = "chunked"
        response.head.headerFields[values: .contentLength] = ["999", "0"]
        let connection = try Connection(stub: StubResponder(response: response))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x"))
        let text = try connection.received().lowercased()
        #expect(!text.contains("upgrade"))
        #expect(!text.contains("transfer-encoding"))
        #expect(!text.contains("connection:"))
        #expect(text.split(separator: "\r\n").filter { $0.hasPrefix("content-length:") } == ["content-length: 1"])
    }

    @Test func `A future that fails, and a head that is not final, are a 500`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x"))
        connection.stub.fail()
        #expect(try connection.received().hasPrefix("HTTP/1.1 500 "))

        let odd = try Connection(stub: StubResponder(response: StubResponder.response("", status: .continue)))
        defer { odd.finish() }
        try odd.send(Messages.get("/__/auth/x"))
        #expect(try odd.received().hasPrefix("HTTP/1.1 500 "))
    }

    @Test func `A response for a closed channel is dropped`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        try connection.send(Messages.get("/__/auth/x"))
        connection.finish()
        connection.stub.answer()
        #expect(try connection.received() == "")
    }
}
