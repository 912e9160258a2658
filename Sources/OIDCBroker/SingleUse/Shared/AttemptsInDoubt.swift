// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// A key that an operation claims, and for whom.
struct Claiming: Sendable {
    let key: SingleUseKey
    let attempt: SingleUseAttempt
    /// Whether the attempt is that of an earlier request, which may have claimed the key.
    var isInDoubt = false
}

/// Attempts of which nobody knows whether they claimed their key: the store was away before it answered.
///
/// Whoever asks for the key next in this process goes on as that attempt. Otherwise the person who tries once more, as
/// they were told, would lose against themselves. It is safe because such an attempt has told nobody that it won, and
/// because one request at a time gets it.
final class AttemptsInDoubt: Sendable {
    /// The time for which an attempt is kept: longer than people try again.
    static let lifetime: TimeAmount = .seconds(60)
    /// The maximum number of attempts. Beyond it, a new one is not kept.
    static let maximumCount = 10_000

    private struct Kept: Sendable {
        let attempt: SingleUseAttempt
        let end: NIODeadline
    }

    private let kept = Mutex<[SingleUseKey: Kept]>([:])

    /// Keeps an attempt.
    func keep(_ claiming: Claiming, now: NIODeadline) {
        kept.withLock { kept in
            if kept.count >= Self.maximumCount { kept = kept.filter { $0.value.end > now } }
            guard kept.count < Self.maximumCount else { return }
            kept[claiming.key] = Kept(attempt: claiming.attempt, end: now + Self.lifetime)
        }
    }

    /// Returns the attempt of a key, which is kept no longer, or a new one.
    func take(_ key: SingleUseKey, now: NIODeadline) -> Claiming {
        let known = kept.withLock { kept in kept.isEmpty ? nil : kept.removeValue(forKey: key) }
        guard let known, known.end > now else {
            return Claiming(key: key, attempt: SingleUseAttempt())
        }
        return Claiming(key: key, attempt: known.attempt, isInDoubt: true)
    }
}
