// SPDX-License-Identifier: Apache-2.0

import Accounts
import OIDCBroker
import SingleUse

/// What is known of the database of accounts, by how its transactions end: a state machine without a clock.
struct AccountStoreAvailability: Sendable, Hashable {
    /// The time without a success after which a database that fails counts as away, in seconds.
    static let patience: Int64 = 5

    private var wasReached = false
    /// Since when it has failed, in seconds; `nil` if it succeeded last, or was not asked.
    private var failingSince: Int64?

    /// What is known of it.
    /// - Parameter now: The time, in seconds since a fixed moment.
    func status(at now: Int64) -> SharedStoreStatus {
        guard wasReached else { return .notReached }
        return failingSince.map { now - $0 >= Self.patience } ?? false ? .away : .reached
    }

    /// Whether it has to be asked to know more.
    var isInDoubt: Bool { !wasReached || failingSince != nil }

    /// A transaction ended.
    /// - Parameters:
    ///   - error: The error; `nil` if it succeeded. One that the transaction's own rules threw says that the database
    ///     answers, and so does a conflict.
    ///   - now: The time, in seconds since the same moment.
    mutating func ended(_ error: (any Error)?, at now: Int64) {
        if let error = error as? AccountStoreError, error.code == .unavailable {
            failingSince = failingSince ?? now
        } else {
            (wasReached, failingSince) = (true, nil)
        }
    }
}
