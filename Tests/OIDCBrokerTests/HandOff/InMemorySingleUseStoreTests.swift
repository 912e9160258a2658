// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import Testing

@testable import OIDCBroker

/// The single-use store in memory.
struct InMemorySingleUseStoreTests {
    private let eventLoop = NIOAsyncTestingEventLoop()
    private static let start: Int64 = 1_800_000_000

    private func key(_ number: Int) -> SingleUseKey {
        SingleUseKey(.login, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func insert(
        _ store: InMemorySingleUseStore, _ number: Int, at now: Int64, for lifetime: Int64 = 600
    ) async throws -> SingleUseInsertion {
        try await store.insertIfAbsent(
            key(number), value: [UInt8(truncatingIfNeeded: number)], expiry: now + lifetime, now: now, on: eventLoop
        ).get()
    }

    private func take(_ store: InMemorySingleUseStore, _ number: Int, at now: Int64) async throws -> [UInt8]? {
        try await store.take(key(number), now: now, on: eventLoop).get()
    }

    private func contains(_ store: InMemorySingleUseStore, _ number: Int, at now: Int64) async throws -> Bool {
        try await store.contains(key(number), now: now, on: eventLoop).get()
    }

    @Test func `does what every store must`() async throws {
        let clock = TestClock().elapsed
        let failures = try await SingleUseStoreConformance.failures(
            { InMemorySingleUseStore(clock: clock) }, on: eventLoop)
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test func `full says so, and nothing that lives is given up`() async throws {
        let store = InMemorySingleUseStore(capacity: 3)
        let now = Self.start
        for number in 0..<3 { #expect(try await insert(store, number, at: now) == .inserted) }
        #expect(try await insert(store, 3, at: now) == .full)
        #expect(try await insert(store, 0, at: now) == .present)
        #expect(try await take(store, 0, at: now) == [0])
        #expect(try await insert(store, 3, at: now) == .inserted)
        #expect(try await insert(store, 4, at: now + 599) == .full)
        for number in 1...3 { #expect(try await take(store, number, at: now + 599) == [UInt8(number)]) }
    }

    @Test func `expired entries use no capacity once all of them are expired`() async throws {
        let elapsed = ElapsedTime()
        let store = InMemorySingleUseStore(capacity: 10, clock: elapsed)
        for number in 0..<10 { _ = try await insert(store, number, at: Self.start) }
        elapsed.advance(by: 599)
        #expect(try await insert(store, 10, at: Self.start + 599) == .full)
        elapsed.advance(by: 1)
        #expect(try await insert(store, 10, at: Self.start + 600) == .inserted)
        // A day without a request.
        let filled = InMemorySingleUseStore(capacity: 10, clock: elapsed)
        for number in 0..<10 { _ = try await insert(filled, number, at: Self.start + Int64(number)) }
        elapsed.advance(by: 86_400)
        #expect(try await insert(filled, 10, at: Self.start + 86_400) == .inserted)
    }

    @Test func `over turning generations every entry lives exactly as long as it may`() async throws {
        let elapsed = ElapsedTime()
        let store = InMemorySingleUseStore(clock: elapsed)
        // One entry every 7 seconds for an hour, each with a lifetime of its own.
        let lifetimes: [Int64] = [60, 600, 1, 300]
        var entries: [(number: Int, expiry: Int64)] = []
        for number in 0..<514 {
            let now = Self.start + Int64(number) * 7
            if number > 0 { elapsed.advance(by: 7) }
            let lifetime = lifetimes[number % 4]
            #expect(try await insert(store, number, at: now, for: lifetime) == .inserted)
            entries.append((number, now + lifetime))
            if number % 5 == 0 {
                for entry in entries.suffix(100) {
                    let isLive = entry.expiry > now
                    #expect(try await contains(store, entry.number, at: now) == isLive, "\(entry.number) at \(number)")
                }
            }
        }
    }

    @Test func `an expired key can be inserted again, in whichever generation it was`() async throws {
        for pause: Int64 in [60, 599, 600, 601, 1199, 1200, 1201, 5000] {
            let store = InMemorySingleUseStore()
            #expect(try await insert(store, 1, at: Self.start, for: 60) == .inserted)
            let now = Self.start + pause
            #expect(try await take(store, 1, at: now) == nil)
            #expect(try await insert(store, 1, at: now, for: 60) == .inserted)
            #expect(try await insert(store, 1, at: now + 59, for: 60) == .present)
            #expect(try await take(store, 1, at: now + 59) == [1])
            #expect(try await take(store, 1, at: now + 59) == nil)
        }
    }

    @Test func `a key is present whichever of the two lifetimes it came with`() async throws {
        for lifetimes: (first: Int64, second: Int64) in [(600, 60), (60, 600)] {
            let store = InMemorySingleUseStore()
            #expect(try await insert(store, 1, at: Self.start, for: lifetimes.first) == .inserted)
            #expect(try await insert(store, 1, at: Self.start + 59, for: lifetimes.second) == .present)
            let expired = Self.start + lifetimes.first
            #expect(try await insert(store, 1, at: expired, for: lifetimes.second) == .inserted)
            #expect(try await take(store, 1, at: expired) == [1])
            // What is left of the first must not come to life when the clock is set back.
            #expect(try await take(store, 1, at: Self.start) == nil)
        }
    }

    @Test func `a clock that is set back loses nothing and lets nothing in twice`() async throws {
        let store = InMemorySingleUseStore(clock: ElapsedTime())
        #expect(try await insert(store, 1, at: Self.start) == .inserted)
        for now in [Self.start - 3600, Self.start, Self.start + 599, Self.start - 1] {
            #expect(try await insert(store, 1, at: now) == .present)
            #expect(try await contains(store, 1, at: now))
        }
        #expect(try await take(store, 1, at: Self.start - 3600) == [1])
    }

    @Test func `a key is the hash of purpose and name`() {
        let keys: Set<SingleUseKey> = [
            SingleUseKey(.login, [1]), SingleUseKey(.handOff, [1]), SingleUseKey(.login, [2]),
            SingleUseKey(.heldHandOff, [1]),
        ]
        #expect(keys.count == 4)
        #expect(keys.allSatisfy { $0.bytes.count == 32 })
    }

    @Test func `32 bytes are the key, of any other number their hash`() {
        let bytes = (0..<32).map { UInt8($0) }
        #expect(SingleUseKey(bytes: bytes).bytes == bytes)
        for position in bytes.indices {
            var other = bytes
            other[position] ^= 1
            #expect(SingleUseKey(bytes: other) != SingleUseKey(bytes: bytes))
        }
        for count in [0, 1, 31, 33] {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(SingleUseKey(bytes: bytes).bytes == Hash.sha256(bytes))
        }
    }
}
