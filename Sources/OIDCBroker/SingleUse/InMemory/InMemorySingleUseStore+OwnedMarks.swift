// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Marks that a provider can cause in any number, as those of native credentials, since it can sign any number of
    /// tokens.
    ///
    /// They have a capacity of their own, of which one provider uses at most half, so that they do not displace the
    /// marks of logins or of other providers. There is no lock and no clock.
    struct OwnedMarks: Sendable {
        private let capacity: Int
        private var marks: Generations
        /// The number of recent marks of each provider. Ended ones count for some time longer.
        private var made: RecentTally<SingleUseKey>

        /// - Parameters:
        ///   - capacity: The maximum number of marks.
        ///   - lifetime: The lifetime of marks, in seconds.
        init(capacity: Int, lifetime: Int64) {
            self.capacity = capacity
            marks = Generations(turn: lifetime)
            made = RecentTally(turn: lifetime, limit: 4096)
        }

        /// The number of marks, including those that have ended.
        var count: Int { marks.count }
        /// The part of the capacity that is used, 0 to 1.
        var fullness: Double { Double(marks.count) / Double(max(1, capacity)) }

        /// Drops the generations whose marks have all ended.
        mutating func advance(to now: Moment) {
            guard marks.count > 0 else { return }
            marks.advance(to: now)
            made.advance(to: now.elapsed)
        }

        /// Whether there is a mark of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            marks.count > 0 && marks.contains(key, now)
        }

        /// Makes a mark unless there is one of this key that has not ended.
        mutating func claim(
            _ key: SingleUseKey, of provider: SingleUseKey?, lifetime: Int64, _ now: Moment
        ) -> SingleUseClaim {
            made.advance(to: now.elapsed)
            if marks.contains(key, now) { return .lost }
            if let provider, made.count(of: provider) >= max(1, capacity / 2) { return .tooManyOfProvider }
            let claim = marks.claim(key, lifetime: lifetime, now, isFull: marks.count >= capacity)
            if claim == .won, let provider { made.add(provider) }
            return claim
        }
    }
}
