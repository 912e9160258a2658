// SPDX-License-Identifier: Apache-2.0

import NIOCore
import SingleUse

/// Claims, and attempts that ask again.
extension SingleUseStoreConformance {
    static var claims: [Check] { [claimsOnce, claimsForAWhile, keepsClaims, claimsForAnOwner] }
    static var attempts: [Check] { [answersAnAttemptAgain] }

    private static func claimsOnce(_ examination: inout Examination) async throws {
        let (key, other) = (examination.key(1), examination.key(2))
        examination.check(try await !examination.isClaimed(key), "A key without a claim is not claimed.")
        examination.check(try await examination.claim(key) == .won, "The first attempt wins.")
        for _ in 0..<2 { examination.check(try await examination.claim(key) == .lost, "Every other attempt loses.") }
        examination.check(try await examination.isClaimed(key), "A claimed key is claimed.")
        examination.check(try await !examination.isClaimed(other), "A key that differs in its last byte is another.")
        examination.check(try await examination.claim(other) == .won, "Another key has a claim of its own.")
        examination.check(try await examination.read(key) == nil, "A claim has no value.")
    }

    private static func claimsForAWhile(_ examination: inout Examination) async throws {
        let (ended, live, lost) = (examination.key(1), examination.key(2), examination.key(3))
        for key in [ended, lost] { _ = try await examination.claim(key, for: short) }
        _ = try await examination.claim(live)
        examination.check(try await examination.claim(lost) == .lost, "A claim is there until its lifetime is over.")
        try await examination.letTimePass()
        examination.check(try await !examination.isClaimed(ended), "A claim ends with its lifetime.")
        examination.check(try await examination.claim(ended) == .won, "After a claim has ended, another attempt wins.")
        examination.check(try await examination.claim(live) == .lost, "A claim that has not ended is there.")
        examination.check(try await examination.claim(lost) == .won, "An attempt that lost prolongs nothing.")
    }

    private static func keepsClaims(_ examination: inout Examination) async throws {
        let early = examination.key(0)
        _ = try await examination.claim(early)
        for number in 1...1000 { _ = try await examination.claim(examination.key(number)) }
        examination.check(
            try await examination.claim(early) == .lost, "A live claim is there after a thousand others.")
        examination.check(
            try await examination.claim(examination.key(500)) == .lost, "So is each of the thousand.")
    }

    private static func claimsForAnOwner(_ examination: inout Examination) async throws {
        let key = examination.key(1)
        let owner = SingleUseOwner(person: examination.key(2), provider: examination.key(3))
        examination.check(try await examination.claim(key, owner: owner) == .won, "A key is claimed for an owner.")
        examination.check(try await examination.claim(key, owner: owner) == .lost, "An owner claims a key once.")
        examination.check(try await examination.claim(key) == .lost, "A key that has an owner is not claimed again.")
        let unowned = examination.key(4)
        _ = try await examination.claim(unowned)
        examination.check(
            try await examination.claim(unowned, owner: owner) == .lost, "An owner claims no key that is claimed.")
    }

    private static func answersAnAttemptAgain(_ examination: inout Examination) async throws {
        let key = examination.key(1)
        let (winner, loser) = (SingleUseAttempt(), SingleUseAttempt())
        for _ in 0..<2 {
            examination.check(try await examination.claim(key, winner) == .won, "An attempt that won wins again.")
            examination.check(try await examination.claim(key, loser) == .lost, "An attempt that lost loses again.")
        }
        let (repeated, once) = (examination.key(2), examination.key(3))
        _ = try await examination.claim(repeated, winner, for: short)
        _ = try await examination.claim(once, winner, for: short)
        _ = try await examination.claim(repeated, winner)
        try await examination.letTimePass()
        examination.check(
            try await examination.claim(repeated, loser) == .won, "An attempt that asks again prolongs nothing.")
        examination.check(
            try await examination.claim(examination.key(4), winner) == .won, "An attempt may claim several keys.")
    }
}
