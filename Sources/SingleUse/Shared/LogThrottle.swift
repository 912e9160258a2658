// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Synchronization

/// A line of a log that is written at most once a minute, however often its event occurs.
package final class LogThrottle: Sendable {
    /// The time in which it is not written again.
    package static let pause = TimeAmount.minutes(1)

    private let silentUntil = Mutex<NIODeadline?>(nil)

    /// Creates a line that was not written yet.
    package init() {}

    /// Returns whether to write it now; if so, it counts as written.
    package func isDue(at now: NIODeadline) -> Bool {
        silentUntil.withLock { silentUntil in
            if let silentUntil, silentUntil > now { return false }
            silentUntil = now + Self.pause
            return true
        }
    }
}
