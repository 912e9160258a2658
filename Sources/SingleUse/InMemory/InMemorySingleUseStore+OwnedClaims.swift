// SPDX-License-Identifier: Apache-2.0

import Admission

extension InMemorySingleUseStore {
    /// Claims that a provider can cause in any number, as those of native credentials, since it can sign any number of
    /// tokens.
    ///
    /// They have a separate capacity, and one provider uses at most half of it, so that they do not displace the claims
    /// of logins or of other providers. There is no lock and no clock.
    struct OwnedClaims: Sendable {
        private let capacity: Int
        private var claims: Generations
        /// The number of recent claims of each provider. Ended ones count for some time longer.
        private var made: RecentTally<SingleUseKey>

        /// - Parameters:
        ///   - capacity: The maximum number of claims.
        ///   - lifetime: The lifetime of claims, in seconds.
        init(capacity: Int, lifetime: Int64) {
            self.capacity = capacity
            claims = Generations(capacity: capacity)
            made = RecentTally(turn: lifetime, limit: 4096)
        }

        /// The number of claims, including those that have ended.
        var count: Int { claims.count }
        /// The part of the capacity that is used, 0 to 1.
        var fullness: Double { Double(claims.count) / Double(max(1, capacity)) }

        /// Drops claims that have ended.
        mutating func advance(to now: Moment) {
            guard claims.count > 0 else { return }
            claims.advance(to: now)
            made.advance(to: now.elapsed)
        }

        /// Whether there is a claim of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            claims.count > 0 && claims.contains(key, now)
        }

        /// Makes a claim unless there is one of this key that has not ended.
        mutating func claim(
            _ key: SingleUseKey, of provider: SingleUseKey?, lifetime: Int64, _ now: Moment
        ) -> SingleUseClaim {
            made.advance(to: now.elapsed)
            if claims.contains(key, now) { return .lost }
            if let provider, made.count(of: provider) >= max(1, capacity / 2) { return .tooManyOfProvider }
            let claim = claims.claim(key, lifetime: lifetime, now, isFull: claims.count >= capacity)
            if claim == .won, let provider { made.add(provider) }
            return claim
        }
    }
}
