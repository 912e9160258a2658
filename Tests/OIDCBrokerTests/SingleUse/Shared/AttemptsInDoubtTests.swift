// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// Attempts whose claim is in doubt.
struct AttemptsInDoubtTests {
    private let budget: MemoryBudget
    private let attempts: AttemptsInDoubt
    private let key = SingleUseKey(.login, [1])
    private let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    init() {
        budget = MemoryBudget(bytes: 16 << 20)
        attempts = AttemptsInDoubt(in: budget)
    }

    private func claiming() -> Claiming { Claiming(key: key, attempt: SingleUseAttempt()) }

    @Test func `each is gone on with by one request, the oldest first, and then there are new ones`() {
        let kept = (0..<3).map { _ in claiming() }
        for each in kept { attempts.keep(each, now: now) }
        for each in kept {
            let taken = attempts.take(key, now: now)
            #expect(taken.attempt == each.attempt && taken.isInDoubt)
        }
        let new = attempts.take(key, now: now)
        #expect(!new.isInDoubt && !kept.map(\.attempt).contains(new.attempt))
    }

    @Test func `one that is kept twice is there once`() {
        let one = claiming()
        attempts.keep(one, now: now)
        attempts.keep(one, now: now)
        #expect(attempts.take(key, now: now).isInDoubt)
        #expect(!attempts.take(key, now: now).isInDoubt)
    }

    @Test func `it is kept for a minute`() {
        attempts.keep(claiming(), now: now)
        #expect(!attempts.take(key, now: now + AttemptsInDoubt.lifetime).isInDoubt)
    }

    @Test func `eight at a key are kept`() {
        for _ in 0...AttemptsInDoubt.mostOfKey + 64 { attempts.keep(claiming(), now: now) }
        #expect(budget.held(.attempts) <= 64 * AttemptsInDoubt.bytesOfAttempt, "what was refused does not count")
        for _ in 0..<AttemptsInDoubt.mostOfKey { #expect(attempts.take(key, now: now).isInDoubt) }
        #expect(!attempts.take(key, now: now).isInDoubt)
    }

    @Test func `beyond a sixteenth of the budget none is kept until others have ended`() {
        func at(_ number: Int) -> Claiming {
            let name = [UInt8(number & 0xFF), UInt8(number >> 8)]
            return Claiming(key: SingleUseKey(.login, name), attempt: SingleUseAttempt())
        }
        let count = budget.size / 16 / AttemptsInDoubt.bytesOfAttempt
        let first = at(0)
        attempts.keep(first, now: now)
        for number in 1..<count { attempts.keep(at(number), now: now) }
        #expect(budget.held(.attempts) == budget.size / 16)
        // One that is kept already stays.
        attempts.keep(first, now: now)
        #expect(attempts.take(first.key, now: now).attempt == first.attempt)
        attempts.keep(first, now: now)
        let one = claiming()
        attempts.keep(one, now: now)
        #expect(!attempts.take(key, now: now).isInDoubt)
        // They are looked through once a second.
        let later = now + AttemptsInDoubt.lifetime
        attempts.keep(one, now: later)
        #expect(attempts.take(key, now: later).isInDoubt)
        #expect(budget.held == 0)
    }
}
