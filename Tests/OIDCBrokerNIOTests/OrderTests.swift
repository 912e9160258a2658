// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import OIDCBrokerNIO

/// Requests of the broker among others, HTTP/1.1.
struct OrderTests {
    /// Every mix of four requests, the broker's and others', with their responses in any interleaving.
    @Test(arguments: 0..<16)
    func `Pipelined requests are answered in order, whichever response is late`(mix: Int) throws {
        let targets = (0..<4).map { mix & (1 << $0) == 0 ? "/app\($0)" : "/__/auth/\($0)" }
        let expected = targets.map { $0.hasPrefix("/app") ? Messages.app($0) : Messages.broker($0) }.joined()
        let text = targets.map { Messages.post($0, body: "x") }.joined()
        for pipelining in [true, false] {
            for order in 0..<16 {
                let connection = try Connection(
                    stub: StubResponder(answersLater: true), pipelining: pipelining, answersAtOnce: false)
                defer { connection.finish() }
                try connection.send(text)
                for bit in 0..<4 {
                    if order & (1 << bit) == 0 { connection.application.answer() } else { connection.stub.answer() }
                }
                // Responses that were made out of turn are written now.
                for _ in 0..<4 {
                    connection.application.answer()
                    connection.stub.answer()
                }
                #expect(try connection.received() == expected, "pipelining \(pipelining), order \(order)")
                #expect(connection.stub.seen.map(\.path) == targets.filter { $0.hasPrefix("/__") })
                #expect(connection.isOpen)
            }
        }
    }

    @Test func `Ours is not even begun before the response that is owed`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/app") + Messages.get("/__/auth/x"))
        #expect(connection.stub.seen.isEmpty)
        #expect(try connection.received() == "")
        connection.application.answer()
        #expect(try connection.received() == Messages.app("/app") + Messages.broker("/__/auth/x"))
    }

    @Test func `Informational heads of others are not final responses`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/app") + Messages.get("/__/auth/x"))
        connection.application.write(.head(HTTPResponseHead(version: .http1_1, status: .processing)))
        #expect(connection.stub.seen.isEmpty)
        connection.application.answer()
        #expect(connection.stub.seen.count == 1)
    }

    @Test func `A 100 for ours waits for the response that is owed, and the deadline waits with it`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(
            Messages.get("/app")
                + "POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
        connection.advance(.seconds(30))
        #expect(try connection.received() == "")
        connection.application.answer()
        #expect(try connection.received() == Messages.app("/app") + "HTTP/1.1 100 Continue\r\n\r\n")
        connection.advance(.milliseconds(9_999))
        #expect(try connection.received() == "")
        try connection.send("a")
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
    }

    @Test func `A refusal of ours waits too, and is the last response`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/app") + "GET /__/auth/x HTTP/1.1\r\n\r\n" + Messages.get("/app2"))
        #expect(try connection.received() == "")
        connection.application.answer()
        let text = try connection.received()
        #expect(text.hasPrefix(Messages.app("/app") + "HTTP/1.1 400 "))
        #expect(!connection.isOpen)
        #expect(connection.log.lines.count { $0.hasPrefix("head") } == 1)
    }

    @Test func `Behind a response that announces the close ours is not processed`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/app") + Messages.get("/__/auth/x"))
        connection.application.answer(closes: true)
        #expect(connection.stub.seen.isEmpty)
        let text = try connection.received()
        #expect(text.contains("app /app") && !text.contains("broker "))
        connection.application.context?.close(promise: nil)
        #expect(!connection.isOpen)
    }

    @Test func `Downstream's close waits for ours`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x"))
        let closed = connection.channel.eventLoop.makePromise(of: Void.self)
        let log = connection.log
        closed.futureResult.whenSuccess { log.append("closed") }
        connection.application.context?.close(promise: closed)
        #expect(connection.isOpen)
        #expect(connection.log.count("closed") == 0)
        connection.stub.answer()
        let text = try connection.received()
        #expect(text.contains("\r\nConnection: close\r\n") && text.hasSuffix("broker /__/auth/x"))
        #expect(!connection.isOpen)
        #expect(connection.log.count("closed") == 1)
    }

    @Test func `A close of downstream's that still owes a response is not held up`() throws {
        let connection = try Connection(pipelining: false, answersAtOnce: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/app") + Messages.get("/__/auth/x"))
        connection.application.context?.close(promise: nil)
        #expect(!connection.isOpen)
        #expect(connection.stub.seen.isEmpty)
    }

    @Test func `A postponed close is told when the channel closes first`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        try connection.send(Messages.get("/__/auth/x"))
        let closed = connection.channel.eventLoop.makePromise(of: Void.self)
        let log = connection.log
        closed.futureResult.whenComplete { _ in log.append("closed") }
        connection.application.context?.close(promise: closed)
        let context = try connection.channel.pipeline.syncOperations.context(handlerType: ReadCounter.self)
        context.close(promise: nil)
        #expect(connection.log.count("closed") == 1)
        connection.stub.answer()
        connection.finish()
    }

    @Test(arguments: [true, false])
    func `Quiescing waits for ours, which is then the last response`(isComplete: Bool) throws {
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false)
        defer { connection.finish() }
        let request = Array(Messages.post("/__/auth/x", body: "ab").utf8)
        try connection.send(request[..<(request.count - (isComplete ? 0 : 1))])
        connection.fire(ChannelShouldQuiesceEvent())
        #expect(connection.log.count("quiesce") == 0)
        if !isComplete { try connection.send(request.suffix(1)) }
        connection.stub.answer()
        let text = try connection.received()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("\r\nConnection: close\r\n"))
        #expect(connection.log.count("quiesce") == 1)
        #expect(!connection.isOpen)
    }

    @Test func `Quiescing behind other held parts is seen in time`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false)
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x") + Messages.get("/app"))
        connection.fire(ChannelShouldQuiesceEvent())
        connection.stub.answer()
        #expect(try connection.received().contains("\r\nConnection: close\r\n"))
        #expect(!connection.isOpen)
    }

    @Test func `With nothing of ours under way quiescing passes at once`() throws {
        let connection = try Connection(pipelining: false)
        defer { connection.finish() }
        connection.fire(ChannelShouldQuiesceEvent())
        #expect(connection.log.lines == ["quiesce"])
        #expect(connection.isOpen)
    }

    @Test(arguments: [true, false])
    func `A client that closed its side gets its response; then downstream hears of it`(pipelining: Bool) throws {
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: pipelining)
        defer { connection.finish() }
        connection.application.closesOnInputClosed = true
        try connection.send(Messages.get("/__/auth/x"))
        connection.fire(ChannelEvent.inputClosed)
        #expect(connection.isOpen)
        connection.stub.answer()
        #expect(try connection.received() == Messages.broker("/__/auth/x"))
        #expect(connection.log.count("inputClosed") == 1)
        #expect(!connection.isOpen)
    }

    @Test func `Half a request of ours ends with its connection, and is never run`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        try connection.send("POST /__/auth/x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na")
        connection.fire(ChannelEvent.inputClosed)
        #expect(try connection.received().hasPrefix("HTTP/1.1 400 "))
        #expect(!connection.isOpen)
        #expect(connection.stub.seen.isEmpty)
    }

    @Test func `Garbage behind ours is dealt with behind ours`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send(Messages.get("/__/auth/x") + "\u{1}garbage\r\n\r\n")
        #expect(try connection.received() == "")
        connection.stub.answer()
        let text = try connection.received()
        #expect(text.hasPrefix(Messages.broker("/__/auth/x") + "HTTP/1.1 400 "))
        #expect(connection.log.lines.contains { $0.hasPrefix("error") })
    }

    @Test func `Other events wait behind ours and come once`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true))
        defer { connection.finish() }
        try connection.send("POST /__/auth/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n")
        connection.fire("early")
        try connection.send("a")
        connection.fire("late")
        #expect(!connection.log.lines.contains { $0.hasPrefix("event") })
        connection.stub.answer()
        #expect(connection.log.lines.filter { $0.hasPrefix("event") } == ["event early", "event late"])
    }

    @Test func `What is held is bounded`() throws {
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false)
        defer { connection.finish() }
        connection.handler.machine = ClaimStateMachine(maximumHeldParts: 4)
        try connection.send(Messages.get("/__/auth/x") + Messages.get("/a") + Messages.get("/b"))
        #expect(connection.isOpen)
        try connection.send(Messages.get("/c"))
        #expect(!connection.isOpen)
        connection.stub.answer()
    }
}
