// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OpenIDRelyingParty
import SingleUse
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the store in memory takes and costs when sign-ins go on for long: `callback-micro store <rate> <seconds>`.
///
/// A sign-in is what the broker does with the store of one: the claim of the login, the record of the code, and its
/// redemption, which leaves a claim. The time of the store is simulated, so an hour takes some seconds.
struct StoreAge {
    /// The time of the store, in seconds.
    private final class StoreClock: UnixClock, ElapsedClock {
        private let seconds = Atomic<Int64>(1_795_000_000)

        func now() -> Int64 { seconds.load(ordering: .relaxed) }
        func advance() { seconds.add(1, ordering: .relaxed) }
    }

    private let clock = StoreClock()
    private let store: InMemorySingleUseStore
    private var made: UInt64 = 0
    private var refusals = 0

    init() {
        store = InMemorySingleUseStore(clock: clock, wallClock: clock)
    }

    /// Makes sign-ins and prints what they took.
    /// - Parameters:
    ///   - rate: The number of sign-ins in a second of the store.
    ///   - seconds: The number of such seconds; the times of the first and the last twentieth are compared.
    mutating func run(rate: Int, seconds: Int) {
        let compared = max(1, seconds / 20)
        var (young, old): ([Int64], [Int64]) = ([], [])
        young.reserveCapacity(rate * compared)
        old.reserveCapacity(rate * compared)
        // The pages of both are used now, not when the store's are counted.
        for _ in 0..<rate * compared {
            young.append(0)
            old.append(0)
        }
        young.removeAll(keepingCapacity: true)
        old.removeAll(keepingCapacity: true)
        let value = [UInt8](repeating: 1, count: 2048)
        let before = Self.residentKilobytes()
        var mostClaims = 0
        for second in 0..<seconds {
            for _ in 0..<rate {
                let nanoseconds = signIn(value)
                if second < compared { young.append(nanoseconds) }
                if second >= seconds - compared { old.append(nanoseconds) }
            }
            mostClaims = max(mostClaims, store.usage.first { $0.kind == .claims }?.entries ?? 0)
            clock.advance()
        }
        let usage = store.usage.first { $0.kind == .claims }
        print("sign-ins:", rate * seconds, "refused:", refusals)
        print("claims at most:", mostClaims, "part of their room at the end:", usage?.fullness ?? 0)
        if let before, let after = Self.residentKilobytes(), mostClaims > 0 {
            print("resident kilobytes before and after:", before, after)
            print("bytes for a claim:", Double(after - before) * 1024 / Double(mostClaims))
        }
        Self.report("first", &young)
        Self.report("last", &old)
    }

    private mutating func signIn(_ value: [UInt8]) -> Int64 {
        let (login, code) = (key(), key())
        var isRefused = false
        let time = ContinuousClock().measure {
            isRefused = store.claim(login, owner: nil, seconds: 600) != .won
            isRefused = store.put(code, value: value, owner: nil, seconds: 60) != .stored || isRefused
            isRefused = store.take(code, claimSeconds: 600) != .value(value) || isRefused
        }
        if isRefused { refusals += 1 }
        return time.components.attoseconds / 1_000_000_000 + time.components.seconds * 1_000_000_000
    }

    /// Another key: four steps of SplitMix64, which are as evenly spread as a hash.
    private mutating func key() -> SingleUseKey {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for _ in 0..<4 {
            made &+= 0x9E37_79B9_7F4A_7C15
            var word = made
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
        return SingleUseKey(bytes: bytes)
    }

    private static func report(_ name: String, _ times: inout [Int64]) {
        guard !times.isEmpty else { return }
        times.sort()
        func part(_ part: Double) -> Int64 { times[min(times.count - 1, Int(Double(times.count) * part))] }
        print(
            "nanoseconds of the store for a sign-in,", name, "twentieth: p50", part(0.5), "p99", part(0.99), "p99.9",
            part(0.999), "most", part(1))
    }

    /// The resident memory of this process; `nil` where there is no such file.
    private static func residentKilobytes() -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { $0.split { $0 == " " || $0 == "\t" }.dropFirst().first }.flatMap { Int($0) }
    }
}
