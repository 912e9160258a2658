// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The places of a queue that several event loops share; see ``QueueShares``.
package final class QueuePlaces<Holder: Hashable & Sendable>: Sendable {
    private let shares: Mutex<QueueShares<Holder>>

    /// Creates the places of a queue in which nobody waits.
    /// - Parameter maximum: The number of places.
    package init(maximum: Int) {
        shares = Mutex(QueueShares(maximum: maximum))
    }

    /// Takes a place that counts for each of some holders.
    /// - Returns: What gives it back, which must be called once; `nil` if there is no place for one of them.
    package func take(for holders: [Holder]) -> (@Sendable () -> Void)? {
        guard shares.withLock({ $0.take(for: holders) }) else { return nil }
        return { self.shares.withLock { $0.giveBack(of: holders) } }
    }
}
