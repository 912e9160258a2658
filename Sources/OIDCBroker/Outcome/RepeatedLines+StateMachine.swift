// SPDX-License-Identifier: Apache-2.0

extension RepeatedLines {
    /// What becomes of a line.
    enum Action: Sendable, Hashable {
        /// Write it, and say how many like it were left out since the last one.
        case write(leftOut: Int)
        /// Count it only.
        case leaveOut
    }

    /// Which line of each kind may be written: the first in each second of the clock.
    struct StateMachine: Sendable {
        private struct Kind: Sendable {
            /// The second in which one was written last; nil: never.
            var second: Int64?
            var leftOut = 0
        }

        private var kinds = [Kind](repeating: Kind(), count: RepeatableLine.allCases.count)

        /// A line is about to be written.
        /// - Parameter now: the wall clock, seconds. One that was stepped back begins a second of its own, so that a step
        ///   never silences a kind.
        mutating func note(_ line: RepeatableLine, now: Int64) -> Action {
            guard kinds[line.rawValue].second == now else {
                let leftOut = kinds[line.rawValue].leftOut
                kinds[line.rawValue] = Kind(second: now)
                return .write(leftOut: leftOut)
            }
            if kinds[line.rawValue].leftOut < .max { kinds[line.rawValue].leftOut += 1 }
            return .leaveOut
        }
    }
}
