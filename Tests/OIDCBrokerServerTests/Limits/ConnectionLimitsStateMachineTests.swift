// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBroker
import Testing

@testable import OIDCBrokerServer

/// The open connections, of all clients and of each address.
struct ConnectionLimitsStateMachineTests {
    private typealias Machine = ConnectionLimits.StateMachine

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// The number of connections that are admitted from an address.
    private func openAll(
        _ machine: inout Machine, from client: IPAddress?, atMost maximum: Int = 10, ofAddress perAddress: Int = 3
    ) -> Int {
        var count = 0
        while machine.open(from: client, atMost: maximum, ofAddress: perAddress, now: 0) == .opened { count += 1 }
        return count
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("127.0.0.1", "127.0.0.2", false),
        ])
    func `an address has connections of its own, IPv6 a /64`(first: String, second: String, areOne: Bool) throws {
        var machine = Machine()
        #expect(openAll(&machine, from: try address(first)) == 3)
        #expect(openAll(&machine, from: try address(second)) == (areOne ? 0 : 3))
        #expect(openAll(&machine, from: try address(first)) == 0)
    }

    @Test(arguments: [(56, 12), (48, 24)])
    func `an IPv6 network has four times as many as a /64, a /48 eight times`(length: Int, most: Int) throws {
        var machine = Machine()
        var count = 0
        // 64 networks of 64 bits that differ before the 64th bit and not before the network's length.
        for number in 0..<UInt64(64) {
            let group = String(number << (length == 56 ? 0 : 8), radix: 16)
            count += openAll(&machine, from: try address("2001:db8:0:\(group)::1"), atMost: 1000)
        }
        #expect(count == most)
        #expect(openAll(&machine, from: try address("2001:db8:1::1"), atMost: 1000) == 3)
    }

    @Test func `who is not known has no limit of its own, but that of all`() {
        var machine = Machine()
        #expect(openAll(&machine, from: nil) == 10)
        #expect(machine.networkCount == 0)
    }

    @Test func `the total is that of all addresses, and each that closes makes room`() throws {
        var machine = Machine()
        let clients = try (1...4).map { try address("192.0.2.\($0)") }
        #expect(clients.map { openAll(&machine, from: $0) } == [3, 3, 3, 1])
        #expect(openAll(&machine, from: nil) == 0)
        machine.close(from: clients[0])
        #expect(openAll(&machine, from: clients[0], atMost: 10) == 1)
        // One that is full makes room for others too.
        machine.close(from: clients[1])
        #expect(openAll(&machine, from: clients[3]) == 1)
        for client in [0, 0, 0, 1, 1, 2, 2, 2, 3, 3] { machine.close(from: clients[client]) }
        #expect(machine.count == 0)
        #expect(machine.networkCount == 0)
        machine.close(from: clients[0])
        #expect(machine.count == 0)
    }

    @Test func `a refusal names the limit, and one line a second of each is written`() throws {
        var machine = Machine()
        let client = try address("192.0.2.1")
        func open(_ client: IPAddress?, now: Int64) -> Machine.Opening {
            machine.open(from: client, atMost: 2, ofAddress: 1, now: now)
        }
        #expect(open(client, now: 1) == .opened)
        #expect(open(client, now: 1) == .refused(.address, .write(leftOut: 0)))
        for _ in 0..<3 { #expect(open(client, now: 1) == .refused(.address, .leaveOut)) }
        #expect(open(nil, now: 1) == .opened)
        #expect(open(nil, now: 1) == .refused(.total, .write(leftOut: 0)))
        #expect(open(client, now: 2) == .refused(.address, .write(leftOut: 3)))
        #expect(open(client, now: 3) == .refused(.address, .write(leftOut: 0)))
        // A clock that was set back begins a new second.
        #expect(open(client, now: -5) == .refused(.address, .write(leftOut: 0)))
    }

    @Test func `a lower limit closes nothing, and admits no connection until enough are closed`() {
        var machine = Machine()
        #expect(openAll(&machine, from: nil, atMost: 5) == 5)
        #expect(openAll(&machine, from: nil, atMost: 3) == 0)
        for _ in 0..<3 { machine.close(from: nil) }
        #expect(openAll(&machine, from: nil, atMost: 3) == 1)
    }

    @Test func `100,000 addresses with one connection each are forgotten when they close`() throws {
        var machine = Machine()
        let clients = try (0..<UInt32(100_000)).map { number in
            try #require(IPAddress(bytes: withUnsafeBytes(of: number.bigEndian) { Array($0) }))
        }
        for client in clients {
            _ = machine.open(from: client, atMost: 1_000_000, ofAddress: 1, now: 0)
        }
        #expect(machine.count == 100_000)
        for client in clients { machine.close(from: client) }
        #expect(machine.networkCount == 0)
    }

    @Test func `an address opens so many at once and so many a second, also if each is closed at once`() throws {
        var machine = Machine()
        func opened(_ text: String, now: Int64) throws -> Int {
            let client = try address(text)
            var count = 0
            while machine.open(from: client, atMost: 1000, ofAddress: 256, now: now) == .opened {
                machine.close(from: client)
                count += 1
            }
            return count
        }
        #expect(try opened("192.0.2.1", now: 0) == 512)
        #expect(try opened("192.0.2.2", now: 0) == 512)
        #expect(try opened("192.0.2.1", now: 1) == 64)
        // IPv6: a /48 no more, however many /64s it uses.
        var count = 0
        for number in 0..<8 { count += try opened("2001:db8:0:\(number)::1", now: 1) }
        #expect(count == 512)
        let client = try address("192.0.2.1")
        #expect(
            machine.open(from: client, atMost: 1000, ofAddress: 256, now: 1) == .refused(.rate, .leaveOut))
        // Who is not known speaks for many.
        for _ in 0..<900 { #expect(machine.open(from: nil, atMost: 1000, ofAddress: 256, now: 1) == .opened) }
    }
}
