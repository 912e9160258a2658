// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Claims that were made while the wall clock was not set back.
    ///
    /// A claim ends in elapsed time. The wall clock is stored only once for the generation, by its lead over elapsed
    /// time, so that a claim needs no second time. See ``Moment/latestOver(lead:)``.
    struct Generation: Sendable {
        /// The claims and their ends, in seconds of elapsed time after ``epoch``.
        private var claims: ClaimTable
        /// The reference of the claims' ends, in seconds of elapsed time.
        private let epoch: Int64
        /// The end of the claim that ends last, in seconds of elapsed time.
        private(set) var latestEnd: Int64
        /// The largest lead of the wall clock over elapsed time when a claim was made, in seconds.
        private(set) var lead: Int64

        /// Creates an empty generation that begins now.
        /// - Parameter capacity: The number of claims for which its table is made.
        init(_ now: Moment, capacity: Int) {
            claims = ClaimTable(capacity: capacity)
            (epoch, latestEnd, lead) = (now.elapsed, now.elapsed, now.lead)
        }

        /// The number of claims, including those that have ended.
        var count: Int { claims.count }
        /// The memory of the claims in bytes.
        var bytes: Int { claims.bytes }

        /// Whether all claims have ended.
        func isOver(_ now: Moment) -> Bool { latestEnd <= now.latestOver(lead: lead) }

        /// Whether there is a claim that has not ended.
        func contains(_ id: ClaimID, _ now: Moment) -> Bool { claims.contains(id, over: over(now)) }

        /// Makes a claim unless there is one with this ID that has not ended.
        /// - Parameters:
        ///   - lifetime: The lifetime, in seconds.
        ///   - isFull: Whether only those are made that were there and have ended.
        mutating func claim(_ id: ClaimID, lifetime: Int64, _ now: Moment, isFull: Bool) -> SingleUseClaim {
            // 0 is no end, whatever the clock does.
            let end = max(1, offset(of: Moment.sum(now.elapsed, lifetime)))
            let claim = claims.claim(id, until: end, over: over(now), isFull: isFull)
            if claim == .won {
                latestEnd = max(latestEnd, epoch + Int64(end))
                lead = max(lead, now.lead)
            }
            return claim
        }

        /// Removes some of the claims that have ended. See ``ClaimTable/sweep(over:at:)``.
        mutating func sweep(_ now: Moment) { claims.sweep(over: over(now), at: now.elapsed) }

        /// The end of the claims that end now.
        private func over(_ now: Moment) -> UInt32 { offset(of: now.latestOver(lead: lead)) }

        private func offset(of time: Int64) -> UInt32 { UInt32(clamping: Moment.difference(time, epoch)) }
    }
}
