// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct HTTP1MessageReaderTests {
    private static let redirect =
        "HTTP/1.1 303 See Other\r\nLocation: https://app.example.com/cb?code=x\r\nSet-Cookie: a=1; Path=/\r\n"
        + "set-cookie: b=2\r\nContent-Length: 0\r\nCache-Control: no-store\r\n\r\n"

    private static func read(_ text: String, _ kind: HTTP1MessageReader.Kind = .responses) throws -> [HTTP1Message] {
        var reader = HTTP1MessageReader(kind, keeping: ["location", "set-cookie"])
        reader.append(Array(text.utf8))
        var messages: [HTTP1Message] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }

    @Test func `a redirect with its cookies, and nothing that was not asked for`() throws {
        let messages = try Self.read(Self.redirect)
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect(message.status == 303)
        #expect(message.first("location") == "https://app.example.com/cb?code=x")
        #expect(message.values("set-cookie") == ["a=1; Path=/", "b=2"])
        #expect(message.fields.count == 3)
        #expect(!message.isLast)
    }

    @Test func `the same at every split`() throws {
        let bytes = Array((Self.redirect + "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc").utf8)
        for split in 0...bytes.count {
            var reader = HTTP1MessageReader(.responses, keeping: ["location", "set-cookie"])
            var messages: [HTTP1Message] = []
            reader.append(Array(bytes[..<split]))
            while let message = try reader.next() { messages.append(message) }
            reader.append(Array(bytes[split...]))
            while let message = try reader.next() { messages.append(message) }
            #expect(messages.map(\.status) == [303, 200])
            #expect(messages.last?.body == Array("abc".utf8))
            #expect(!reader.isInsideMessage)
        }
    }

    @Test func `chunks are put together, extensions and trailers skipped`() throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nWiki\r\nA\r\npedia in c\r\n0\r\n"
            + "Expires: never\r\n\r\n"
        for split in stride(from: 0, through: text.utf8.count, by: 1) {
            var reader = HTTP1MessageReader(.responses, keeping: [])
            reader.append(Array(text.utf8.prefix(split)))
            let early = try reader.next()
            #expect(early == nil || split == text.utf8.count)
            reader.append(Array(text.utf8.dropFirst(split)))
            let late = try reader.next()
            #expect((early ?? late)?.body == Array("Wikipedia in c".utf8))
        }
    }

    @Test func `a response without a length ends with the connection`() throws {
        var reader = HTTP1MessageReader(.responses, keeping: [])
        reader.append(Array("HTTP/1.0 200 OK\r\n\r\nall of it".utf8))
        let early = try reader.next()
        #expect(early == nil)
        let message = try reader.finish()
        #expect(message?.body == Array("all of it".utf8))
        #expect(message?.isLast == true)
    }

    @Test func `a connection that ends inside a message is an error, between two it is not`() throws {
        var reader = HTTP1MessageReader(.responses, keeping: [])
        let nothing = try reader.finish()
        #expect(nothing == nil)
        reader.append(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab".utf8))
        let early = try reader.next()
        #expect(early == nil)
        #expect(throws: HTTP1MessageError.cutOff) { try reader.finish() }
    }

    @Test func `interim responses are passed over, and empty ones have no body`() throws {
        let messages = try Self.read(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n"
                + "Content-Length: 9\r\n\r\n")
        #expect(messages.map(\.status) == [204, 304])
        #expect(messages.allSatisfy { $0.body.isEmpty })
    }

    @Test func `whether the connection goes on`() throws {
        let closing = try Self.read("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n")
        #expect(closing.first?.isLast == true)
        let old = try Self.read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(old.first?.isLast == true)
        let kept = try Self.read("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
        #expect(kept.first?.isLast == false)
    }

    @Test func `requests have no body unless they say how long it is`() throws {
        let messages = try Self.read(
            "\r\nGET /a?b HTTP/1.1\r\nHost: x\r\n\r\nPOST /t HTTP/1.1\r\ncontent-length: 3\r\n\r\na=b", .requests)
        #expect(messages.map(\.startLine) == ["GET /a?b HTTP/1.1", "POST /t HTTP/1.1"])
        #expect(messages.map(\.body) == [[], Array("a=b".utf8)])
    }

    static let refused: [(String, HTTP1MessageError)] = [
        ("nothing of the kind\r\n\r\n", .malformedStatusLine),
        ("n", .malformedStatusLine),
        ("HTTP/2 200 OK\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 OK\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 99 Low\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 1000 High\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\rx", .malformedStatusLine),
        ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", .malformedLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformedLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", .tooLong),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", .tooLong),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", .malformedChunk),
    ]

    @Test(arguments: HTTP1MessageReaderTests.refused)
    func `bytes that are not a message are refused`(text: String, error: HTTP1MessageError) {
        #expect(throws: error) { try Self.read(text) }
    }

    @Test func `a head without end is refused`() {
        #expect(throws: HTTP1MessageError.tooLong) {
            try Self.read("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000))
        }
    }
}
