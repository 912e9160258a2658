// SPDX-License-Identifier: Apache-2.0

import Accounts
import Admission
import Metrics

/// A limiter whose refusals are counted as `auth_limits`, by the row of the table of rates.
struct CountedAccountLimiter: AccountLimiter {
    private static let limits: [RateLimit] = [
        .signIns, .attempts, .writes, .recentWrites, .refreshes, .lookups, .accountLookups, .newAccountsOfNetwork,
        .newAccounts,
    ]

    private let limiter: any AccountLimiter
    private let refusals: [RateLimit: Counter]

    /// - Parameter factory: What makes the counters. They are made here: set the metrics system first.
    init(_ limiter: any AccountLimiter, factory: any MetricsFactory = MetricsSystem.factory) {
        self.limiter = limiter
        refusals = Dictionary(
            uniqueKeysWithValues: Self.limits.map {
                ($0, Counter(label: "auth_limits", dimensions: [("limit", "\($0)")], factory: factory))
            })
    }

    func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        counted(limiter.take(operation, now: now), operation)
    }

    func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        counted(limiter.decide(operation, now: now), operation)
    }

    private func counted(
        _ decision: AccountRateDecision, _ operation: LimitedAccountOperation
    ) -> AccountRateDecision {
        if decision != .proceed { refusals[operation.bucket.limit]?.increment() }
        return decision
    }
}
