// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// What a try of a write excludes while it runs.
    enum WriteExclusion: Sendable, Hashable {
        /// Nothing: the first one to commit wins.
        case nothing
        /// Other tries of this kind that are about the same accounts, identities or addresses.
        case sameRecords
        /// Every other write, of any process.
        case everything
    }

    /// How often a transaction is tried, and the pauses between the tries: a state machine without threads and without
    /// a database.
    ///
    /// Of transactions that conflict, one succeeds, and the others are retried; among many of them, some would starve.
    /// With eight connections that all write one account, 94 of 1,600 transactions failed five times. An exclusive lock
    /// from the second try on left no failure, but one client that uses its account many times at once made all others
    /// wait. So there are steps:
    ///
    /// 1. the first try takes no turn;
    /// 2. the second and the third wait for retries that are about the same records, see ``RecordLocks``. Only
    ///    transactions that failed wait then, one after another. A first try can still conflict with them;
    /// 3. after the third conflict, and in the last try, it runs while no other write does, see
    ///    ``TransactionStatement/exclude``. Nothing conflicts with it, so it cannot starve.
    struct TransactionTries: Sendable {
        /// The maximum number of tries.
        static let limit = 5
        /// The number of conflicts from which on a try runs while no other write does.
        static let conflictsUntilAlone = 3

        private var failures = 0
        private var conflicts = 0

        /// What the next try excludes.
        var exclusion: WriteExclusion {
            guard conflicts > 0 else { return .nothing }
            return conflicts >= Self.conflictsUntilAlone || failures == Self.limit - 1 ? .everything : .sameRecords
        }

        /// The longest pause after a number of failures: 10 ms, doubled each time.
        static func longestPause(after failures: Int) -> TimeAmount {
            .milliseconds(10 << Int64(min(max(failures, 1), limit) - 1))
        }

        /// A try failed.
        /// - Returns: The time to wait before the next one, which is random, so that transactions that conflicted do
        ///   not meet again; `nil` if there is none.
        mutating func pause(after remedy: TransactionFailure.Remedy) -> TimeAmount? {
            let last = exclusion
            failures += 1
            guard failures < Self.limit else { return nil }
            switch remedy {
            case .none: return nil
            case .alone where last == .everything: return nil
            case .again, .alone: conflicts += 1
            case .anotherConnection: break
            }
            return .nanoseconds(Int64.random(in: 1_000_000...Self.longestPause(after: failures).nanoseconds))
        }
    }
#endif
