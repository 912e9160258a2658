// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Who hears of events of accounts, and whether there is room for them.
package final class AccountListener: Sendable {
    /// The maximum number of events that wait for a destination: for three days, four in a second. A further event is
    /// lost, and counted; what happens to accounts does not wait for a receiver. Since it is counted at intervals, it may
    /// be exceeded by what happens meanwhile.
    package static let usualRoom = 1_000_000

    /// The name of the queue.
    package let destination: String
    /// The maximum number of events that wait.
    package let room: Int
    private let isFull = Atomic(false)
    private let lost = Atomic(0)

    /// Creates a listener for whose events there is room.
    package init(destination: String, room: Int = usualRoom) {
        self.destination = destination
        self.room = room
    }

    /// Who hears of the events that the webhook of the configuration receives.
    package static func webhook() -> AccountListener { AccountListener(destination: "webhook") }

    /// Whether a further event is kept.
    package var hasRoom: Bool { !isFull.load(ordering: .relaxed) }

    /// Notes how many events wait.
    package func note(waiting: Int) { isFull.store(waiting >= room, ordering: .relaxed) }

    func noteLost(_ count: Int) { lost.add(count, ordering: .relaxed) }

    /// Returns how many events were lost since it was asked last.
    package func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
