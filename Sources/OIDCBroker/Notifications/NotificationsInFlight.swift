// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The notifications that are being handed on in this process: of one that a provider sends twice at a time the second
/// waits for its next attempt.
final class NotificationsInFlight: Sendable {
    private let keys = Mutex<Set<SingleUseKey>>([])

    /// Whether it may be handed on now; ``end(_:)`` must follow then.
    func begin(_ key: SingleUseKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

    func end(_ key: SingleUseKey) { keys.withLock { _ = $0.remove(key) } }
}
