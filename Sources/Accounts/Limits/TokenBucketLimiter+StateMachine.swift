// SPDX-License-Identifier: Apache-2.0

import Admission

extension TokenBucketLimiter {
    /// The buckets. It has no lock and no clock; `now` is given in seconds of elapsed time.
    struct StateMachine: Sendable {
        private var buckets: TokenBucketTable<AccountBucketKey>
        /// The bucket of all new accounts. It is never forgotten.
        private var newAccounts = TokenBucket()

        init(maximumCount: Int) {
            buckets = TokenBucketTable(maximumCount: maximumCount)
        }

        /// The number of buckets that can be forgotten.
        var count: Int { buckets.count }

        /// Whether there is a bucket for an operation.
        func holds(_ operation: LimitedAccountOperation) -> Bool {
            operation.bucket.map { buckets.holds($0) } ?? true
        }

        /// Decides about an operation, and counts it if it may proceed.
        @discardableResult
        mutating func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            guard let key = operation.bucket else {
                buckets.forgetFull(now: now)
                return AccountRateDecision(waiting: newAccounts.take(at: operation.rate, now: now))
            }
            return AccountRateDecision(waiting: buckets.take(key, at: operation.rate, now: now))
        }

        /// Decides about an operation without counting it.
        func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            guard let key = operation.bucket else {
                return AccountRateDecision(waiting: newAccounts.wait(at: operation.rate, now: now))
            }
            return AccountRateDecision(waiting: buckets.wait(for: key, at: operation.rate, now: now))
        }
    }
}

extension AccountRateDecision {
    /// - Parameter seconds: The time until there is a token, in seconds; `nil` if there is one.
    fileprivate init(waiting seconds: Int64?) {
        self = seconds.map { .wait(seconds: $0) } ?? .proceed
    }
}

extension LimitedAccountOperation {
    private static let thirtyAMinute = TokenBucketRate(perMinute: 30)
    private static let sixtyAMinute = TokenBucketRate(perMinute: 60)
    private static let twoASecond = TokenBucketRate(perMinute: 120)
    private static let sixHundredAMinute = TokenBucketRate(perMinute: 600)

    /// The number of operations a minute, all of which may come at once.
    var rate: TokenBucketRate {
        switch self {
        case .signIn, .attempt, .write, .refresh: Self.thirtyAMinute
        case .newAccountFrom: Self.sixtyAMinute
        case .lookup: Self.twoASecond
        case .newAccount, .lookups: Self.sixHundredAMinute
        }
    }

    /// What identifies the bucket; `nil` for the only one of its kind.
    var bucket: AccountBucketKey? {
        switch self {
        case .signIn(let key, let app, let network):
            var bytes: [UInt8] = [1]
            for text in [key.issuer, key.subject, app] {
                // Two texts one behind the other could be two others as well; with their lengths they cannot.
                withUnsafeBytes(of: UInt64(text.utf8.count)) { bytes.append(contentsOf: $0) }
                bytes.append(contentsOf: text.utf8)
            }
            return AccountBucketKey(bytes + (network ?? []))
        case .write(let account, let isRecent):
            return AccountBucketKey([isRecent ? 5 : 2] + Array(account.text.utf8))
        // The identifier of a session has a fixed length.
        case .refresh(let session, let secretHash): return AccountBucketKey([3] + session.bytes + secretHash)
        case .attempt(let session):
            return AccountBucketKey([4] + session.id.bytes + Array(session.account.text.utf8))
        case .newAccountFrom(let network): return AccountBucketKey([6] + network)
        case .lookup(let session):
            return AccountBucketKey([7] + session.id.bytes + Array(session.account.text.utf8))
        case .lookups(let account): return AccountBucketKey([8] + Array(account.text.utf8))
        case .newAccount: return nil
        }
    }
}
