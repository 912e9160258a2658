// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// The time of both clocks: the wall clock, which may be changed, and elapsed time, which cannot.
    struct Moment: Sendable {
        /// Seconds since 1970.
        let wall: Int64
        /// The elapsed time in seconds. Only differences are meaningful.
        let elapsed: Int64

        /// The maximum time for which a claim remains after the end of its lifetime because the wall clock was set back,
        /// in seconds.
        static let longestWait: Int64 = 7200

        /// The longest lifetime in seconds, 136 years.
        private static let longestLifetime = Int64(UInt32.max)

        /// Returns a lifetime in whole seconds, rounded up, between 1 second and 136 years.
        static func seconds(_ lifetime: Duration) -> Int64 {
            let (seconds, attoseconds) = lifetime.components
            guard seconds < longestLifetime else { return longestLifetime }
            return max(1, attoseconds > 0 ? seconds + 1 : seconds)
        }

        /// Returns a time some seconds later, at most the maximum.
        static func sum(_ time: Int64, _ seconds: Int64) -> Int64 {
            clamped(time.addingReportingOverflow(seconds), seconds)
        }

        /// The lead of the wall clock over elapsed time, in seconds.
        var lead: Int64 { Self.difference(wall, elapsed) }

        /// Returns the seconds from one time to another, at most as many as can be represented.
        static func difference(_ time: Int64, _ earlier: Int64) -> Int64 {
            clamped(time.subtractingReportingOverflow(earlier), time)
        }

        /// Returns the latest end, in seconds of elapsed time, at which a claim has ended: by both clocks, or only by elapsed
        /// time and for more than ``longestWait``.
        /// - Parameter lead: The lead of the wall clock when the claim was made, or a larger one.
        func latestOver(lead: Int64) -> Int64 {
            min(elapsed, max(Self.difference(wall, lead), Self.difference(elapsed, Self.longestWait)))
        }

        private static func clamped(_ result: (partialValue: Int64, overflow: Bool), _ sign: Int64) -> Int64 {
            guard result.overflow else { return result.partialValue }
            return sign < 0 ? .min : .max
        }
    }
}
