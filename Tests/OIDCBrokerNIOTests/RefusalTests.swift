// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import TestingSupport

@testable import OIDCBrokerNIO

/// What the handler refuses itself, HTTP/1.1.
struct RefusalTests {
    static let limit = 65_536

    @Test(arguments: [true, false])
    func `A body of exactly the limit is taken, with and without a length`(chunked: Bool) throws {
        let connection = try Connection()
        defer { connection.finish() }
        let body = String(repeating: "a", count: Self.limit)
        try connection.send(
            chunked ? Messages.chunked("/__/auth/token", [body]) : Messages.post("/__/auth/token", body: body))
        #expect(connection.stub.seen.map(\.bodyBytes) == [Self.limit])
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(connection.isOpen)
    }

    @Test func `One byte more is 413 and the connection closes`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        let body = String(repeating: "a", count: Self.limit)
        try connection.send(Messages.chunked("/__/auth/token", [body, "b"]))
        try self.expectRefused(connection, 413)
        #expect(connection.stub.seen.isEmpty)
    }

    @Test func `A form of a provider that is too long is the broker's page`() throws {
        for body in ["Content-Length: \(Self.limit + 1)\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"] {
            let connection = try Connection()
            defer { connection.finish() }
            try connection.send("POST \(StubResponder.formPath) HTTP/1.1\r\nHost: h\r\n" + body)
            if body.hasPrefix("T") {
                let text = String(repeating: "a", count: Self.limit + 1)
                try connection.send(String(text.count, radix: 16) + "\r\n" + text + "\r\n0\r\n\r\n")
            }
            let text = try connection.received()
            #expect(text.hasPrefix("HTTP/1.1 413 "))
            #expect(text.hasSuffix("a page of the broker\n"))
            #expect(connection.stub.seen.isEmpty)
        }
    }

    @Test func `A length beyond the limit is validated before the body is sent`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: \(Self.limit + 1)\r\n\r\n")
        let text = try connection.received()
        #expect(text.hasPrefix("HTTP/1.1 413 "))
        #expect(text.contains("\r\nConnection: close\r\n"))
        // What is on its way is read and dropped, so that the client can read the response.
        #expect(connection.isOpen)
        try connection.send("aaaa")
        #expect(connection.isOpen)
        connection.advance(.milliseconds(999))
        #expect(connection.isOpen)
        connection.advance(.milliseconds(1))
        #expect(!connection.isOpen)
        #expect(!connection.log.lines.contains { $0.hasPrefix("body") })
    }

    @Test func `The connection closes as soon as the rest of a refused request is in`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\n")
        try connection.send(String(repeating: "a", count: 69_999))
        #expect(connection.isOpen)
        try connection.send("a")
        #expect(!connection.isOpen)
    }

    @Test func `A body that is not complete in time is 408`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")
        connection.advance(.milliseconds(9_999))
        try connection.send("s")
        #expect(try connection.received() == "")
        connection.advance(.milliseconds(1))
        #expect(try connection.received().hasPrefix("HTTP/1.1 408 "))
        connection.advance(.seconds(1))
        #expect(!connection.isOpen)
        #expect(connection.stub.seen.isEmpty)
    }

    @Test func `The deadline is gone once the body is there, however long the response takes`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send(Messages.post("/__/auth/token", body: "a"))
        connection.advance(.minutes(5))
        #expect(try connection.received() == "")
        connection.stub.answer()
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(connection.isOpen)
    }

    @Test func `The deadline counts for our own bodies only`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("POST /app HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")
        connection.advance(.minutes(5))
        #expect(connection.isOpen)
        #expect(try connection.received() == "")
    }

    @Test(
        arguments: [
            ("1.1", "", 400), ("1.1", "Host: a\r\nHost: a\r\n", 400), ("1.1", "Host: a\r\nHost: b\r\n", 400),
            ("1.1", "Host: u@a\r\n", 400), ("1.1", "Host: a, b\r\n", 400), ("1.1", "Host:\r\n", 400),
            ("1.1", "Host: a\r\n", 200), ("1.0", "", 200), ("1.0", "Host: a\r\nHost: b\r\n", 400),
        ])
    func `Host must be there once, and usable`(version: String, fields: String, status: Int) throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("GET /__/auth/x HTTP/\(version)\r\n\(fields)\r\n")
        #expect(try connection.received().hasPrefix("HTTP/1.1 \(status) "))
        #expect(connection.stub.seen.count == (status == 200 ? 1 : 0))
        #expect(connection.isOpen == (status == 200 && version == "1.1"))
    }

    @Test
    func `A target of ours beyond ASCII is refused before anything compares it; elsewhere it is not ours`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("GET /__/auth/x\u{301} HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try connection.received().hasPrefix("HTTP/1.1 400 "))
        #expect(connection.stub.seen.isEmpty)
    }

    @Test func `Others may send what Host fields they like`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("GET /app HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET /app2 HTTP/1.1\r\n\r\n")
        #expect(try connection.received() == Messages.app("/app") + Messages.app("/app2"))
    }

    @Test(
        arguments: [
            ("/__/auth/handler#x", 400), ("/__/auth/handler?a#b", 400), ("/x#/__/auth/handler", nil),
            ("/__/auth#/handler", nil),
        ] as [(String, Int?)])
    func `A fragment in a target of ours is refused, elsewhere it is not ours (GHSA-pxq7-h93f-9jrg)`(
        target: String, status: Int?
    ) throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(Messages.get(target))
        let text = try connection.received()
        if let status {
            #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        } else {
            #expect(text == Messages.app(target))
        }
        #expect(connection.stub.seen.isEmpty)
    }

    @Test(
        .attack(.nearlyTheCallbackPath),
        arguments: [
            ("/__/auth/handler", true), ("/__/auth/handler/", true), ("/__/auth/%68andler", true),
            ("/__/auth/handler;x=1", true), ("/__/auth/..;/handler", true), ("/__/auth/?/x", true),
            ("//__/auth/handler", false), ("/__/authx", false), ("/__/auth", false), ("/_%5F/auth/handler", false),
            ("/%5F%5F/auth/handler", false), ("/./__/auth/handler", false), ("/__/AUTH/handler", false),
            ("/?/__/auth/handler", false), ("/x/__/auth/handler", false), ("/;/__/auth/handler", false),
        ])
    func `the path is compared as received`(target: String, isOurs: Bool) throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(Messages.get(target))
        #expect(try connection.received() == (isOurs ? Messages.broker(target) : Messages.app(target)))
        #expect(connection.stub.seen.map(\.path) == (isOurs ? [target] : []))
    }

    @Test func `An absolute-form target is reduced to its path, and its authority taken`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(Messages.get("http://other.test:81/__/auth/handler?a=b"))
        #expect(try connection.received() == Messages.broker("/__/auth/handler?a=b"))
        #expect(connection.stub.seen.map(\.authority) == ["other.test:81"])

        try connection.send(Messages.get("http://other.test/app"))
        #expect(try connection.received() == Messages.app("http://other.test/app"))

        try connection.send(Messages.get("http://u@other.test/__/auth/handler"))
        #expect(try connection.received().hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `A client that waits for 100 gets it, and its body is taken`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(
            "POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\nExpect: 100-Continue\r\n\r\n")
        #expect(try connection.received() == "HTTP/1.1 100 Continue\r\n\r\n")
        try connection.send("code=x")
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(connection.stub.seen.map(\.body) == ["code=x"])
    }

    @Test(
        arguments: [
            "POST /__/auth/x HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
            "GET /__/auth/x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
            "POST /__/auth/x HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n",
            "POST /__/auth/x HTTP/1.0\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\na",
        ])
    func `No 100 where no body follows, where it would be too large, or to HTTP/1.0`(request: String) throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send(request)
        let text = try connection.received()
        #expect(text.hasPrefix("HTTP/1.1 200 ") || text.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `Others' 100 is theirs`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("POST /app HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
        #expect(try connection.received() == "")
        connection.application.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        try connection.send("a" + Messages.get("/__/auth/x"))
        #expect(
            try connection.received()
                == "HTTP/1.1 100 Continue\r\n\r\n" + Messages.app("/app") + Messages.broker("/__/auth/x"))
    }

    private func expectRefused(_ connection: Connection, _ status: Int) throws {
        let text = try connection.received()
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(!connection.isOpen)
    }
}
