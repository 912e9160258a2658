// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import RateLimiting
import Synchronization

/// The limits on how often each app may ask, by the names of the apps in the configuration, whatever reloads change
/// otherwise.
final class AppRates: Sendable {
    /// What an app asks for. Anyone can start a sign-in in the name of an app, and must not use up what it may redeem.
    enum Kind: Sendable, Hashable {
        /// A start, or the choice of a provider.
        case start
        /// A request to token, credential, revoke or UserInfo.
        case request
    }

    private struct Key: Sendable, Hashable {
        let app: String
        let kind: Kind
    }

    private let state = Mutex(TokenBucketTable<Key>(maximumCount: TokenBucketTable<Key>.usualMaximumCount))
    private let clock: any ElapsedClock

    init(clock: any ElapsedClock) { self.clock = clock }

    /// Counts a request of an app if it may proceed. An app without a rate has no limit.
    /// - Returns: The time until one may, in seconds, at least 1; `nil` if it may proceed.
    func take(_ kind: Kind, of app: AppEntry) -> Int64? {
        guard let rate = app.rate else { return nil }
        let now = clock.now()
        // A name of the configuration, which is short ASCII.
        let key = Key(app: app.configuration.name, kind: kind)
        return state.withLock { $0.take(key, at: rate, now: now) }
    }
}

extension BrokerConfiguration.App {
    /// The bounds of `requests-per-second`.
    static let requestsPerSecondBounds = 1...1_000_000

    /// The rate of the app; `nil` for no limit.
    var rate: TokenBucketRate? {
        requestsPerSecond.flatMap { perSecond in
            let bounds = Self.requestsPerSecondBounds
            let rate = min(max(perSecond, bounds.lowerBound), bounds.upperBound)
            return TokenBucketRate(perSecond: rate, burst: rate * 10)
        }
    }
}
