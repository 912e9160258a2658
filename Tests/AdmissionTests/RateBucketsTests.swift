// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// What is left of a limit to each client and key.
struct RateBucketsTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    private func machine(_ perSecond: Int, burst: Int, of limit: RateLimit = .browsers) -> RateBuckets {
        var buckets = RateBuckets(limit)
        buckets.replace(by: TokenBucketRate(perSecond: perSecond, burst: burst))
        return buckets
    }

    private func takeAll(_ machine: inout RateBuckets, _ address: IPAddress, now: Int64, atMost bound: Int = 1000)
        -> Int
    {
        var count = 0
        while count < bound, machine.take(address, at: nil, now: now) == nil { count += 1 }
        return count
    }

    @Test(
        arguments: [
            // The two are one client, or not.
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "64:ff9b::192.0.2.1", true),
            ("127.0.0.1", "127.0.0.2", false), ("::1", "::2", true), ("::1", "127.0.0.1", false),
        ])
    func `an IPv4 address is a client, and so is the /64 of an IPv6 address`(
        first: String, second: String, areOne: Bool
    ) throws {
        var machine = machine(1, burst: 5)
        #expect(takeAll(&machine, try address(first), now: 0) == 5)
        #expect(takeAll(&machine, try address(second), now: 0) == (areOne ? 0 : 5))
        // An IPv6 address counts in its /64, /56 and /48.
        #expect(
            machine.count == Set(try [first, second].flatMap { try address($0).countedNetworks.map(\.network) }).count)
    }

    @Test func `without a rate there is no limit, and nothing is kept`() throws {
        var machine = machine(0, burst: 5)
        let client = try address("192.0.2.1")
        #expect(takeAll(&machine, client, now: 0) == 1000)
        machine.giveBack(client, at: nil, now: 0)
        #expect(machine.count == 0)
    }

    @Test func `a token that is given back is the client's, whichever of its addresses asks`() throws {
        var machine = machine(1, burst: 5)
        #expect(takeAll(&machine, try address("2001:db8::1"), now: 0) == 5)
        machine.giveBack(try address("2001:db8::2"), at: nil, now: 0)
        machine.giveBack(try address("2001:db8:0:1::1"), at: nil, now: 0)
        #expect(takeAll(&machine, try address("2001:db8::3"), now: 0) == 1)
        #expect(machine.count == 3)
    }

    @Test(arguments: [(56, 4), (48, 8)])
    func `a larger IPv6 network has so many times what a /64 has, however many of them it uses`(
        length: Int, factor: Int
    ) throws {
        var machine = machine(1, burst: 5)
        var count = 0
        for number in 0..<64 {
            let group = String(number << (length == 56 ? 0 : 8), radix: 16)
            count += takeAll(&machine, try address("2001:db8:0:\(group)::1"), now: 0)
        }
        #expect(count == 5 * factor)
        // Who is refused by the larger network loses nothing in the smaller ones.
        #expect(takeAll(&machine, try address("2001:db8:0:3f::1"), now: 10) == 5)
        #expect(takeAll(&machine, try address("2001:db8:1::1"), now: 0) == 5)
    }

    @Test func `a client has a bucket at each provider, and can be asked without taking of it`() throws {
        var machine = machine(1, burst: 5)
        let client = try address("192.0.2.1")
        for provider: UInt64? in [1, 2, nil] {
            for _ in 0..<5 {
                #expect(machine.wait(client, at: provider, now: 0) == nil)
                #expect(machine.take(client, at: provider, now: 0) == nil)
            }
            #expect(machine.wait(client, at: provider, now: 0) == 1)
            #expect(machine.take(client, at: provider, now: 0) == 1)
        }
        machine.giveBack(client, at: 2, now: 0)
        #expect(machine.wait(client, at: 1, now: 0) == 1)
        #expect(machine.take(client, at: 2, now: 0) == nil)
        #expect(machine.count == 3)
    }

    @Test func `a rate that is switched off and on has forgotten all clients, a changed one has not`() throws {
        var machine = machine(1, burst: 5)
        let client = try address("192.0.2.1")
        #expect(takeAll(&machine, client, now: 0) == 5)
        machine.replace(by: TokenBucketRate(perSecond: 1, burst: 6))
        #expect(takeAll(&machine, client, now: 0) == 1)
        machine.replace(by: nil)
        #expect(machine.count == 0)
        machine.replace(by: TokenBucketRate(perSecond: 1, burst: 5))
        #expect(takeAll(&machine, client, now: 0) == 5)
    }

    @Test func `100,001 addresses take the place of 100,000, and none is refused for it`() throws {
        var machine = machine(5, burst: 50)
        let busy = try address("203.0.113.1")
        #expect(takeAll(&machine, busy, now: 0) == 50)
        var refused = 0
        for number in 0..<UInt32(100_001) {
            let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
            let client = try #require(IPAddress(bytes: bytes))
            if machine.take(client, at: nil, now: 0) != nil { refused += 1 }
        }
        #expect(refused == 0)
        #expect(machine.count == 100_000)
        // Who used up everything is still held back.
        #expect(machine.take(busy, at: nil, now: 0) == 1)
    }

    @Test func `where a rate is a part of what all have, every network has the same`() throws {
        var machine = machine(1, burst: 5, of: .connections)
        var count = 0
        for number in 0..<64 {
            count += takeAll(&machine, try address("2001:db8:0:\(String(number, radix: 16))::1"), now: 0)
        }
        #expect(count == 5)
    }

    @Test func `a key has the rate of its limit, or one of its own`() {
        var fixed = RateBuckets(.newAccounts)
        for _ in 0..<600 { #expect(fixed.take(.everybody, at: fixed.rate, now: 0) == nil) }
        #expect(fixed.wait(.everybody, at: fixed.rate, now: 0) == 1)
        var own = RateBuckets(.starts)
        let (first, second) = (RateKey(1...16), RateKey(2...17))
        #expect(own.take(first, at: own.rate, now: 0) == nil && own.count == 0)
        let rate = TokenBucketRate(perSecond: 1, burst: 1)
        #expect(own.take(first, at: rate, now: 0) == nil)
        #expect(own.take(first, at: rate, now: 0) == 1)
        #expect(own.take(second, at: rate, now: 0) == nil)
        #expect(own.holds(first) && own.count == 2)
    }

    @Test func `a network at one provider is neither that at another one nor a hash`() throws {
        let network = try address("192.0.2.1").largestNetwork
        let keys = [RateKey(network, at: nil), RateKey(network, at: 0), RateKey(network, at: 1)]
        #expect(Set(keys + [RateKey(high: 0, low: network.address.low)]).count == 4)
    }
}
