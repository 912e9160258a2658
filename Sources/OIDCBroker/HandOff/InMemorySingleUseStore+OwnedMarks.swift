// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Marks that a provider can cause at will, as those of native credentials: it signs as many tokens as it likes.
    ///
    /// They have room of their own, of which one provider takes half at most, so that neither the marks of logins nor
    /// those of other providers have to give way. No lock, no clock.
    struct OwnedMarks: Sendable {
        private let capacity: Int
        private var marks: Generations
        /// How many marks each provider made lately: those that are over count for a while longer.
        private var made: RecentTally<SingleUseKey>

        /// - Parameters:
        ///   - capacity: How many marks there may be.
        ///   - lifetime: How long they live, seconds.
        init(capacity: Int, lifetime: Int64) {
            self.capacity = capacity
            marks = Generations(turn: lifetime)
            made = RecentTally(turn: lifetime, limit: 4096)
        }

        /// How many marks are kept, those that are over among them.
        var count: Int { marks.count }

        /// Drops what is over as a whole.
        mutating func advance(to now: Moment) {
            guard marks.count > 0 else { return }
            marks.advance(to: now)
            made.advance(to: now.elapsed)
        }

        /// Whether a mark of that key is there and not over.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            marks.count > 0 && marks.contains(key, now)
        }

        /// Makes a mark unless one of that key is there and not over.
        mutating func insertIfAbsent(
            _ key: SingleUseKey, of provider: SingleUseKey?, lifetime: Int64, _ now: Moment
        ) -> SingleUseInsertion {
            made.advance(to: now.elapsed)
            if marks.contains(key, now) { return .present }
            if let provider, made.count(of: provider) >= max(1, capacity / 2) { return .tooManyOfProvider }
            let insertion = marks.insertIfAbsent(key, lifetime: lifetime, now, isFull: marks.count >= capacity)
            if insertion == .inserted, let provider { made.add(provider) }
            return insertion
        }

        /// Removes what is there of a key.
        /// - Returns: Whether a mark was there that is not over.
        mutating func take(_ key: SingleUseKey, _ now: Moment) -> Bool {
            marks.count > 0 && marks.take(key, now)
        }
    }
}
