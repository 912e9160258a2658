// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import OIDCBroker
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// What bodies have in memory together.
struct BodyMemoryTests {
    private static let step = BodyShare.stepBytes

    private static func begin(_ length: Int) -> String {
        "POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    private func expectNoRoom(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(text.hasPrefix("HTTP/1.1 503 "), "\(text)", sourceLocation: sourceLocation)
        #expect(text.contains("\r\nRetry-After: 10\r\n"), sourceLocation: sourceLocation)
        #expect(text.contains("\r\nConnection: close\r\n"), sourceLocation: sourceLocation)
    }

    @Test func `One byte of a body does not keep the buffer of its read`() throws {
        let connection = try Connection()
        defer { connection.finish() }
        var read = ByteBufferAllocator().buffer(capacity: 32_768)
        read.writeString(Self.begin(2) + "a")
        try connection.channel.writeInbound(read)
        let kept = try #require(connection.handler.current?.request?.body)
        #expect(kept.readableBytes == 1)
        #expect(kept.storageCapacity < 1024)
    }

    @Test func `A body that comes whole in a read is not counted, and neither is a request without one`() throws {
        // There is no room at all.
        let budget = MemoryBudget(beginnings: 0, remainders: 0)
        let connection = try Connection(memory: budget)
        defer { connection.finish() }
        for body in ["a", Self.letters(60_000)] {
            try connection.send(Messages.post("/__/auth/token", body: body))
            #expect(try connection.received() == Messages.broker("/__/auth/token"))
        }
        let get = Messages.get("/__/auth/handler")
        try connection.send(get + get)
        #expect(try connection.received() == Messages.broker("/__/auth/handler") + Messages.broker("/__/auth/handler"))
        // An incomplete head does not count in the budget either.
        let half = get.utf8.count / 2
        try connection.send(get.utf8.prefix(half))
        try connection.send(get.utf8.dropFirst(half))
        #expect(try connection.received() == Messages.broker("/__/auth/handler"))
        #expect(connection.handler.current == nil)
    }

    @Test func `The first byte of one more unfinished body is 503, and what comes whole is taken`() throws {
        let budget = MemoryBudget(beginnings: 3 * Self.step)
        let slow = try (0..<3).map { _ in try Connection(memory: budget) }
        for connection in slow { try connection.send(Self.begin(100) + "a") }
        #expect(budget.held == 3 * Self.step)
        let other = try Connection(memory: budget)
        defer { other.finish() }
        try other.send(Self.begin(100) + "a")
        expectNoRoom(try other.received())
        #expect(other.stub.seen.isEmpty)
        #expect(other.stub.refusedBodies == [.total])
        #expect(slow.allSatisfy { $0.stub.refusedBodies.isEmpty })
        let honest = try Connection(memory: budget)
        defer { honest.finish() }
        try honest.send(Messages.post("/__/auth/token", body: Self.letters(2_000)))
        #expect(try honest.received() == Messages.broker("/__/auth/token"))
        #expect(honest.stub.refusedBodies.isEmpty)
        // One that ends, however it does, leaves its room to the next one.
        slow[0].finish()
        let next = try Connection(memory: budget)
        defer { next.finish() }
        try next.send(Self.begin(2) + "a")
        try next.send("b")
        #expect(try next.received() == Messages.broker("/__/auth/token"))
        for connection in slow.dropFirst() { connection.finish() }
        #expect(budget.held == 0)
    }

    @Test(arguments: [true, false])
    func `Streams of one connection are counted each, from the first byte`(usesHTTP1Parts: Bool) throws {
        let budget = MemoryBudget(beginnings: 3 * Self.step)
        let connection = try HTTP2Connection(usesHTTP1Parts: usesHTTP1Parts, memory: budget)
        defer { connection.finish() }
        var bytes = HTTP2Wire.preface
        let streams: [UInt8] = [1, 3, 5, 7]
        for stream in streams {
            bytes += HTTP2Wire.request(stream: stream, "POST", "/__/auth/token", endsStream: false)
            bytes += HTTP2Wire.data(stream: stream, "a", endsStream: false)
        }
        // One more is whole.
        bytes += HTTP2Wire.request(stream: 9, "POST", "/__/auth/token", endsStream: false)
        bytes += HTTP2Wire.data(stream: 9, "a")
        try connection.send(bytes)
        #expect(budget.held == 3 * Self.step)
        #expect(connection.stub.seen.count == 1)
        #expect(connection.stub.refusedBodies == [.total])
        // The whole one and one of the others, whichever was the last, have responses.
        let answered = Set(HTTP2Wire.frames(try connection.received()).filter { $0.type == 1 }.map(\.stream))
        #expect(answered.contains(9) && answered.count == 2)
        for stream in streams where !answered.contains(stream) {
            try connection.send(HTTP2Wire.data(stream: stream, "b"))
        }
        #expect(connection.stub.seen.map(\.body) == ["a", "ab", "ab", "ab"])
        #expect(budget.held == 0)
    }

    @Test
    func `Where long bodies have all the room, one more of them is 503, and the form of a sign-in is taken`() throws {
        let budget = MemoryBudget(remainders: 6 * Self.step)
        let slow = try Connection(memory: budget)
        try slow.send(Self.begin(30_000) + Self.letters(27_000))
        #expect(budget.held(.longBodies) == 5 * Self.step)
        let other = try Connection(memory: budget)
        defer { other.finish() }
        try other.send(Self.begin(20_000) + Self.letters(19_999))
        expectNoRoom(try other.received())
        #expect(other.stub.seen.isEmpty)
        #expect(other.stub.refusedBodies == [.total])
        let honest = try Connection(memory: budget)
        defer { honest.finish() }
        try honest.send(Self.begin(BodyShare.beginningBytes) + Self.letters(5_000))
        try honest.send(Self.letters(BodyShare.beginningBytes - 5_000))
        #expect(try honest.received() == Messages.broker("/__/auth/token"))
        // However it ends, nothing of it is left.
        slow.finish()
        #expect(budget.held == 0)
    }

    // MARK: One address

    private func connect(
        from address: String?, by addressing: ClientAddressing = .publicPeer, _ budget: MemoryBudget
    ) throws -> Connection {
        let connection = try Connection(memory: budget, clientAddressing: addressing)
        if let address { connection.channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1) }
        return connection
    }

    @Test(
        arguments: [
            (.publicPeer, "198.51.100.7", "198.51.100.8"), (.peer, "198.51.100.7", "198.51.100.8"),
            (.peer, "10.0.0.7", "10.0.0.8"), (.peer, "127.0.0.2", "127.0.0.3"), (.peer, "fd00::1", "fd00:1::1"),
        ] as [(ClientAddressing, String, String)])
    func `One address takes its own part only; the others, and those without one, have the rest`(
        addressing: ClientAddressing, address: String, other: String
    ) throws {
        let budget = MemoryBudget(bytesOfAddress: 8 * Self.step)
        let slow = try connect(from: address, by: addressing, budget)
        try slow.send(Self.begin(40_000) + Self.letters(35_000))
        let second = try connect(from: address, by: addressing, budget)
        defer { second.finish() }
        try second.send(Self.begin(20_000) + Self.letters(15_000))
        expectNoRoom(try second.received())
        #expect(second.stub.refusedBodies == [.address])
        for another in [other, nil] {
            let honest = try connect(from: another, by: addressing, budget)
            defer { honest.finish() }
            try honest.send(Self.begin(15_000) + Self.letters(14_999))
            try honest.send("a")
            #expect(try honest.received() == Messages.broker("/__/auth/token"))
        }
        let networks = address.contains(":") ? 3 : 1
        #expect(budget.networkCounts == [networks, networks])
        slow.finish()
        #expect(budget.held == 0)
        #expect(budget.networkCounts == [0, 0])
    }

    @Test func `A host of a private network cannot take the beginnings of all, but a proxy that names no client can`()
        throws
    {
        for (addressing, most) in [(.peer, 2), (.publicPeer, 5), (.unknown, 5)] as [(ClientAddressing, Int)] {
            let budget = MemoryBudget(beginnings: 6 * Self.step, bytesOfAddress: 2 * Self.step)
            let slow = try (0..<5).map { _ in try connect(from: "10.0.0.7", by: addressing, budget) }
            for connection in slow { try connection.send(Self.begin(100) + "a") }
            #expect(budget.held(.bodies) == most * Self.step)
            let refused = Array(repeating: BodyLimit.address, count: 5 - most)
            #expect(slow.flatMap { $0.stub.refusedBodies } == refused)
            // Another client's is not refused.
            let other = try connect(from: "10.0.0.8", by: addressing, budget)
            try other.send(Self.begin(2) + "a")
            try other.send("b")
            #expect(try other.received() == Messages.broker("/__/auth/token"))
            for connection in slow + [other] { connection.finish() }
            #expect(budget.held == 0)
        }
    }

    // MARK: Ends

    @Test func `A body that is handed on, refused or late is counted no more`() throws {
        let budget = MemoryBudget()
        let connection = try Connection(memory: budget)
        defer { connection.finish() }
        try connection.send(Self.begin(60_000) + Self.letters(50_000))
        #expect(budget.held == 13 * Self.step)
        try connection.send(Self.letters(10_000))
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(budget.held == 0)

        let tooLong = try Connection(memory: budget)
        defer { tooLong.finish() }
        let chunked = Messages.chunked("/__/auth/token", [Self.letters(65_536), "b"])
        try tooLong.send(String(chunked.dropLast(20)))
        #expect(budget.held == 16 * Self.step)
        try tooLong.send(String(chunked.suffix(20)))
        #expect(try tooLong.received().hasPrefix("HTTP/1.1 413 "))
        #expect(budget.held == 0)

        let late = try Connection(memory: budget)
        defer { late.finish() }
        try late.send(Self.begin(60_000) + Self.letters(50_000))
        #expect(budget.held == 13 * Self.step)
        late.advance(.seconds(10))
        #expect(try late.received().hasPrefix("HTTP/1.1 408 "))
        #expect(budget.held == 0)
    }

    // MARK: Complete requests that wait

    @Test(arguments: [true, false])
    func `A complete body that waits for the application's response is counted, or refused`(hasRoom: Bool) throws {
        let budget = MemoryBudget(beginnings: hasRoom ? 2 * Self.step : Self.step)
        let connection = try Connection(pipelining: false, answersAtOnce: false, memory: budget)
        defer { connection.finish() }
        let post = Messages.post("/__/auth/token", body: Self.letters(5_000))
        try connection.send(Messages.get("/app") + post + Messages.get("/__/auth/x"))
        #expect(try connection.received() == "")
        // The body, and the head behind it.
        #expect(budget.held == (hasRoom ? 3 * Self.step : 0))
        connection.application.answer()
        let text = try connection.received()
        let app = Messages.app("/app")
        if hasRoom {
            #expect(text == app + Messages.broker("/__/auth/token") + Messages.broker("/__/auth/x"))
            #expect(connection.isOpen)
        } else {
            #expect(text.hasPrefix(app))
            expectNoRoom(String(text.dropFirst(app.count)))
            #expect(connection.stub.seen.isEmpty)
            #expect(!connection.isOpen)
        }
        let refused: [BodyLimit] = hasRoom ? [] : [.total]
        #expect(connection.stub.refusedBodies == refused)
        #expect(budget.held == 0)
    }

    @Test func `A complete body that waits for earlier responses to get out is counted`() throws {
        let budget = MemoryBudget()
        let connection = try Connection(memory: budget)
        defer { connection.finish() }
        connection.channel.isWritable = false
        try connection.send(Messages.post("/__/auth/token", body: Self.letters(5_000)))
        #expect(connection.stub.seen.isEmpty)
        #expect(budget.held == 2 * Self.step)
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(connection.stub.seen.map(\.bodyBytes) == [5_000])
        #expect(budget.held == 0)
    }

    @Test func `Where there is no room for it, the refusal is the connection's last response`() throws {
        let budget = MemoryBudget(beginnings: Self.step)
        let connection = try Connection(pipelining: false, memory: budget)
        defer { connection.finish() }
        connection.channel.isWritable = false
        let post = Messages.post("/__/auth/token", body: Self.letters(5_000))
        try connection.send(post + post)
        let text = try connection.received()
        expectNoRoom(text)
        #expect(text.split(separator: "HTTP/1.1 ").count == 1)
        #expect(connection.stub.seen.isEmpty)
        #expect(connection.stub.refusedBodies == [.total])
        #expect(!connection.isOpen)
        #expect(budget.held == 0)
    }

    // MARK: What is held

    /// Whether a text is the broker's response to a target, and announces the close.
    private func expectLast(_ text: String, _ target: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text)", sourceLocation: sourceLocation)
        #expect(text.contains("\r\nConnection: close\r\n"), sourceLocation: sourceLocation)
        #expect(text.hasSuffix("\r\n\r\nbroker \(target)"), sourceLocation: sourceLocation)
    }

    @Test(arguments: [true, false])
    func `Requests behind a response of the broker's are counted, or it is the last one`(hasRoom: Bool) throws {
        // Two heads of 2 KB and a body of 5,000 bytes.
        let budget = MemoryBudget(beginnings: 0, remainders: hasRoom ? 3 * Self.step : 2 * Self.step)
        let stub = StubResponder(answersLater: true)
        let connection = try Connection(stub: stub, pipelining: false, memory: budget)
        defer { connection.finish() }
        let post = Messages.post("/app", body: Self.letters(5_000))
        try connection.send(Messages.get("/__/auth/x") + Messages.get("/app") + post)
        // The request may have used up already what it is for.
        #expect(stub.seen.map(\.path) == ["/__/auth/x"])
        #expect(connection.isOpen)
        #expect(budget.held == (hasRoom ? 3 * Self.step : 0))
        stub.answer()
        let text = try connection.received()
        let app = Messages.app("/app")
        if hasRoom {
            #expect(text == Messages.broker("/__/auth/x") + app + app)
            #expect(connection.isOpen)
        } else {
            expectLast(text, "/__/auth/x")
            #expect(!connection.isOpen)
            #expect(!connection.log.lines.contains { $0.hasPrefix("head") })
        }
        let refused: [BodyLimit] = hasRoom ? [] : [.total]
        #expect(stub.refusedBodies == refused)
        #expect(budget.held == 0)
    }

    @Test func `A thousand heads in a read take more memory than their bytes, and that is counted`() throws {
        let budget = MemoryBudget()
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false, memory: budget)
        defer { connection.finish() }
        let get = Messages.get("/__/auth/x")
        try connection.send(String(repeating: get, count: 401))
        #expect(budget.held >= 400 * (HeldMemory.heldHeadBytes + 2 * HeldMemory.heldPartBytes))
        #expect(connection.isOpen)
        // The share of a client is 1 MiB.
        let greedy = try Connection(stub: StubResponder(answersLater: true), pipelining: false, memory: MemoryBudget())
        defer { greedy.finish() }
        try greedy.send(String(repeating: get, count: 1001))
        #expect(greedy.handler.held.isEmpty)
        greedy.stub.answer()
        expectLast(try greedy.received(), "/__/auth/x")
        #expect(!greedy.isOpen)
    }

    @Test func `Chunks of a byte take more memory than their bytes, and that is counted`() throws {
        let budget = MemoryBudget()
        let connection = try Connection(stub: StubResponder(answersLater: true), pipelining: false, memory: budget)
        defer { connection.finish() }
        let head = "POST /app HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        try connection.send(Messages.get("/__/auth/x") + head + String(repeating: "1\r\na\r\n", count: 1000))
        #expect(budget.held >= 1000 * HeldMemory.heldPartBytes)
    }

    @Test func `Without room behind a request that waits, it gets the last response in its turn`() throws {
        let budget = MemoryBudget(remainders: Self.step)
        let connection = try Connection(pipelining: false, answersAtOnce: false, memory: budget)
        defer { connection.finish() }
        let post = Messages.post("/app/2", body: Self.letters(5_000))
        try connection.send(Messages.get("/app/1") + Messages.get("/__/auth/x") + post)
        #expect(connection.isOpen)
        #expect(connection.stub.refusedBodies == [.total])
        #expect(budget.held == 0)
        connection.application.answer()
        let text = try connection.received()
        let app = Messages.app("/app/1")
        #expect(text.hasPrefix(app))
        expectLast(String(text.dropFirst(app.count)), "/__/auth/x")
        #expect(!connection.isOpen)
        #expect(connection.log.lines.count { $0.hasPrefix("head") } == 1)
    }

    @Test func `What comes behind what had no room is dropped, and an event comes after the response`() throws {
        let budget = MemoryBudget(remainders: Self.step)
        let stub = StubResponder(answersLater: true)
        let connection = try Connection(stub: stub, pipelining: false, memory: budget)
        defer { connection.finish() }
        connection.handler.machine = ClaimStateMachine(maximumHeldParts: 8)
        try connection.send(Messages.get("/__/auth/x"))
        // The event is held behind the head.
        let post = Array(Messages.post("/app", body: Self.letters(10_000)).utf8)
        try connection.send(post[..<100])
        connection.fire("early")
        try connection.send(post[100..<9_100])
        #expect(stub.refusedBodies == [.total])
        #expect(connection.handler.held.isEmpty)
        let reads = connection.reads.count
        connection.channel.read()
        #expect(connection.reads.count == reads)
        // The rest of it, and more than is ever held.
        try connection.send(post[9_100...])
        for _ in 0..<5 { try connection.send(Array(Messages.get("/__/auth/y").utf8) + post) }
        connection.fire("late")
        #expect(connection.handler.held.isEmpty)
        #expect(stub.refusedBodies == [.total])
        #expect(budget.held == 0)
        #expect(!connection.log.lines.contains { $0.hasPrefix("event") || $0.hasPrefix("head") })
        stub.answer()
        expectLast(try connection.received(), "/__/auth/x")
        #expect(connection.log.lines.filter { $0.hasPrefix("event") } == ["event early", "event late"])
        #expect(!connection.log.lines.contains { $0.hasPrefix("head") || $0.hasPrefix("body") })
        #expect(stub.seen.count == 1)
        #expect(!connection.isOpen)
    }

    // MARK: Closes that take a while

    private func withLingeringClose(
        answersAtOnce: Bool = true, _ budget: MemoryBudget, _ body: (Connection, LingeringClose) throws -> Void
    ) throws {
        let connection = try Connection(pipelining: false, answersAtOnce: answersAtOnce, memory: budget)
        let closing = LingeringClose()
        try connection.channel.pipeline.syncOperations.addHandler(closing, position: .first)
        defer {
            closing.lingers = false
            connection.finish()
        }
        try body(connection, closing)
    }

    @Test func `Where more is held than a read can bring, the request ends with the connection`() throws {
        let budget = MemoryBudget()
        try withLingeringClose(budget) { connection, closing in
            connection.handler.machine = ClaimStateMachine(maximumHeldBytes: 1 << 20)
            // It waits for earlier responses to get out.
            connection.channel.isWritable = false
            let post = Messages.post("/__/auth/token", body: Self.letters(5_000))
            try connection.send(post + Messages.post("/app", body: Self.letters(5_000)))
            #expect(budget.held == 4 * Self.step)
            try connection.send(Messages.post("/app", body: Self.letters(1 << 20)))
            #expect(closing.count == 1)
            #expect(budget.held == 0)
            #expect(connection.handler.current == nil)
            connection.channel.isWritable = true
            connection.channel.pipeline.fireChannelWritabilityChanged()
            #expect(try connection.received() == "")
            #expect(connection.stub.seen.isEmpty)
            // It is no lack of room.
            #expect(connection.stub.refusedBodies.isEmpty)
        }
    }

    @Test func `What is held is not counted any more where the application closes instead of responding`() throws {
        let budget = MemoryBudget()
        try withLingeringClose(answersAtOnce: false, budget) { connection, closing in
            let post = Messages.post("/app", body: Self.letters(5_000))
            try connection.send(Messages.get("/app") + Messages.get("/__/auth/x") + post)
            #expect(budget.held == 2 * Self.step)
            connection.application.context?.close(promise: nil)
            #expect(closing.count == 1)
            #expect(budget.held == 0)
            #expect(connection.stub.seen.isEmpty)
        }
    }
}
