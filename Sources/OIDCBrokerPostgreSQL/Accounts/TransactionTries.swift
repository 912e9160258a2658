// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// How often a transaction is tried, and what lies between: a state machine without threads and without a database.
    ///
    /// Of transactions that are in each other's way one succeeds, and the others begin anew; among many of them, some
    /// would never have their turn. So after a failure a write runs while no other does, see
    /// ``AccountStatement/exclude``.
    struct TransactionTries: Sendable {
        /// The maximum number of tries.
        static let limit = 5

        private var failures = 0
        /// Whether the next try runs while no other write does.
        private(set) var isAlone = false

        /// The longest pause after a number of failures: 10 ms, doubled each time.
        static func longestPause(after failures: Int) -> TimeAmount {
            .milliseconds(10 << Int64(min(max(failures, 1), limit) - 1))
        }

        /// A try failed.
        /// - Returns: The time to wait before the next one, which is random, so that those that were in each other's way
        ///   do not meet again; `nil` if there is none.
        mutating func pause(after remedy: TransactionFailure.Remedy) -> TimeAmount? {
            failures += 1
            guard failures < Self.limit else { return nil }
            switch remedy {
            case .none: return nil
            case .alone where isAlone: return nil
            case .again, .alone: isAlone = true
            case .anotherConnection: break
            }
            return .nanoseconds(Int64.random(in: 1_000_000...Self.longestPause(after: failures).nanoseconds))
        }
    }
#endif
