// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import StoreTesting
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// The single-use store in memory.
struct InMemorySingleUseStoreTests {
    private let clock = TestClock()

    private func store(capacity: Int = 2_000_000) -> InMemorySingleUseStore {
        InMemorySingleUseStore(capacity: capacity, clock: clock.elapsed, wallClock: clock)
    }

    private func key(_ number: Int) -> SingleUseKey {
        SingleUseKey(.login, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func claim(_ store: InMemorySingleUseStore, _ number: Int, for seconds: Int64 = 600) -> SingleUseClaim {
        store.claim(key(number), owner: nil, seconds: seconds)
    }

    private func put(_ store: InMemorySingleUseStore, _ number: Int, for seconds: Int64 = 60) -> SingleUsePut {
        store.put(key(number), value: [UInt8(truncatingIfNeeded: number)], owner: nil, seconds: seconds)
    }

    private func take(_ store: InMemorySingleUseStore, _ number: Int) -> SingleUseTake {
        store.take(key(number), claimSeconds: 300)
    }

    @Test func `does what every store must`() async throws {
        let clock = clock
        let failures = try await SingleUseStoreConformance.failures(
            { store() }, on: NIOAsyncTestingEventLoop(), remembersAttempts: false
        ) { clock.advance(by: $0.components.seconds) }
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test func `full says so, and nothing that lives is given up`() {
        let store = store(capacity: 3)
        for number in 0..<3 {
            #expect(claim(store, number) == .won)
            #expect(put(store, number, for: 600) == .stored)
        }
        #expect(claim(store, 3) == .full)
        #expect(put(store, 3, for: 600) == .full)
        #expect(claim(store, 0) == .lost)
        #expect(store.read(key(0)) == [0])
        // What is replaced needs no more room.
        #expect(put(store, 0, for: 600) == .stored)
        clock.advance(by: 599)
        #expect(claim(store, 4) == .full)
        #expect(put(store, 4, for: 600) == .full)
        for number in 0..<3 {
            #expect(claim(store, number) == .lost)
            #expect(store.read(key(number)) == [UInt8(number)])
        }
    }

    @Test func `what waits for minutes takes no room of what is redeemed within a minute, nor the other way round`() {
        let store = store(capacity: 3)
        for number in 0..<3 { #expect(put(store, number, for: 61) == .stored) }
        #expect(put(store, 3, for: 61) == .full)
        for number in 10..<13 { #expect(put(store, number, for: 60) == .stored) }
        #expect(put(store, 13, for: 60) == .full)
        // Both are read, taken and removed wherever they are.
        for number in [0, 10] {
            #expect(store.read(key(number)) == [UInt8(number)])
            #expect(take(store, number) == .value([UInt8(number)]))
        }
        for number in [1, 11] {
            store.remove(key(number), ifEqual: [UInt8(number)])
            #expect(store.read(key(number)) == nil)
        }
        #expect(store.usage.map(\.entries) == [2, 0, 1, 1])
    }

    @Test func `a value takes the place of one that lives longer or shorter`() {
        let store = store(capacity: 1)
        for lifetime: Int64 in [600, 60, 600] {
            #expect(put(store, 1, for: lifetime) == .stored)
            #expect(store.usage.filter { $0.kind != .claims }.map(\.entries).reduce(0, +) == 1)
        }
        #expect(put(store, 2, for: 60) == .stored)
        // One that is refused leaves what is there.
        #expect(put(store, 1, for: 60) == .full)
        #expect(store.read(key(1)) == [1])
    }

    @Test func `less than half of the bytes is for what waits for minutes`() throws {
        let store = InMemorySingleUseStore(
            bytes: InMemorySingleUseStore.allowedBytes.lowerBound, clock: clock.elapsed, wallClock: clock)
        func fill(for seconds: Int64, from first: Int) -> Int {
            var count = 0
            while store.put(
                key(first + count), value: [UInt8](repeating: 1, count: 60_000), owner: nil, seconds: seconds)
                == .stored
            {
                count += 1
            }
            return count
        }
        let waiting = fill(for: 600, from: 0)
        let codes = fill(for: 60, from: 1000)
        #expect(waiting == 1_572_864 / 60_512)
        // A quarter of the claims' half is lent.
        #expect(codes == (2_621_440 + 1_048_576) / 60_512)
        // In the store of entries that live for a day nothing waits.
        let lasting = store.makeLastingStore()
        #expect(lasting.usage.map(\.kind) == [.claims, .ownedClaims, .records])
        #expect(lasting.put(key(1), value: [1], owner: nil, seconds: 86_400) == .stored)
        #expect(lasting.usage.map(\.entries) == [0, 0, 1])
    }

    @Test func `a value that is taken from a store full of claims is handed out, and says that it is not remembered`() {
        let store = store(capacity: 2)
        #expect(put(store, 9) == .stored)
        #expect(claim(store, 0) == .won)
        #expect(put(store, 8) == .stored)
        #expect(take(store, 8) == .value([8]))
        #expect(take(store, 9) == .value([9], isClaimed: false))
        #expect(take(store, 9) == .absent)
        #expect(take(store, 8) == .taken)
    }

    @Test func `ended claims use no capacity once all of them have ended`() {
        let filled = store(capacity: 10)
        for number in 0..<10 { _ = claim(filled, number) }
        clock.advance(by: 599)
        #expect(claim(filled, 10) == .full)
        clock.advance(by: 1)
        #expect(claim(filled, 10) == .won)
        // A day without a request.
        clock.advance(by: 86_400)
        for number in 20..<30 { #expect(claim(filled, number) == .won) }
    }

    @Test func `every claim lives exactly as long as it may, whenever it was made`() {
        let store = store()
        // One every 7 seconds for an hour, each with a lifetime of its own.
        let lifetimes: [Int64] = [60, 600, 1, 300]
        var claims: [(number: Int, end: Int64)] = []
        for number in 0..<514 {
            if number > 0 { clock.advance(by: 7) }
            #expect(claim(store, number, for: lifetimes[number % 4]) == .won)
            claims.append((number, clock.now() + lifetimes[number % 4]))
            guard number % 5 == 0 else { continue }
            for claim in claims.suffix(100) {
                #expect(store.isClaimed(key(claim.number)) == (claim.end > clock.now()), "\(claim.number) at \(number)")
            }
        }
    }

    @Test func `an ended claim can be made again, however long ago it ended`() {
        for pause: Int64 in [60, 599, 600, 601, 1199, 1200, 1201, 5000] {
            let store = store()
            #expect(claim(store, 1, for: 60) == .won)
            clock.advance(by: pause)
            #expect(!store.isClaimed(key(1)))
            #expect(claim(store, 1, for: 60) == .won)
            clock.advance(by: 59)
            #expect(claim(store, 1, for: 60) == .lost)
        }
    }

    @Test func `a clock that is set back loses nothing and lets nothing in twice`() {
        let store = store()
        #expect(claim(store, 1) == .won)
        for step: Int64 in [-3600, 3600, 599, -600] {
            clock.step(by: step)
            #expect(claim(store, 1) == .lost)
        }
    }

    @Test func `a claim waits for a wall clock that was set back, so that its login is over before`() {
        let store = store()
        #expect(claim(store, 1) == .won)
        clock.step(by: -3600)
        clock.advance(by: 601)
        // By that clock the login has an hour left.
        #expect(claim(store, 1) == .lost)
        clock.advance(by: 3600)
        #expect(claim(store, 1) == .won)
    }

    @Test func `a claim with an owner and one without exclude each other`() {
        let store = store()
        let owner = SingleUseOwner(person: key(9))
        #expect(store.claim(key(1), owner: owner, seconds: 60) == .won)
        #expect(claim(store, 1) == .lost)
        #expect(claim(store, 2) == .won)
        #expect(store.claim(key(2), owner: owner, seconds: 60) == .lost)
        #expect(put(store, 1) == .stored)
        #expect(take(store, 1) == .taken)
    }

    @Test func `a lifetime is rounded up to whole seconds, and none is too long`() {
        typealias Moment = InMemorySingleUseStore.Moment
        #expect(Moment.seconds(.milliseconds(1)) == 1)
        #expect(Moment.seconds(.milliseconds(1001)) == 2)
        #expect(Moment.seconds(.seconds(60)) == 60)
        #expect(Moment.seconds(.seconds(-5)) == 1)
        #expect(Moment.seconds(.seconds(Int64.max)) == Int64(UInt32.max))
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

    @Test func `16 bytes are an attempt, which another differs from`() {
        let bytes = (0..<16).map { UInt8($0) }
        #expect(SingleUseAttempt(bytes: bytes)?.bytes == bytes)
        for count in [0, 15, 17] { #expect(SingleUseAttempt(bytes: [UInt8](repeating: 7, count: count)) == nil) }
        #expect(SingleUseAttempt() != SingleUseAttempt())
    }
}
