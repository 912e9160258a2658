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

    private func insert(
        _ marks: inout InMemorySingleUseStore.OwnedMarks, _ number: Int, of provider: SingleUseKey?, _ second: Int64
    ) -> SingleUseInsertion {
        marks.advance(to: at(second))
        return marks.insertIfAbsent(key(number), of: provider, lifetime: 60, at(second))
    }

    @Test func `a provider makes half of them, and the other half is left for others`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        for number in 0..<4 { #expect(insert(&marks, number, of: Self.acme, 0) == .inserted) }
        #expect(insert(&marks, 4, of: Self.acme, 0) == .tooManyOfProvider)
        #expect(insert(&marks, 0, of: Self.acme, 0) == .present)
        for number in 4..<8 { #expect(insert(&marks, number, of: Self.globex, 0) == .inserted) }
        #expect(insert(&marks, 8, of: nil, 0) == .full)
        #expect(marks.count == 8)
    }

    @Test func `marks that live for a day: a provider makes half of them`() {
        let store = InMemorySingleUseStore(capacity: 8, bytes: 1 << 25).makeLastingStore()
        func insert(_ number: Int, of provider: SingleUseKey) -> SingleUseInsertion {
            store.insertIfAbsent(
                key(number), value: [], owner: SingleUseOwner(person: key(number), provider: provider),
                expiry: 1000 + NotificationEndpoint.markLifetime, now: 1000)
        }
        for number in 0..<4 { #expect(insert(number, of: Self.acme) == .inserted) }
        #expect(insert(4, of: Self.acme) == .tooManyOfProvider)
        #expect(insert(5, of: Self.globex) == .inserted)
        #expect(insert(0, of: Self.acme) == .present)
    }

    @Test func `expired marks free capacity for their provider`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        for number in 0..<4 { #expect(insert(&marks, number, of: Self.acme, 0) == .inserted) }
        #expect(insert(&marks, 4, of: Self.acme, 59) == .tooManyOfProvider)
        #expect(insert(&marks, 4, of: Self.acme, 120) == .inserted)
        #expect(!marks.contains(key(0), at(120)))
    }

    @Test func `a provider that is the only one makes all of them`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        for number in 0..<8 { #expect(insert(&marks, number, of: nil, 0) == .inserted) }
        #expect(insert(&marks, 8, of: nil, 0) == .full)
    }

    @Test func `what is taken is gone`() {
        var marks = OwnedMarks(capacity: 8, lifetime: 60)
        let early = marks.take(key(0), at(0))
        #expect(insert(&marks, 0, of: nil, 0) == .inserted)
        let first = marks.take(key(0), at(1))
        let second = marks.take(key(0), at(1))
        #expect([early, first, second] == [false, true, false])
    }
}
