// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// The recent requests of an address.
struct ClientTalliesTests {
    private static let address = IPAddress(bytes: [198, 51, 100, 7])
    private static let other = IPAddress(bytes: [198, 51, 100, 8])

    private static var limits: ClientLimits {
        var limits = ClientLimits()
        (limits.exchanges, limits.claims, limits.failures, limits.providers, limits.networks) = (5, 5, 4, 2, 6)
        return limits
    }

    private func ipv6(_ bytes: UInt8...) throws -> IPAddress {
        try #require(
            IPAddress(bytes: [0x20, 0x01, 0x0D, 0xB9] + bytes + [UInt8](repeating: 0, count: 12 - bytes.count)))
    }

    @Test
    func `failures at one provider beyond the limit: one waits, at that provider and from that address only`() throws {
        let (address, other) = (try #require(Self.address), try #require(Self.other))
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...4 {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 100) == nil)
            machine.failed(.exchange, address, provider: 1, now: 100)
            machine.ended(.codeCallback, from: address, provider: 1)
        }
        let excess = ClientExcess(.failedExchanges, retryAfter: 60)
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 100) == excess)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 100) == nil)
        #expect(machine.begin(.codeCallback, from: address, provider: 2, now: 100) == nil)
        #expect(machine.begin(.codeCallback, from: other, provider: 1, now: 100) == nil)
        // What any page can make a browser begin fails apart from the exchange of codes, and the other way round.
        #expect(machine.begin(.pushedStart, from: address, provider: 1, now: 100) == nil)
        #expect(machine.begin(.revocation, from: address, provider: 1, now: 100) == nil)
        #expect(
            machine.begin(.codeCallback, from: address, provider: 1, now: 159)
                == ClientExcess(.failedExchanges, retryAfter: 1))
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 160) == nil)
    }

    @Test func `what is under way may fail too, unless as much succeeded before`() throws {
        let address = try #require(Self.address)
        var machine = ClientTallies.StateMachine(Self.limits)
        machine.failed(.exchange, address, provider: 1, now: 0)
        for _ in 1...3 { #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0) == nil) }
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0)?.kind == .exchangesAtOnce)
        for _ in 1...5 { machine.succeeded(.exchange, address, provider: 1, now: 0) }
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0) == nil)
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0)?.kind == .exchangesAtOnce)
        // A success takes no failure away.
        for _ in 1...3 { machine.failed(.exchange, address, provider: 1, now: 0) }
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0)?.kind == .failedExchanges)
    }

    @Test
    func `exchanges at once: as many as may, and one more for each that ended, however often a refusal came`() throws {
        let address = try #require(Self.address)
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...5 { #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 0) == nil) }
        for _ in 1...9 {
            #expect(machine.begin(.pushedStart, from: address, provider: 1, now: 0)?.kind == .exchangesAtOnce)
        }
        machine.ended(.idTokenCallback, from: address, provider: 1)
        #expect(machine.begin(.pushedStart, from: address, provider: 1, now: 0) == nil)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 0)?.kind == .exchangesAtOnce)
        for _ in 1...4 { machine.ended(.idTokenCallback, from: address, provider: 1) }
        machine.ended(.pushedStart, from: address, provider: 1)
        #expect(machine.keyCount == 0)
    }

    @Test func `a provider that is slow or willing keeps an address from itself, not from the others`() throws {
        let address = try #require(Self.address)
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...5 { #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 0) == nil) }
        for _ in 1...5 { machine.claimed(address, provider: 2, now: 0) }
        #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 0)?.kind == .exchangesAtOnce)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 2, now: 0)?.kind == .claims)
        // All together have a bound: twice that of one.
        for _ in 1...5 { #expect(machine.begin(.idTokenCallback, from: address, provider: 3, now: 0) == nil) }
        #expect(machine.begin(.idTokenCallback, from: address, provider: 4, now: 0)?.kind == .exchangesAtOnce)
        for _ in 1...5 { machine.claimed(address, provider: 5, now: 0) }
        for _ in 1...5 { machine.ended(.idTokenCallback, from: address, provider: 3) }
        #expect(machine.begin(.idTokenCallback, from: address, provider: 3, now: 0)?.kind == .claims)
    }

    @Test func `of IPv6 a /56 may take four times as much as a /64, and a /48 eight times`() throws {
        var limits = Self.limits
        limits.networks = 1000
        var machine = ClientTallies.StateMachine(limits)
        func fail(_ subnet: UInt8, _ host: UInt8) throws -> ClientExcess? {
            let address = try ipv6(0, 1, subnet, host)
            if let excess = machine.begin(.codeCallback, from: address, provider: 1, now: 0) { return excess }
            machine.failed(.exchange, address, provider: 1, now: 0)
            machine.ended(.codeCallback, from: address, provider: 1)
            return nil
        }
        // Sixteen of one /56, each of another /64, and sixteen of another /56.
        for subnet in [1, 2] as [UInt8] {
            for host in 0..<16 as Range<UInt8> { #expect(try fail(subnet, host) == nil) }
            #expect(try fail(subnet, 16)?.kind == .failedExchanges)
        }
        #expect(try fail(3, 0)?.kind == .failedExchanges)
        let another = try ipv6(0, 2, 3, 0)
        #expect(machine.begin(.codeCallback, from: another, provider: 1, now: 0) == nil)
    }

    @Test func `claims are counted as long as they live; a pushed start leaves none`() throws {
        let address = try #require(Self.address)
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...5 {
            #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 1000) == nil)
            machine.claimed(address, provider: 1, now: 1000)
            machine.ended(.idTokenCallback, from: address, provider: 1)
        }
        let now = 1000 + Self.limits.claimTurn
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: now)?.kind == .claims)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: now)?.kind == .claims)
        #expect(machine.begin(.pushedStart, from: address, provider: 1, now: now) == nil)
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: now + Self.limits.claimTurn) == nil)
    }

    @Test
    func `tables that are full of addresses grow no further, and let the others through; those in them stay bounded`()
        throws
    {
        var machine = ClientTallies.StateMachine(Self.limits)
        let all = try (0..<1000).map { try #require(IPAddress(bytes: [8, 8, UInt8($0 / 250), UInt8($0 % 250)])) }
        for address in all {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0) == nil)
            for _ in 1...5 {
                machine.claimed(address, provider: 1, now: 0)
                machine.failed(.exchange, address, provider: 1, now: 0)
                machine.succeeded(.exchange, address, provider: 1, now: 0)
            }
        }
        #expect(machine.keyCount == 5 * 6)
        for address in all.prefix(6) {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0)?.kind == .failedExchanges)
        }
        for address in all { machine.ended(.codeCallback, from: address, provider: 1) }
        #expect(machine.begin(.codeCallback, from: all[999], provider: 1, now: 0) == nil)
    }
}
