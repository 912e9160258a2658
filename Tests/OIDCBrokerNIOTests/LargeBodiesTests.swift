// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import NIOCore
import NIOEmbedded
import Testing

@testable import OIDCBrokerNIO

/// What unfinished bodies have in memory together.
struct LargeBodiesTests {
    private static func begin(_ length: Int) -> String {
        "POST /__/auth/token HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test func `A share counts what lies beyond the first bytes, and gives it back when it goes`() {
        let bodies = LargeBodies(maximumBytes: 100)
        var first: LargeBodies.Share? = LargeBodies.Share(bodies)
        let second = LargeBodies.Share(bodies)
        #expect(first?.grow(toBodyOf: LargeBodies.ownBytes) == true)
        #expect(bodies.bytesInUse == 0)
        #expect(first?.grow(toBodyOf: LargeBodies.ownBytes + 60) == true)
        #expect(first?.grow(toBodyOf: LargeBodies.ownBytes + 61) == true)
        #expect(bodies.bytesInUse == 61)
        #expect(!second.grow(toBodyOf: LargeBodies.ownBytes + 40))
        #expect(second.grow(toBodyOf: LargeBodies.ownBytes + 39))
        #expect(bodies.bytesInUse == 100)
        first = nil
        #expect(bodies.bytesInUse == 39)
        #expect(second.grow(toBodyOf: LargeBodies.ownBytes + 100))
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

    @Test
    func `Where long bodies have all the room, one more of them is 503, and the form of a sign-in is taken`() throws {
        let bodies = LargeBodies(maximumBytes: 20_000)
        let slow = try Connection(largeBodies: bodies)
        try slow.send(Self.begin(30_000) + Self.letters(27_000))
        #expect(bodies.bytesInUse == 27_000 - LargeBodies.ownBytes)
        let other = try Connection(largeBodies: bodies)
        defer { other.finish() }
        try other.send(Self.begin(20_000) + Self.letters(20_000))
        let refusal = try other.received()
        #expect(refusal.hasPrefix("HTTP/1.1 503 "))
        #expect(refusal.contains("\r\nRetry-After: 10\r\n"))
        #expect(refusal.contains("\r\nConnection: close\r\n"))
        #expect(other.stub.seen.isEmpty)
        let honest = try Connection(largeBodies: bodies)
        defer { honest.finish() }
        try honest.send(Messages.post("/__/auth/token", body: Self.letters(LargeBodies.ownBytes)))
        #expect(try honest.received() == Messages.broker("/__/auth/token"))
        // However it ends, nothing of it is left.
        slow.finish()
        #expect(bodies.bytesInUse == 0)
    }

    @Test func `One address takes its own part only; the others, and those without one, have the rest`() throws {
        let bodies = LargeBodies(maximumBytes: 100_000, bytesOfAddress: 30_000)
        func connection(_ address: String?) throws -> Connection {
            let connection = try Connection(largeBodies: bodies)
            if let address { connection.channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1) }
            return connection
        }
        let slow = try connection("198.51.100.7")
        try slow.send(Self.begin(40_000) + Self.letters(35_000))
        let second = try connection("198.51.100.7")
        defer { second.finish() }
        try second.send(Self.begin(20_000) + Self.letters(15_000))
        #expect(try second.received().hasPrefix("HTTP/1.1 503 "))
        for address in ["198.51.100.8", nil] {
            let honest = try connection(address)
            defer { honest.finish() }
            try honest.send(Messages.post("/__/auth/token", body: Self.letters(15_000)))
            #expect(try honest.received() == Messages.broker("/__/auth/token"))
        }
        #expect(bodies.addressCount == 1)
        slow.finish()
        #expect(bodies.bytesInUse == 0)
        #expect(bodies.addressCount == 0)
    }

    @Test func `A body that is handed on, refused or late is counted no more`() throws {
        let bodies = LargeBodies(maximumBytes: 1 << 20)
        let connection = try Connection(largeBodies: bodies)
        defer { connection.finish() }
        try connection.send(Messages.post("/__/auth/token", body: Self.letters(60_000)))
        #expect(try connection.received() == Messages.broker("/__/auth/token"))
        #expect(bodies.bytesInUse == 0)

        let tooLong = try Connection(largeBodies: bodies)
        defer { tooLong.finish() }
        try tooLong.send(Messages.chunked("/__/auth/token", [Self.letters(65_536), "b"]))
        #expect(try tooLong.received().hasPrefix("HTTP/1.1 413 "))
        #expect(bodies.bytesInUse == 0)

        let late = try Connection(largeBodies: bodies)
        defer { late.finish() }
        try late.send(Self.begin(60_000) + Self.letters(50_000))
        #expect(bodies.bytesInUse == 50_000 - LargeBodies.ownBytes)
        late.advance(.seconds(10))
        #expect(try late.received().hasPrefix("HTTP/1.1 408 "))
        #expect(bodies.bytesInUse == 0)
    }
}
