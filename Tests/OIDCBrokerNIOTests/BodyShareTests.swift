// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBroker
import Testing

@testable import OIDCBrokerNIO

/// The share of one body in the memory for all.
struct BodyShareTests {
    private static let step = BodyShare.stepBytes

    @Test(
        arguments: [
            // The length of a body, and its steps in each of the pools.
            (0, 0, 0), (1, 1, 0), (4096, 1, 0), (4097, 2, 0), (8192, 2, 0), (8193, 2, 1), (12_288, 2, 1),
            (12_289, 2, 2), (65_536, 2, 14),
        ])
    func `A body counts in steps, its first 8 KB apart from the rest`(length: Int, beginning: Int, remainder: Int) {
        let budget = MemoryBudget()
        let share = BodyShare(budget)
        #expect(share.grow(toBodyOf: length) == nil)
        #expect(budget.held(.bodies) == beginning * Self.step)
        #expect(budget.held(.longBodies) == remainder * Self.step)
        // A shorter one gives nothing back, since the buffer does not shrink.
        #expect(share.grow(toBodyOf: min(1, length)) == nil)
        #expect(budget.held == (beginning + remainder) * Self.step)
    }

    @Test func `The first byte of a body is refused where the beginnings have no step left`() {
        let budget = MemoryBudget(beginnings: 3 * Self.step)
        var first: BodyShare? = BodyShare(budget)
        let second = BodyShare(budget)
        let third = BodyShare(budget)
        #expect(first?.grow(toBodyOf: 8192) == nil)
        #expect(second.grow(toBodyOf: 4097) == .total)
        #expect(second.grow(toBodyOf: 4096) == nil)
        #expect(third.grow(toBodyOf: 1) == .total)
        #expect(budget.held == 3 * Self.step)
        first = nil
        #expect(budget.held == Self.step)
        #expect(third.grow(toBodyOf: 8192) == nil)
    }

    @Test func `Where the remainders are full, beginnings go on, and a refused share leaves nothing behind`() {
        let budget = MemoryBudget(remainders: 2 * Self.step)
        let long = BodyShare(budget)
        #expect(long.grow(toBodyOf: 16_384) == nil)
        var other: BodyShare? = BodyShare(budget)
        #expect(other?.grow(toBodyOf: 8193) == .total)
        #expect(budget.held == 6 * Self.step)
        #expect(other?.grow(toBodyOf: 8192) == nil)
        #expect(budget.held == 6 * Self.step)
        other = nil
        #expect(budget.held == 4 * Self.step)
    }

    @Test func `What is held behind a response is a remainder from its first byte`() {
        let budget = MemoryBudget(remainders: 2 * Self.step)
        let share = BodyShare(budget)
        #expect(share.grow(toHeld: 0) == nil)
        #expect(budget.held == 0)
        #expect(share.grow(toHeld: 8192) == nil)
        #expect(budget.held(.bodies) == 0)
        #expect(share.grow(toHeld: 8193) == .total)
        #expect(budget.held(.longBodies) == 2 * Self.step)
    }

    // MARK: One address

    @Test(arguments: [("198.51.100.7", "198.51.100.8"), ("10.0.0.7", "10.0.0.8"), ("127.0.0.1", "127.0.0.2")])
    func `One address takes its own part only, and is forgotten with its last share`(
        text: String, otherText: String
    ) throws {
        let (address, other) = (try Self.address(text), try Self.address(otherText))
        let budget = MemoryBudget(bytesOfAddress: 3 * Self.step)
        var shares = [BodyShare(budget, address: address), BodyShare(budget, address: address)]
        #expect(shares[0].grow(toBodyOf: 8192) == nil)
        #expect(shares[1].grow(toBodyOf: 8192) == .address)
        #expect(shares[1].grow(toBodyOf: 1) == nil)
        for share in [BodyShare(budget, address: other), BodyShare(budget)] {
            #expect(share.grow(toBodyOf: 8192) == nil)
        }
        #expect(budget.networkCounts == [1, 0])
        shares.removeFirst()
        #expect(budget.networkCounts == [1, 0])
        shares.removeFirst()
        #expect(budget.networkCounts == [0, 0])
        #expect(budget.held == 0)
    }

    @Test(
        arguments: [
            ("2001:db8::1", "2001:db8::ffff:2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("fd00::1", "fd00::2", true), ("::1", "::2", true), ("::ffff:192.0.2.1", "192.0.2.1", true),
        ])
    func `Of IPv6 a network of 64 bits is one client`(first: String, second: String, areOne: Bool) throws {
        let budget = MemoryBudget(bytesOfAddress: Self.step)
        let shares = try [first, second].map { BodyShare(budget, address: try Self.address($0)) }
        #expect(shares[0].grow(toBodyOf: 1) == nil)
        let expected: BodyLimit? = areOne ? .address : nil
        #expect(shares[1].grow(toBodyOf: 1) == expected)
    }

    @Test(arguments: [(56, 4, 6), (48, 8, 17)])
    func `An IPv6 network of 56 bits has four times the part of one of 64, and one of 48 bits eight times`(
        length: Int, most: Int, networks: Int
    ) throws {
        let budget = MemoryBudget(bytesOfAddress: Self.step)
        var shares: [BodyShare] = []
        // 64 networks of 64 bits that differ before the 64th bit and not before the network's length.
        for number in 0..<64 {
            let group = String(number << (length == 56 ? 0 : 8), radix: 16)
            let share = BodyShare(budget, address: try Self.address("2001:db8:0:\(group)::1"))
            let limit = share.grow(toBodyOf: 1)
            let expected: BodyLimit? = number < most ? nil : .address
            #expect(limit == expected, "\(number)")
            if limit == nil { shares.append(share) }
        }
        #expect(budget.held == most * Self.step)
        // One that was refused does not count in its networks.
        #expect(budget.networkCounts == [networks, 0])
        let elsewhere = BodyShare(budget, address: try Self.address("2001:db8:1::1"))
        #expect(elsewhere.grow(toBodyOf: 1) == nil)
        // A place that is given back is one for the whole network.
        shares.removeFirst()
        let next = BodyShare(budget, address: try Self.address("2001:db8::1"))
        #expect(next.grow(toBodyOf: 1) == nil)
        let last = BodyShare(budget, address: try Self.address("2001:db8:0:ff::1"))
        #expect(last.grow(toBodyOf: 1) == .address)
    }

    @Test func `What was taken for a network is given back to each that contains it`() throws {
        let budget = MemoryBudget(bytesOfAddress: Self.step)
        do {
            let share = BodyShare(budget, address: try Self.address("2001:db8::1"))
            #expect(share.grow(toBodyOf: 1) == nil)
            #expect(share.grow(toHeld: 1) == nil)
            #expect(budget.networkCounts == [3, 3])
        }
        #expect(budget.networkCounts == [0, 0])
        #expect(budget.held == 0)
    }

    @Test func `An address over its own part is told apart, also where there is no room for any client`() throws {
        let budget = MemoryBudget(beginnings: Self.step, bytesOfAddress: Self.step)
        let address = try Self.address("198.51.100.7")
        let shares = (0..<2).map { _ in BodyShare(budget, address: address) }
        #expect(shares[0].grow(toBodyOf: 1) == nil)
        #expect(shares[1].grow(toBodyOf: 1) == .address)
        let other = BodyShare(budget, address: try Self.address("198.51.100.8"))
        #expect(other.grow(toBodyOf: 1) == .total)
        #expect(budget.networkCounts == [1, 0])
    }

    @Test func `One address has a MiB of what the process has`() throws {
        // Others use it too, but what one address has does not depend on them.
        let share = BodyShare(MemoryBudget(bytes: 256 << 20), address: try Self.address("203.0.113.9"))
        #expect(share.grow(toHeld: (1 << 20) + 1) == .address)
        #expect(share.grow(toHeld: 1 << 20) == nil)
        #expect(BodyShare.beginningBytes == 2 * Self.step)
    }

    private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
}
