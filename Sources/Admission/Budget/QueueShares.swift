// SPDX-License-Identifier: Apache-2.0

/// The places of a queue that are taken, in total and by each holder: an account, a network, or whatever else a caller
/// counts together.
///
/// A holder gets a further place only while it has fewer than half as many as are free, so that no holder fills the
/// queue. A single holder gets a third of the places, and each of N holders one part in N + 2. A holder without a place
/// gets one as long as any is free. A queue may have a fixed share instead.
package struct QueueShares<Holder: Hashable & Sendable>: Sendable {
    private let maximum: Int
    private let fixedShare: Int?
    private var taken = 0
    private var held: [Holder: Int] = [:]

    /// Creates the shares of an empty queue.
    /// - Parameters:
    ///   - maximum: The number of places.
    ///   - share: The number of places that a holder may have; `nil` if it depends on how many are free.
    package init(maximum: Int, share: Int? = nil) {
        self.maximum = maximum
        fixedShare = share
    }

    /// Whether no place is taken and no holder is remembered.
    var isEmpty: Bool { taken == 0 && held.isEmpty }

    /// Takes a place that counts for each of several holders.
    /// - Returns: Whether every holder may have it. If not, nothing has changed.
    package mutating func take(for holders: [Holder]) -> Bool {
        let free = maximum - taken
        let share = fixedShare ?? max(1, free / 2)
        guard free > 0, holders.allSatisfy({ held[$0, default: 0] < share }) else { return false }
        taken += 1
        for holder in holders { held[holder, default: 0] += 1 }
        return true
    }

    /// Gives back a place that was taken for the same holders.
    package mutating func giveBack(of holders: [Holder]) {
        taken -= 1
        for holder in holders { held[holder] = held[holder].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
