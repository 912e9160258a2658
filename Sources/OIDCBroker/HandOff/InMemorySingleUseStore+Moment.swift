// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// What both clocks show: the wall clock, which somebody may set, and elapsed time, which nobody can.
    struct Moment: Sendable {
        /// Seconds since 1970.
        let wall: Int64
        /// Seconds of elapsed time; only differences mean anything.
        let elapsed: Int64

        /// How long a mark waits at most for a wall clock that was set back, behind the end of its lifetime, seconds.
        static let longestWait: Int64 = 7200

        /// How long what expires then lives from now on, seconds; not below 0, and no longer than 136 years.
        func lifetime(until expiry: Int64) -> Int64 {
            let (lifetime, overflows) = expiry.subtractingReportingOverflow(wall)
            if overflows { return expiry > wall ? Int64(UInt32.max) : 0 }
            return min(max(0, lifetime), Int64(UInt32.max))
        }

        /// How far the wall clock is ahead of elapsed time, seconds.
        var lead: Int64 { Self.clamped(wall.subtractingReportingOverflow(elapsed), wall) }

        /// Whether a mark is over: both clocks say so, or only the wall clock does not, for ``longestWait``.
        /// - Parameters:
        ///   - end: in elapsed time.
        ///   - lead: the wall clock's when the mark was made, or more.
        func isOver(end: Int64, lead: Int64) -> Bool {
            guard elapsed >= end else { return false }
            if wall >= Self.clamped(end.addingReportingOverflow(lead), lead) { return true }
            return elapsed >= Self.clamped(end.addingReportingOverflow(Self.longestWait), Self.longestWait)
        }

        private static func clamped(_ result: (partialValue: Int64, overflow: Bool), _ sign: Int64) -> Int64 {
            guard result.overflow else { return result.partialValue }
            return sign < 0 ? .min : .max
        }
    }
}
