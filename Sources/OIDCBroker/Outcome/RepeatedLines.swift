// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps a stranger from filling the log: of each kind of line that anybody can cause, one a second is written; the others
/// are counted, and the next line of the kind says how many they were.
final class RepeatedLines: Sendable {
    private let state = Mutex(StateMachine())

    /// A line is about to be written.
    /// - Parameters:
    ///   - provider: the number of whose line it is; nil: nobody's, or not known.
    ///   - now: the wall clock, seconds.
    func note(_ line: RepeatableLine, at place: RepeatableLine.Place, provider: UInt64?, now: Int64) -> Action {
        state.withLock { $0.note(line, at: place, provider: provider, now: now) }
    }
}
