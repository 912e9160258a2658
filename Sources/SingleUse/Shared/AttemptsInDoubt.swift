// SPDX-License-Identifier: Apache-2.0

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
/// The next request of this process for the key continues one of them. Otherwise a person who tries again, as the page
/// told them to, would lose to their own first request. It is safe because such an attempt was never reported as won,
/// and because only one request at a time gets it.
final class AttemptsInDoubt: Sendable {
    /// The time for which an attempt is kept, within which people try again.
    static let lifetime: TimeAmount = .seconds(60)
    /// The maximum number of attempts. Beyond it, a new one is not kept.
    static let maximumCount = 10_000
    /// The maximum number of attempts at one key.
    static let mostOfKey = 8

    private struct Kept: Sendable {
        let attempt: SingleUseAttempt
        let end: NIODeadline
    }

    private struct State: Sendable {
        /// The attempts at each key, oldest first.
        var attempts: [SingleUseKey: [Kept]] = [:]
        var count = 0
        /// When those that have ended are removed next, if there are too many.
        var nextRemoval = NIODeadline.distantPast

        mutating func replace(_ kept: [Kept], at key: SingleUseKey) {
            count += kept.count - (attempts[key]?.count ?? 0)
            attempts[key] = kept.isEmpty ? nil : kept
        }

        mutating func removeEnded(_ now: NIODeadline) {
            guard now >= nextRemoval else { return }
            nextRemoval = now + .seconds(1)
            for (key, kept) in attempts { replace(kept.filter { $0.end > now }, at: key) }
        }
    }

    private let state = Mutex(State())

    /// Keeps an attempt.
    func keep(_ claiming: Claiming, now: NIODeadline) {
        state.withLock { state in
            if state.count >= Self.maximumCount { state.removeEnded(now) }
            let others = (state.attempts[claiming.key] ?? []).filter { $0.attempt != claiming.attempt && $0.end > now }
            guard state.count < Self.maximumCount, others.count < Self.mostOfKey else { return }
            let kept = Kept(attempt: claiming.attempt, end: now + Self.lifetime)
            state.replace(others + [kept], at: claiming.key)
        }
    }

    /// Removes and returns the oldest attempt at a key; if there is none, returns a new one.
    func take(_ key: SingleUseKey, now: NIODeadline) -> Claiming {
        let known = state.withLock { state -> Kept? in
            guard let kept = state.attempts[key] else { return nil }
            let living = kept.filter { $0.end > now }
            state.replace(Array(living.dropFirst()), at: key)
            return living.first
        }
        guard let known else { return Claiming(key: key, attempt: SingleUseAttempt()) }
        return Claiming(key: key, attempt: known.attempt, isInDoubt: true)
    }
}
