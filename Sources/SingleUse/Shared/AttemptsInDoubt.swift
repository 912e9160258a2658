// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import Synchronization

/// A key that an operation claims, and the attempt for which it does.
struct Claiming: Sendable, Hashable {
    let key: SingleUseKey
    let attempt: SingleUseAttempt
    /// Whether the attempt is that of an earlier request, which may have claimed the key.
    var isInDoubt = false
}

/// Attempts in doubt: it is not known whether they claimed their key, since the store did not answer in time.
///
/// The next request of this process for the key continues one of them. Otherwise a user who tries again, as the page
/// told them to, would lose to their own first request. It is safe because such an attempt was never reported as won,
/// and because only one request at a time gets it.
final class AttemptsInDoubt: Sendable {
    /// The time for which an attempt is kept, within which users try again.
    static let lifetime: TimeAmount = .seconds(60)
    /// The memory of an attempt, in bytes, with its part of the table and of a list. When the budget is full, a new one is
    /// not kept.
    static let bytesOfAttempt = 256
    /// The maximum number of attempts at one key.
    static let mostOfKey = 8

    private struct Kept: Sendable {
        let attempt: SingleUseAttempt
        let end: NIODeadline
    }

    private struct State: Sendable {
        /// The attempts at each key, oldest first.
        var attempts: [SingleUseKey: [Kept]] = [:]
        var held: HeldQueue
        /// The time before which ended attempts are not removed again when the budget is full.
        var nextRemoval = NIODeadline.distantPast

        /// Keeps only some of the attempts at a key.
        mutating func reduce(_ key: SingleUseKey, to kept: [Kept]) {
            held.giveBack(((attempts[key]?.count ?? 0) - kept.count) * AttemptsInDoubt.bytesOfAttempt)
            attempts[key] = kept.isEmpty ? nil : kept
        }

        mutating func removeEnded(_ now: NIODeadline) {
            guard now >= nextRemoval else { return }
            nextRemoval = now + .seconds(1)
            for (key, kept) in attempts { reduce(key, to: kept.filter { $0.end > now }) }
        }
    }

    private let state: Mutex<State>

    /// - Parameter memory: The budget for attempts.
    init(in memory: MemoryBudget) {
        state = Mutex(State(held: HeldQueue(.attempts, in: memory)))
    }

    /// Keeps an attempt.
    func keep(_ claiming: Claiming, now: NIODeadline) {
        state.withLock { state in
            if !state.held.take(Self.bytesOfAttempt) {
                state.removeEnded(now)
                guard state.held.take(Self.bytesOfAttempt) else { return }
            }
            let others = (state.attempts[claiming.key] ?? []).filter { $0.attempt != claiming.attempt && $0.end > now }
            state.reduce(claiming.key, to: others)
            guard others.count < Self.mostOfKey else { return state.held.giveBack(Self.bytesOfAttempt) }
            let kept = Kept(attempt: claiming.attempt, end: now + Self.lifetime)
            state.attempts[claiming.key] = others + [kept]
        }
    }

    /// Removes and returns the oldest attempt at a key; if there is none, returns a new one.
    func take(_ key: SingleUseKey, now: NIODeadline) -> Claiming {
        let known = state.withLock { state -> Kept? in
            guard let kept = state.attempts[key] else { return nil }
            let living = kept.filter { $0.end > now }
            state.reduce(key, to: Array(living.dropFirst()))
            return living.first
        }
        guard let known else { return Claiming(key: key, attempt: SingleUseAttempt()) }
        return Claiming(key: key, attempt: known.attempt, isInDoubt: true)
    }
}
