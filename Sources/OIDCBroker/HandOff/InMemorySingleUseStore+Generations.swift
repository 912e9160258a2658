// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Marks of about one lifetime, in generations: new ones go into the youngest; one whose marks are all over is dropped
    /// whole. Nothing is ever searched for what is over. As long as nobody sets the wall clock there are two.
    ///
    /// A mark that is over stays until then, and is as good as absent. No lock, no clock: the moment is handed in.
    struct Generations: Sendable {
        /// How far the wall clock may be set back before new marks get a generation of their own, seconds: until the clock
        /// is where it was, marks of the one before wait for it, and those made after must not wait with them.
        private static let tolerance: Int64 = 60
        /// How many generations there are at most, however often the clock is set back.
        private static let limit = 8

        /// How long a generation stays the youngest one, seconds of elapsed time.
        private let turn: Int64
        /// The oldest first.
        private var generations: [Generation] = []
        /// When the youngest began, seconds of elapsed time.
        private var turnedAt: Int64 = 0

        /// - Parameter turn: how long a generation stays the youngest one, seconds: the lifetime of most marks.
        init(turn: Int64) {
            self.turn = turn
        }

        /// How many marks are kept, those that are over among them.
        private(set) var count = 0

        /// Drops what is over as a whole.
        mutating func advance(to now: Moment) {
            guard let youngest = generations.last else { return }
            if generations.contains(where: { $0.isOver(now) }) {
                generations.removeAll { $0.isOver(now) }
                recount()
            }
            let isSetBack = now.lead < youngest.lead && youngest.lead - Self.tolerance > now.lead
            let isDue = now.elapsed - turnedAt >= turn
            if isDue || isSetBack, !generations.isEmpty, generations.count < Self.limit { begin(now) }
        }

        /// Whether a mark of that key is there and not over.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            generations.contains { $0.contains(key, now) }
        }

        /// Makes a mark unless one of that key is there and not over.
        /// - Parameters:
        ///   - lifetime: seconds.
        ///   - isFull: whether there is room for no key that is not there.
        mutating func insertIfAbsent(
            _ key: SingleUseKey, lifetime: Int64, _ now: Moment, isFull: Bool
        ) -> SingleUseInsertion {
            let last = generations.count - 1
            for index in generations.indices where index < last && generations[index].contains(key, now) {
                return .present
            }
            if isFull, last < 0 || !generations[last].holds(key) { return .full }
            guard last >= 0 else {
                begin(now)
                return insertIfAbsent(key, lifetime: lifetime, now, isFull: false)
            }
            count -= generations[last].count
            let isInserted = generations[last].insertIfAbsent(key, lifetime: lifetime, now)
            count += generations[last].count
            return isInserted ? .inserted : .present
        }

        /// Removes what is there of a key.
        /// - Returns: whether a mark was there that is not over.
        mutating func take(_ key: SingleUseKey, _ now: Moment) -> Bool {
            var isTaken = false
            // Of all: behind one that is over the same key may have been marked again.
            for index in generations.indices where generations[index].take(key, now) { isTaken = true }
            recount()
            return isTaken
        }

        private mutating func begin(_ now: Moment) {
            generations.append(Generation(now))
            turnedAt = now.elapsed
        }

        private mutating func recount() {
            count = generations.reduce(0) { $0 + $1.count }
        }
    }
}
