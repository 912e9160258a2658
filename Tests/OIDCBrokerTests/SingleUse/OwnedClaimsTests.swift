// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// Claims that have an owner, in the single-use store in memory.
struct OwnedClaimsTests {
    private typealias Moment = InMemorySingleUseStore.Moment
    private typealias OwnedClaims = InMemorySingleUseStore.OwnedClaims
    private static let acme = SingleUseKey.provider(issuer: "https://acme.example")
    private static let globex = SingleUseKey.provider(issuer: "https://globex.example")

    private func key(_ number: Int) -> SingleUseKey {
        SingleUseKey(.nativeCredential, [UInt8(truncatingIfNeeded: number)])
    }

    private func at(_ seconds: Int64) -> InMemorySingleUseStore.Moment {
        Moment(wall: 1_800_000_000 + seconds, elapsed: 5000 + seconds)
    }

    private func claim(
        _ claims: inout InMemorySingleUseStore.OwnedClaims, _ number: Int, of provider: SingleUseKey?, _ second: Int64
    ) -> SingleUseClaim {
        claims.advance(to: at(second))
        return claims.claim(key(number), of: provider, lifetime: 60, at(second))
    }

    @Test func `a provider makes half of them, and the other half is left for others`() {
        var claims = OwnedClaims(capacity: 8, lifetime: 60)
        for number in 0..<4 { #expect(claim(&claims, number, of: Self.acme, 0) == .won) }
        #expect(claim(&claims, 4, of: Self.acme, 0) == .tooManyOfProvider)
        #expect(claim(&claims, 0, of: Self.acme, 0) == .lost)
        for number in 4..<8 { #expect(claim(&claims, number, of: Self.globex, 0) == .won) }
        #expect(claim(&claims, 8, of: nil, 0) == .full)
        #expect(claims.count == 8)
    }

    @Test func `claims that live for a day: a provider makes half of them`() {
        let store = InMemorySingleUseStore(capacity: 8, bytes: 1 << 25).makeLastingStore()
        func claim(_ number: Int, of provider: SingleUseKey) -> SingleUseClaim {
            store.claim(
                key(number), owner: SingleUseOwner(person: key(number), provider: provider),
                seconds: NotificationEndpoint.claimLifetime)
        }
        for number in 0..<4 { #expect(claim(number, of: Self.acme) == .won) }
        #expect(claim(4, of: Self.acme) == .tooManyOfProvider)
        #expect(claim(5, of: Self.globex) == .won)
        #expect(claim(0, of: Self.acme) == .lost)
    }

    @Test func `expired claims free capacity for their provider`() {
        var claims = OwnedClaims(capacity: 8, lifetime: 60)
        for number in 0..<4 { #expect(claim(&claims, number, of: Self.acme, 0) == .won) }
        #expect(claim(&claims, 4, of: Self.acme, 59) == .tooManyOfProvider)
        #expect(claim(&claims, 4, of: Self.acme, 120) == .won)
        #expect(!claims.contains(key(0), at(120)))
    }

    @Test func `a provider that is the only one makes all of them`() {
        var claims = OwnedClaims(capacity: 8, lifetime: 60)
        for number in 0..<8 { #expect(claim(&claims, number, of: nil, 0) == .won) }
        #expect(claim(&claims, 8, of: nil, 0) == .full)
    }
}
