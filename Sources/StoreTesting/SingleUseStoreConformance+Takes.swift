// SPDX-License-Identifier: Apache-2.0

import NIOCore
import SingleUse

/// Taking values, many callers at once, and event loops.
extension SingleUseStoreConformance {
    static var takes: [Check] { [takesOnce, takesWhatIsThere, keepsTheClaimOfAValue] }
    static var parallel: [Check] { [claimsOnceInParallel, takesOnceInParallel, answersOnTheLoop] }

    private static let callers = 64

    private static func takesOnce(_ examination: inout Examination) async throws {
        let (key, other) = (examination.key(1), examination.key(2))
        _ = try await examination.put(key, [7, 8])
        _ = try await examination.put(other, [9])
        examination.check(try await examination.take(key) == .value([7, 8]), "The first attempt takes the value.")
        for _ in 0..<2 {
            examination.check(
                try await examination.take(key) == .taken, "Every other attempt is told that the value was taken.")
        }
        examination.check(try await examination.isClaimed(key), "A value that was taken leaves its key claimed.")
        examination.check(try await examination.claim(key) == .lost, "A key with a taken value is not claimed again.")
        examination.check(try await examination.take(other) == .value([9]), "Each key has a value of its own.")
    }

    private static func takesWhatIsThere(_ examination: inout Examination) async throws {
        let key = examination.key(1)
        examination.check(try await examination.take(key) == .absent, "A key without a value gives nothing.")
        examination.check(try await !examination.isClaimed(key), "Taking nothing claims nothing.")
        _ = try await examination.put(key, [1])
        examination.check(try await examination.take(key) == .value([1]), "A value that comes later is taken.")
        let claimed = examination.key(2)
        _ = try await examination.claim(claimed)
        _ = try await examination.put(claimed, [2])
        examination.check(
            try await examination.take(claimed) == .taken, "The value of a key that another claimed is not taken.")
    }

    private static func keepsTheClaimOfAValue(_ examination: inout Examination) async throws {
        let (longClaim, shortClaim, both) = (examination.key(1), examination.key(2), examination.key(3))
        _ = try await examination.put(longClaim, [1], for: short)
        _ = try await examination.put(shortClaim, [2])
        _ = try await examination.put(both, [3], for: short)
        _ = try await examination.take(longClaim)
        _ = try await examination.take(shortClaim, claimFor: short)
        _ = try await examination.take(both, claimFor: short)
        try await examination.letTimePass()
        examination.check(
            try await examination.take(longClaim) == .taken, "The claim of a value outlives the value.")
        examination.check(
            try await examination.take(shortClaim) == .taken,
            "The claim of a value lives no shorter than the value would have.")
        examination.check(try await !examination.isClaimed(both), "The claim of a value ends.")
    }

    private static func claimsOnceInParallel(_ examination: inout Examination) async throws {
        let (store, group, key) = (examination.store, examination.group, examination.key(1))
        let winners = try await inParallel {
            try await store.claim(
                key, attempt: SingleUseAttempt(), owner: nil, lifetime: long, on: group.next()
            ).get() == .won
        }
        examination.check(winners == 1, "Of \(callers) claims of one key at once one wins, not \(winners).")
    }

    private static func takesOnceInParallel(_ examination: inout Examination) async throws {
        let (store, group, key) = (examination.store, examination.group, examination.key(1))
        _ = try await examination.put(key, [1])
        let takers = try await inParallel {
            try await store.take(key, attempt: SingleUseAttempt(), claimLifetime: long, on: group.next()).get().value
                != nil
        }
        examination.check(takers == 1, "Of \(callers) takes of one value at once one gets it, not \(takers).")
    }

    private static func answersOnTheLoop(_ examination: inout Examination) async throws {
        let (store, key, loop) = (examination.store, examination.key(1), examination.group.next())
        let attempt = SingleUseAttempt()
        let claim = store.claim(key, attempt: attempt, owner: nil, lifetime: long, on: loop)
        let put = store.put(key, value: [1], owner: nil, lifetime: long, on: loop)
        let take = store.take(key, attempt: attempt, claimLifetime: long, on: loop)
        let read = store.read(key, on: loop)
        let removal = store.remove(key, ifEqual: [1], on: loop)
        let question = store.isClaimed(key, on: loop)
        let loops = [
            claim.eventLoop, put.eventLoop, take.eventLoop, read.eventLoop, removal.eventLoop, question.eventLoop,
        ]
        examination.check(loops.allSatisfy { $0 === loop }, "Every answer is on the event loop that was given.")
        _ = try await claim.get()
        _ = try await put.get()
        _ = try await take.get()
        _ = try await read.get()
        try await removal.get()
        _ = try await question.get()
    }

    /// Calls something many times at once.
    /// - Returns: The number of calls that succeeded.
    private static func inParallel(_ call: @escaping @Sendable () async throws -> Bool) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<callers { group.addTask(operation: call) }
            var successes = 0
            for try await succeeded in group where succeeded { successes += 1 }
            return successes
        }
    }
}
