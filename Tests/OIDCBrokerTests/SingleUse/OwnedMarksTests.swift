// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker

/// Marks that have an owner, in the single-use store in memory.
struct OwnedMarksTests {
    private typealias Moment = InMemorySingleUseStore.Moment
    private typealias OwnedMarks = InMemorySingleUseStore.OwnedMarks
    private static let acme = SingleUseKey.provider(issuer: "https://acme.example")
    private static let globex = SingleUseKey.provider(issuer: "https://globex.example")

    private func key(_ number: Int) -> SingleUseKey {
        SingleUseKey(.nativeCredential, [UInt8(truncatingIfNeeded: number)])
    }

    private func at(_ seconds: Int64) -> InMemorySingleUseStore.Moment {
        Moment(wall: 1_800_000_000 + seconds, elapsed: 5000 + seconds)
    }

    private func claim(
        _ marks: inout InMemorySingleUseStore.OwnedMarks, _ number: Int, of provider: SingleUseKey?, _ second: Int64
    ) -> SingleUseClaim {
        marks.advance(to: at(second))
        return marks.claim(key(number), of: provider, lifetime: 60, at(second))
    }

    @Test func `a provider makes half of them, and the other half is left for others`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        for number in 0..<4 { #expect(claim(&marks, number, of: Self.acme, 0) == .won) }
        #expect(claim(&marks, 4, of: Self.acme, 0) == .tooManyOfProvider)
        #expect(claim(&marks, 0, of: Self.acme, 0) == .lost)
        for number in 4..<8 { #expect(claim(&marks, number, of: Self.globex, 0) == .won) }
        #expect(claim(&marks, 8, of: nil, 0) == .full)
        #expect(marks.count == 8)
    }

    @Test func `marks that live for a day: a provider makes half of them`() {
        let store = InMemorySingleUseStore(capacity: 8, bytes: 1 << 25).makeLastingStore()
        func claim(_ number: Int, of provider: SingleUseKey) -> SingleUseClaim {
            store.claim(
                key(number), owner: SingleUseOwner(person: key(number), provider: provider),
                seconds: NotificationEndpoint.markLifetime)
        }
        for number in 0..<4 { #expect(claim(number, of: Self.acme) == .won) }
        #expect(claim(4, of: Self.acme) == .tooManyOfProvider)
        #expect(claim(5, of: Self.globex) == .won)
        #expect(claim(0, of: Self.acme) == .lost)
    }

    @Test func `expired marks free capacity for their provider`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        for number in 0..<4 { #expect(claim(&marks, number, of: Self.acme, 0) == .won) }
        #expect(claim(&marks, 4, of: Self.acme, 59) == .tooManyOfProvider)
        #expect(claim(&marks, 4, of: Self.acme, 120) == .won)
        #expect(!marks.contains(key(0), at(120)))
    }

    @Test func `a provider that is the only one makes all of them`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        for number in 0..<8 { #expect(claim(&marks, number, of: nil, 0) == .won) }
        #expect(claim(&marks, 8, of: nil, 0) == .full)
    }
}
