// SPDX-License-Identifier: Apache-2.0

import Admission
import Synchronization

/// An ``AccountLimiter`` in the memory of this process, which gives each identity at an app, account and session token
/// buckets.
///
/// | operation | limit |
/// | --- | --- |
/// | sign-ins of one identity at one app, those with a credential of the client's own also by its network | 30 a minute |
/// | attempts of one session to change its account | 30 a minute |
/// | changes of one account that sessions of a recent sign-in ask for | 30 a minute |
/// | changes of one account that its other sessions ask for | 30 a minute |
/// | refreshes of one session with one secret | 30 a minute |
/// | lookups of one session | 120 a minute |
/// | lookups of one account by its live sessions | 600 a minute |
/// | new accounts from one IPv4 address, IPv6 /64, /56 or /48 | 60 a minute |
/// | new accounts, all together | 600 a minute |
///
/// A bucket holds the tokens of a minute and is filled evenly, so as many operations as in a minute may come at once.
/// At most 100,000 buckets are kept, in some 10 MB. A full one is forgotten, since it is as if there was none. If there
/// are more that are not full, the fullest is forgotten, and nothing is refused for lack of memory: otherwise a crowd
/// of clients could keep everybody else out. What an attacker forces to be forgotten that way is the count of clients
/// that did little; the empty buckets, which hold somebody back, are forgotten last.
public final class TokenBucketLimiter: AccountLimiter {
    /// The maximum number of buckets.
    static let maximumCount = TokenBucketTable<AccountBucketKey>.usualMaximumCount

    private let state: Mutex<StateMachine>

    /// Creates a limiter that has counted nothing.
    public init() {
        state = Mutex(StateMachine(maximumCount: Self.maximumCount))
    }

    @discardableResult
    public func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        state.withLock { $0.take(operation, now: now) }
    }

    public func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        state.withLock { $0.decide(operation, now: now) }
    }
}
