// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Claims, in one generation unless the wall clock was set back. New claims are added to the youngest generation, and
    /// one whose claims have all ended is dropped as a whole.
    ///
    /// A claim that has ended counts as absent. There is no lock and no clock; the time is given.
    struct Generations: Sendable {
        /// The number of seconds by which the wall clock may be set back before new claims get a generation of their
        /// own. The claims before the change remain until the clock has caught up; new ones should not have to remain
        /// with them.
        private static let tolerance: Int64 = 60
        /// The maximum number of generations, however often the clock is set back.
        private static let limit = 8

        private let capacity: Int
        /// The generations, oldest first.
        private var generations: [Generation] = []

        /// - Parameter capacity: The number of claims for which a table is made. Who makes claims says whether there is
        ///   room for one.
        init(capacity: Int) {
            self.capacity = capacity
        }

        /// The number of claims. Those that ended within the last minute may be among them, and where there are few
        /// operations, earlier ones.
        private(set) var count = 0
        /// The memory of the claims in bytes.
        var bytes: Int { generations.reduce(0) { $0 + $1.bytes } }

        /// Drops the generations whose claims have all ended, and some of the ended claims of the others.
        mutating func advance(to now: Moment) {
            // Not the generation, whose pages would be copied by the first change.
            guard let lead = generations.last?.lead else { return }
            if generations.contains(where: { $0.isOver(now) }) { generations.removeAll { $0.isOver(now) } }
            for index in generations.indices { generations[index].sweep(now) }
            count = generations.reduce(0) { $0 + $1.count }
            let isSetBack = Moment.difference(lead, now.lead) > Self.tolerance
            if isSetBack, !generations.isEmpty, generations.count < Self.limit { begin(now) }
        }

        /// Whether there is a claim of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !generations.isEmpty else { return false }
            let id = ClaimID(key)
            return generations.contains { $0.contains(id, now) }
        }

        /// Makes a claim unless there is one of this key that has not ended.
        /// - Parameters:
        ///   - lifetime: The lifetime, in seconds.
        ///   - isFull: Whether new keys are not accepted.
        mutating func claim(_ key: SingleUseKey, lifetime: Int64, _ now: Moment, isFull: Bool) -> SingleUseClaim {
            let id = ClaimID(key)
            if generations.isEmpty {
                guard !isFull else { return .full }
                begin(now)
            }
            let last = generations.count - 1
            for index in 0..<last where generations[index].contains(id, now) { return .lost }
            count -= generations[last].count
            let claim = generations[last].claim(id, lifetime: lifetime, now, isFull: isFull)
            count += generations[last].count
            return claim
        }

        private mutating func begin(_ now: Moment) { generations.append(Generation(now, capacity: capacity)) }
    }
}
