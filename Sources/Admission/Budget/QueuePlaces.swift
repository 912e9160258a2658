// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The places of a queue that several event loops share. ``QueueShares`` says who gets one.
package final class QueuePlaces<Holder: Hashable & Sendable>: Sendable {
    private let shares: Mutex<QueueShares<Holder>>

    /// Creates the places of an empty queue.
    /// - Parameters:
    ///   - maximum: The number of places.
    ///   - share: The number of places that a holder may have; `nil` if it depends on how many are free.
    package init(maximum: Int, share: Int? = nil) {
        shares = Mutex(QueueShares(maximum: maximum, share: share))
    }

    /// Takes a place that counts for each of several holders.
    /// - Returns: A function that gives the place back, to be called once; `nil` if one of the holders gets no place.
    package func take(for holders: [Holder]) -> (@Sendable () -> Void)? {
        guard shares.withLock({ $0.take(for: holders) }) else { return nil }
        return { self.shares.withLock { $0.giveBack(of: holders) } }
    }
}
