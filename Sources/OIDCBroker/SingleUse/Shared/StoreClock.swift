// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OIDCBrokerState
import OpenIDRelyingParty
import Synchronization

/// By how much the clock of a store's server differs from that of this process, as of the last connection.
///
/// Replicas cannot ask each other for the time. Each compares its own with that of the server that all share.
final class StoreClock: Sendable {
    /// The maximum difference that is as it should be, in seconds. What replicas share outlives twice as much.
    static let tolerance = LoginState.clockSkew

    private let clock: any UnixClock
    private let logger: Logger
    private let line = RareLine()
    private let last = Mutex<Int64?>(nil)

    init(clock: any UnixClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// The time of the server less that of this process, in seconds; `nil` if no server has told it.
    var offset: Int64? { last.withLock { $0 } }

    /// A server told its time, in seconds since 1970.
    func compare(_ seconds: Int64, at now: NIODeadline) {
        let (difference, overflows) = seconds.subtractingReportingOverflow(clock.now())
        let offset = overflows ? (seconds < 0 ? Int64.min : Int64.max) : difference
        last.withLock { $0 = offset }
        guard offset.magnitude > Self.tolerance.magnitude, line.isDue(at: now) else { return }
        logger.warning(
            "the clock of the store differs from that of this machine: sign-ins fail where replicas differ so much",
            metadata: ["auth.seconds": "\(offset)"])
    }
}
