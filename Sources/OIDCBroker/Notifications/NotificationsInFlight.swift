// SPDX-License-Identifier: Apache-2.0

import SingleUse
import Synchronization

/// The notifications that are being delivered in this process. If a provider sends one twice at the same time, the
/// second is not delivered, and the provider sends it again.
final class NotificationsInFlight: Sendable {
    private let keys = Mutex<Set<SingleUseKey>>([])

    /// Returns whether the notification may be delivered now, in which case ``end(_:)`` must follow.
    func begin(_ key: SingleUseKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

    func end(_ key: SingleUseKey) { keys.withLock { _ = $0.remove(key) } }
}
