// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A limit on the log lines that clients can cause: one line of each kind is written per second. The others are
/// counted, and the next line of the kind reports their number.
final class RepeatedLines: Sendable {
    private let state = Mutex(StateMachine())

    /// Records that a line is to be written.
    /// - Parameters:
    ///   - provider: The number of the provider; `nil` if there is none, or it is not known.
    ///   - now: The time of the wall clock, in seconds.
    func note(_ line: RepeatableLine, at place: RepeatableLine.Place, provider: UInt64?, now: Int64) -> Action {
        state.withLock { $0.note(line, at: place, provider: provider, now: now) }
    }
}
