// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState
@testable import SingleUse

/// What a process may have in a store that replicas share.
struct StoreBudgetTests {
    /// 59 values of a byte that wait, 99 that do not, and six claims of each kind.
    private static let small = StoreBudget.Capacity(
        valueBytes: 80 << 10, claims: 6, ownedClaims: 6, longestRecord: HandOff.lifetime)

    private let eventLoop = EmbeddedEventLoop()
    private let clock = TestClock()
    private let metrics = TestMetrics()
    private let log = CapturedLog()
    private let base: InMemorySingleUseStore

    init() { base = InMemorySingleUseStore(clock: clock.elapsed, wallClock: clock) }

    /// A replica, with a budget of its own.
    private func replica(
        _ capacity: StoreBudget.Capacity = StoreBudgetTests.small, on store: (any SingleUseStore)? = nil
    ) -> SingleUseAccess {
        let shared = SharedStore(
            store ?? base, clock: clock, metrics: SharedStoreMetrics(factory: metrics), logger: log.logger)
        return SingleUseAccess(.shared(shared), budget: StoreBudget(capacity, elapsed: clock.elapsed.now))
    }

    private func key(_ number: Int) -> SingleUseKey {
        SingleUseKey(.handOff, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func put(
        _ access: SingleUseAccess, _ number: Int, for seconds: Int64, of provider: String? = nil
    ) throws -> SingleUsePut {
        let owner = provider.map {
            SingleUseOwner.owner(issuer: $0, subject: "\(number)", provider: .provider(issuer: $0))
        }
        return try access.put(key(number), value: [7], owner: owner, seconds: seconds, on: eventLoop)
            .future(on: eventLoop).wait()
    }

    @Test func `a replica uses at most what the page about shared stores says`() {
        let logins = StoreBudget.Capacity.logins(processors: 2, longestRecord: HandOff.lifetime)
        let lasting = StoreBudget.Capacity.lasting
        func bytes(_ capacity: StoreBudget.Capacity) -> Int {
            capacity.valueBytes + (capacity.claims + capacity.ownedClaims) * StoreBudget.bytesOfClaim
        }
        #expect(bytes(logins) + SingleUseRoom.forSpare(of: logins.valueBytes) == 2 * 616 << 20)
        #expect(bytes(lasting) == 160 << 20)
    }

    /// Puts values until one is refused, and returns how many were stored.
    private func fill(
        _ access: SingleUseAccess, from first: Int, for seconds: Int64, of provider: String? = nil
    ) throws -> Int {
        for number in first..<(first + 1000) {
            let result = try put(access, number, for: seconds, of: provider)
            guard result == .stored else {
                #expect(result == (provider == nil ? .full : .tooManyOfProvider))
                return number - first
            }
        }
        return 1000
    }

    private func claim(
        _ access: SingleUseAccess, _ number: Int, of owner: SingleUseOwner? = nil
    ) throws -> SingleUseClaim {
        try access.claim(key(number), owner: owner, seconds: 600, on: eventLoop).future(on: eventLoop).wait()
    }

    private func entries(_ access: SingleUseAccess, _ kind: SingleUseStoreUsage.Kind) -> Int? {
        access.budget?.usage.first { $0.kind == kind }?.entries
    }

    @Test func `what waits for minutes leaves to hand-off codes what is theirs, and what expires makes room`() throws {
        let access = replica()
        #expect(try fill(access, from: 0, for: 600) == 59)
        #expect(try fill(access, from: 1000, for: 60) == 99)
        clock.advance(by: 59)
        #expect(try put(access, 2000, for: 60) == .full)
        clock.advance(by: 1)
        #expect(try fill(access, from: 2000, for: 60) == 99)
        #expect(try put(access, 3000, for: 600) == .full)
        clock.advance(by: 550)
        #expect(try fill(access, from: 3000, for: 600) == 59)
        clock.advance(by: 100_000)
        #expect(access.budget?.usage.map(\.entries) == [0, 0, 0, 0])
        #expect(access.budget?.usage.map(\.bytes) == [0, 0, 0, 0])
    }

    @Test func `of each room one provider has half`() throws {
        let access = replica()
        #expect(try fill(access, from: 0, for: 600, of: "evil") == 29)
        #expect(try fill(access, from: 1000, for: 600, of: "good") == 29)
        #expect(try fill(access, from: 2000, for: 60, of: "evil") == 49)
        clock.advance(by: 610)
        #expect(try fill(access, from: 3000, for: 600, of: "evil") == 29)
    }

    @Test func `less than half of what a process may have is for what waits`() {
        for capacity in [StoreBudget.Capacity.logins(processors: 1, longestRecord: 60), Self.small] {
            let waiting = SingleUseRoom.forWaiting(of: capacity.valueBytes)
            #expect(waiting > 0 && 2 * waiting < capacity.valueBytes)
        }
        #expect(
            StoreBudget(.lasting, elapsed: clock.elapsed.now).usage.map(\.kind) == [.claims, .ownedClaims, .records])
    }

    @Test func `what is taken counts no longer, at whichever replica, and its claim does`() throws {
        let (first, second) = (replica(), replica())
        for number in 0..<20 { #expect(try put(first, number, for: 600) == .stored) }
        for number in 20..<30 { #expect(try put(second, number, for: 600) == .stored) }
        func take(_ access: SingleUseAccess, _ number: Int) throws -> SingleUseTake {
            try access.take(key(number), claimSeconds: 600, from: .waitingRecords, on: eventLoop)
                .future(on: eventLoop).wait()
        }
        for number in 0..<5 { #expect(try take(first, number) == .value([7])) }
        for number in 5..<10 { #expect(try take(second, number) == .value([7])) }
        #expect(entries(first, .waitingRecords) == 15)
        #expect(entries(second, .waitingRecords) == 5)
        #expect(entries(first, .claims) == 5)
        // A refused claim changes nothing.
        #expect(try take(first, 0) == .taken)
        #expect(try take(first, 500) == .absent)
        #expect(entries(first, .waitingRecords) == 15)
        // More than it put itself is not given back.
        for number in 10..<20 { #expect(try take(second, number) == .value([7])) }
        #expect(entries(second, .waitingRecords) == 0)
        #expect(access(second, hasBytes: 0))
    }

    private func access(_ access: SingleUseAccess, hasBytes bytes: Int) -> Bool {
        access.budget?.usage.first { $0.kind == .waitingRecords }?.bytes == bytes
    }

    @Test func `claims have a room, those with an owner one of their own; a lost one takes nothing`() throws {
        let access = replica()
        for number in 0..<6 {
            #expect(try claim(access, number) == .won)
            // Where the room is full, the store is not asked.
            #expect(try claim(access, number) == (number < 5 ? .lost : .full))
        }
        #expect(try claim(access, 6) == .full)
        // It was not asked of the store.
        #expect(!base.isClaimed(key(6)))
        let owner = SingleUseOwner(person: key(9), provider: .provider(issuer: "evil"))
        for number in 10..<13 { #expect(try claim(access, number, of: owner) == .won) }
        #expect(try claim(access, 13, of: owner) == .tooManyOfProvider)
        #expect(try claim(access, 14, of: SingleUseOwner(person: key(8))) == .won)
        clock.advance(by: 800)
        #expect(try claim(access, 6) == .won)
    }

    @Test func `what a store refuses, or was never asked, does not count`() throws {
        let full = replica(on: InMemorySingleUseStore(capacity: 1, clock: clock.elapsed, wallClock: clock))
        #expect(try put(full, 0, for: 60) == .stored)
        for number in 1..<10 { #expect(try put(full, number, for: 60) == .full) }
        #expect(entries(full, .records) == 1)
    }

    @Test func `a name that was handed on counts no longer`() throws {
        let budget = StoreBudget(.lasting, elapsed: clock.elapsed.now)
        let counted = budget.begin(.records, of: nil, bytes: 100 + StoreBudget.overhead, seconds: 86_400)
        #expect(throws: Never.self) { _ = try counted.get() }
        budget.removed(.records, bytes: 100)
        #expect(budget.usage.map(\.bytes) == [0, 0, 0])
    }

    @Test func `an operator hears of it once a minute, and each is counted`() throws {
        let access = replica()
        _ = try fill(access, from: 0, for: 60)
        for number in 0..<5 { #expect(try put(access, 1000 + number, for: 60) == .full) }
        let lines = log.lines.filter { $0.message.hasPrefix("store limit of this process reached") }
        #expect(lines.count == 1)
        let counter = try metrics.expectCounter(
            "auth_store_operations", [("operation", "put"), ("outcome", "over_budget")])
        #expect(counter.totalValue == 6)
    }
}
