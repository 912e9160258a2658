// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker

/// What an address has taken lately.
struct ClientTalliesTests {
    private static let address = ClientAddress(bytes: [198, 51, 100, 7])
    private static let other = ClientAddress(bytes: [198, 51, 100, 8])

    private static var limits: ClientLimits {
        var limits = ClientLimits()
        (limits.exchanges, limits.marks, limits.failures, limits.addresses) = (3, 5, 4, 6)
        return limits
    }

    @Test
    func `failures at one provider beyond the limit: one waits, at that provider and from that address only`() throws {
        let (address, other) = (try #require(Self.address), try #require(Self.other))
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...4 {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 100) == nil)
            machine.failed(address, provider: 1, now: 100)
            machine.ended(address)
        }
        let excess = ClientExcess(.failedExchanges, retryAfter: 60)
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 100) == excess)
        #expect(machine.begin(.pushedStart, from: address, provider: 1, now: 100) == excess)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: 100) == nil)
        #expect(machine.begin(.codeCallback, from: address, provider: 2, now: 100) == nil)
        #expect(machine.begin(.codeCallback, from: other, provider: 1, now: 100) == nil)
        #expect(
            machine.begin(.codeCallback, from: address, provider: 1, now: 159)
                == ClientExcess(.failedExchanges, retryAfter: 1))
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 160) == nil)
    }

    @Test
    func `exchanges at once: as many as may, and one more for each that ended, however often a refusal came`() throws {
        let address = try #require(Self.address)
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...3 { #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0) == nil) }
        for _ in 1...9 {
            #expect(machine.begin(.pushedStart, from: address, provider: 2, now: 0)?.kind == .exchangesAtOnce)
        }
        machine.ended(address)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 3, now: 0) == nil)
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0)?.kind == .exchangesAtOnce)
        for _ in 1...3 { machine.ended(address) }
        #expect(machine.addressCount == 0)
    }

    @Test func `marks are counted as long as they live; a pushed start leaves none`() throws {
        let address = try #require(Self.address)
        var machine = ClientTallies.StateMachine(Self.limits)
        for _ in 1...5 {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 1000) == nil)
            machine.marked(address, now: 1000)
            machine.ended(address)
        }
        let now = 1000 + LoginState.lifetime
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: now)?.kind == .marks)
        #expect(machine.begin(.idTokenCallback, from: address, provider: 1, now: now)?.kind == .marks)
        #expect(machine.begin(.pushedStart, from: address, provider: 1, now: now) == nil)
        #expect(machine.begin(.codeCallback, from: address, provider: 1, now: now + LoginState.lifetime) == nil)
    }

    @Test
    func `tables that are full of addresses grow no further, and let the others through; those in them stay bounded`()
        throws
    {
        var machine = ClientTallies.StateMachine(Self.limits)
        let all = try (0..<1000).map { try #require(ClientAddress(bytes: [8, 8, UInt8($0 / 250), UInt8($0 % 250)])) }
        for address in all {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0) == nil)
            for _ in 1...5 {
                machine.marked(address, now: 0)
                machine.failed(address, provider: 1, now: 0)
            }
        }
        #expect(machine.addressCount == 18)
        for address in all.prefix(6) {
            #expect(machine.begin(.codeCallback, from: address, provider: 1, now: 0)?.kind == .failedExchanges)
        }
        for address in all { machine.ended(address) }
        #expect(machine.begin(.codeCallback, from: all[999], provider: 1, now: 0) == nil)
    }

    @Test func `what a client can have caused is a failure of its; that a provider cannot be reached is none`() {
        let mine: [RelyingPartyError] = [
            .status(.token, 500), .status(.pushedAuthorization, 429), .transport(.token, .timedOut),
            .transport(.token, .interrupted), .unusable(.token, "failed"),
            .provider(.token, ProviderError(code: "invalid_grant", description: nil)),
        ]
        #expect(mine.allSatisfy { $0.isFailedExchange })
        let notMine: [RelyingPartyError] = [
            .transport(.token, .unreachable), .transport(.pushedAuthorization, .circuitOpen),
            .transport(.token, .tooManyWaiting),
            .transport(.token, .connectTimedOut), .transport(.token, .untrusted), .transport(.discovery, .timedOut),
            .status(.keySet, 500), .unusable(.idToken, "a reason"), .issuerMismatch,
        ]
        #expect(notMine.allSatisfy { !$0.isFailedExchange })
    }
}
