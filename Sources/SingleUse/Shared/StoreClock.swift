// SPDX-License-Identifier: Apache-2.0

package import Logging
import NIOCore
import Synchronization

/// By how much the clock of a store's server differs from that of this process, as of the last connection.
///
/// Replicas cannot ask each other for the time. Each compares its own with that of the server that all share.
package final class StoreClock: Sendable {
    private let now: @Sendable () -> Int64
    private let tolerance: Int64
    private let logger: Logger
    private let line = LogThrottle()
    private let last = Mutex<Int64?>(nil)

    /// - Parameters:
    ///   - tolerance: The maximum difference that is as it should be, in seconds.
    ///   - now: The wall clock of this process, in seconds since 1970.
    package init(tolerance: Int64, logger: Logger, now: @escaping @Sendable () -> Int64) {
        self.tolerance = tolerance
        self.now = now
        self.logger = logger
    }

    /// The time of the server less that of this process, in seconds; `nil` if no server has told it.
    var offset: Int64? { last.withLock { $0 } }

    /// A server told its time, in seconds since 1970.
    func compare(_ seconds: Int64, at now: NIODeadline) {
        let (difference, overflows) = seconds.subtractingReportingOverflow(self.now())
        let offset = overflows ? (seconds < 0 ? Int64.min : Int64.max) : difference
        last.withLock { $0 = offset }
        guard offset.magnitude > tolerance.magnitude, line.isDue(at: now) else { return }
        logger.warning(
            "clock differs from the clock of the store: check NTP; sign-ins fail if replicas differ this much",
            metadata: ["auth.seconds": "\(offset)"])
    }
}
