// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import OIDCBrokerValkey

/// A subscription at a sentinel, without one.
struct SentinelSubscriptionTests {
    private typealias Machine = SentinelSubscription.StateMachine

    private func list(_ texts: String...) -> RESPValue {
        .array(texts.map { .bulk(Array($0.utf8)) })
    }

    @Test func `a message about the primary is told, and others are not`() {
        var machine = Machine(primaryName: "broker", authenticates: false)
        let begun = RESPValue.array([.bulk(Array("subscribe".utf8)), .bulk(Array("+switch-master".utf8)), .integer(1)])
        #expect(machine.received(begun) == .none)
        #expect(machine.received(list("message", "+switch-master", "other 10.0.0.1 1 10.0.0.2 2")) == .none)
        #expect(machine.received(list("message", "+switch-master", "nonsense")) == .none)
        #expect(
            machine.received(list("message", "+switch-master", "broker 10.0.0.1 1 10.0.0.2 2"))
                == .switched(.host("10.0.0.2", port: 2)))
        #expect(machine.received(list("pong", "")) == .none)
    }

    @Test func `a password is admitted first`() {
        var machine = Machine(primaryName: "broker", authenticates: true)
        #expect(machine.received(.simple("OK")) == .none)
        #expect(machine.received(list("pong", "")) == .none)
        var refused = Machine(primaryName: "broker", authenticates: true)
        #expect(refused.received(.error("WRONGPASS no")) == .close(.wrongPassword))
        #expect(refused.received(list("message", "+switch-master", "broker a 1 b 2")) == .none)
    }

    @Test func `what no subscriber is told ends it`() {
        let values: [RESPValue] = [
            .null, .simple("OK"), .integer(1), .array([]), .array([.integer(1)]), list("unsubscribe", "a"),
            list("message", "+sdown", "broker a 1 b 2"), list("message", "+switch-master"), .array([.null]),
        ]
        for value in values {
            var machine = Machine(primaryName: "broker", authenticates: false)
            #expect(machine.received(value) == .close(.unexpectedAnswer))
        }
    }

    @Test func `a silent sentinel is left`() {
        var machine = Machine(primaryName: "broker", authenticates: false)
        _ = machine.received(list("subscribe", "+switch-master"))
        #expect(machine.look() == .ask)
        #expect(machine.received(list("pong", "")) == .none)
        #expect(machine.look() == .ask)
        #expect(machine.look() == .close)
        var silent = Machine(primaryName: "broker", authenticates: false)
        #expect(silent.look() == .close)
    }

    @Test func `on a channel it subscribes, tells, asks and is closed`() throws {
        let configuration = ValkeyConfiguration(
            servers: .sentinels([.host("127.0.0.1", port: 1)], primaryName: "broker"), sentinelPassword: "secret")
        let access = try #require(SentinelAccess(configuration))
        let eventLoop = EmbeddedEventLoop()
        let channel = EmbeddedChannel(loop: eventLoop)
        let told = Mutex<[ValkeyAddress]>([])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/sentinel")).wait()
        try channel.pipeline.syncOperations.addHandler(
            SentinelSubscription(access, eventLoop: eventLoop) { address in told.withLock { $0.append(address) } })
        let written = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(
            String(buffer: written)
                == "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*2\r\n$9\r\nSUBSCRIBE\r\n$14\r\n+switch-master\r\n")
        try channel.writeInbound(
            ByteBuffer(string: "+OK\r\n*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n*3\r\n$7\r\nmess"))
        try channel.writeInbound(
            ByteBuffer(string: "age\r\n$14\r\n+switch-master\r\n$34\r\nbroker 10.0.0.1 6379 10.0.0.2 6380\r\n"))
        #expect(told.withLock { $0 } == [.host("10.0.0.2", port: 6380)])
        eventLoop.advanceTime(by: .seconds(5))
        let question = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: question) == "*1\r\n$4\r\nPING\r\n")
        eventLoop.advanceTime(by: .seconds(5))
        #expect(!channel.isActive)
    }
}
