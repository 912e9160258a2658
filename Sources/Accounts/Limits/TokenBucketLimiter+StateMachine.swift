// SPDX-License-Identifier: Apache-2.0

extension TokenBucketLimiter {
    /// The buckets. It has no lock and no clock; `now` is given in seconds of elapsed time.
    ///
    /// A bucket is kept as the time at which it will be full, which says all about it: a token taken makes that time
    /// later by the interval in which a token comes, and a bucket is empty if it takes a minute to fill.
    struct StateMachine: Sendable {
        /// The time in which an empty bucket fills, in milliseconds.
        private static let fillTime: Int64 = 60_000
        /// The number of full buckets that an operation forgets, one more than it can add. So the table shrinks, and no
        /// operation takes long.
        private static let forgottenAtOnce = 2

        private let maximumCount: Int
        private var buckets = TokenBuckets()
        /// The time at which the bucket of new accounts is full, in milliseconds. It is never forgotten.
        private var newAccountsFullAt = Int64.min

        init(maximumCount: Int) {
            self.maximumCount = max(1, maximumCount)
        }

        /// The number of buckets that can be forgotten.
        var count: Int { buckets.count }

        /// Whether there is a bucket for an operation.
        func holds(_ operation: LimitedAccountOperation) -> Bool {
            operation.bucket.map { buckets[$0] != nil } ?? true
        }

        /// Decides about an operation, and counts it if it may proceed.
        @discardableResult
        mutating func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            let now = Self.milliseconds(now)
            let key = operation.bucket
            let fullAt = time(of: key)
            let decision = Self.decide(operation, fullAt: fullAt, now: now)
            forgetFull(now)
            guard decision == .proceed else { return decision }
            let next = max(fullAt, now) + operation.interval
            guard let key else {
                newAccountsFullAt = next
                return decision
            }
            if buckets.count >= maximumCount, buckets[key] == nil { buckets.removeFullest() }
            buckets.set(key, fullAt: next)
            return decision
        }

        /// Decides about an operation without counting it.
        func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            Self.decide(operation, fullAt: time(of: operation.bucket), now: Self.milliseconds(now))
        }

        /// The time at which a bucket is full, in milliseconds. One that is not there is full at any time.
        private func time(of key: TokenBuckets.Key?) -> Int64 {
            guard let key else { return newAccountsFullAt }
            return buckets[key] ?? .min
        }

        private mutating func forgetFull(_ now: Int64) {
            for _ in 0..<Self.forgottenAtOnce {
                guard let fullAt = buckets.fullestFullAt, fullAt <= now else { return }
                buckets.removeFullest()
            }
        }

        private static func decide(
            _ operation: LimitedAccountOperation, fullAt: Int64, now: Int64
        ) -> AccountRateDecision {
            let wait = max(fullAt, now) + operation.interval - now - fillTime
            return wait <= 0 ? .proceed : .wait(seconds: (wait + 999) / 1000)
        }

        /// A time in milliseconds. No clock reaches the bound, which keeps the arithmetic from overflowing.
        private static func milliseconds(_ seconds: Int64) -> Int64 {
            let bound: Int64 = 1 << 50
            return min(max(seconds, -bound), bound) * 1000
        }
    }
}

extension LimitedAccountOperation {
    /// The number of operations a minute.
    var perMinute: Int64 {
        switch self {
        case .signIn, .attempt, .write, .refresh: 30
        case .newAccount: 600
        }
    }

    /// The time in which a token comes, in milliseconds.
    var interval: Int64 { 60_000 / perMinute }

    /// What identifies the bucket; `nil` for the only one of its kind.
    var bucket: TokenBuckets.Key? {
        switch self {
        case .signIn(let key):
            var bytes: [UInt8] = [1]
            // Two texts one behind the other could be two others as well; with the length of the first they cannot.
            withUnsafeBytes(of: UInt64(key.issuer.utf8.count)) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: key.issuer.utf8)
            bytes.append(contentsOf: key.subject.utf8)
            return TokenBuckets.Key(bytes)
        case .write(let account, let isRecent):
            return TokenBuckets.Key([isRecent ? 5 : 2] + Array(account.text.utf8))
        // The identifier of a session has a fixed length.
        case .refresh(let session, let secretHash): return TokenBuckets.Key([3] + session.bytes + secretHash)
        case .attempt(let session): return TokenBuckets.Key([4] + session.id.bytes + Array(session.account.text.utf8))
        case .newAccount: return nil
        }
    }
}
