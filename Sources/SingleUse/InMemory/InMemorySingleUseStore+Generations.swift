// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Claims of similar lifetimes, in generations. New claims are added to the youngest generation, and a generation
    /// whose claims have all ended is dropped as a whole, so that nothing is searched for ended claims. There are two
    /// generations unless the wall clock is changed.
    ///
    /// A claim that has ended counts as absent. There is no lock and no clock; the time is given.
    struct Generations: Sendable {
        /// The number of seconds by which the wall clock may be set back before new claims get a generation of their
        /// own. The claims before the change remain until the clock has caught up; new ones should not have to remain
        /// with them.
        private static let tolerance: Int64 = 60
        /// The maximum number of generations, however often the clock is set back.
        private static let limit = 8

        /// The time for which a generation is the youngest, in seconds of elapsed time.
        private let turn: Int64
        /// The generations, oldest first.
        private var generations: [Generation] = []
        /// The start of the youngest generation, in seconds of elapsed time.
        private var turnedAt: Int64 = 0

        /// - Parameter turn: The time for which a generation is the youngest, in seconds: the lifetime of most claims.
        init(turn: Int64) {
            self.turn = turn
        }

        /// The number of claims, including those that have ended.
        private(set) var count = 0

        /// Drops the generations whose claims have all ended.
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

        /// Whether there is a claim of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            generations.contains { $0.contains(key, now) }
        }

        /// Makes a claim unless there is one of this key that has not ended.
        /// - Parameters:
        ///   - lifetime: The lifetime, in seconds.
        ///   - isFull: Whether new keys are not accepted.
        mutating func claim(_ key: SingleUseKey, lifetime: Int64, _ now: Moment, isFull: Bool) -> SingleUseClaim {
            let last = generations.count - 1
            for index in generations.indices where index < last && generations[index].contains(key, now) {
                return .lost
            }
            if isFull, last < 0 || !generations[last].holds(key) { return .full }
            guard last >= 0 else {
                begin(now)
                return claim(key, lifetime: lifetime, now, isFull: false)
            }
            count -= generations[last].count
            let isMade = generations[last].claim(key, lifetime: lifetime, now)
            count += generations[last].count
            return isMade ? .won : .lost
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
