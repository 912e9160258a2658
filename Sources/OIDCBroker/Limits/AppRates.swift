// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Admission
import Synchronization

/// The limits on how often each app may ask, by the names of the apps in the configuration, whatever reloads change
/// otherwise. An app without a rate has no limit.
///
/// Anyone can start a sign-in in the name of an app, and must not use up what it may redeem: starts are counted apart.
final class AppRates: Sendable {
    /// The time for which a choice is known to be resumed, in seconds: as long as it can be.
    private static let resumption = TokenBucketRate(onceIn: LoginState.lifetime)

    /// The buckets, by names of the configuration, which are short ASCII.
    private struct State {
        var starts = TokenBucketTable<String>(maximumCount: TokenBucketTable<String>.usualMaximumCount)
        var requests = TokenBucketTable<String>(maximumCount: TokenBucketTable<String>.usualMaximumCount)
        /// The choices that were resumed, by their login IDs.
        var choices = TokenBucketTable<[UInt8]>(maximumCount: TokenBucketTable<[UInt8]>.usualMaximumCount)
    }

    private let state = Mutex(State())
    private let clock: any ElapsedClock

    init(clock: any ElapsedClock) { self.clock = clock }

    /// Counts a request of an app to token, credential, revoke or UserInfo if it may proceed.
    /// - Returns: The time until one may, in seconds, at least 1; `nil` if it may proceed.
    func takeRequest(of app: AppEntry) -> Int64? {
        guard let rate = app.rate else { return nil }
        let now = clock.now()
        let name = app.configuration.name
        return state.withLock { $0.requests.take(name, at: rate, now: now) }
    }

    /// Counts a start of an app if it may proceed.
    ///
    /// The page on which a person chooses a provider was counted as a start, and the choice is not counted once more.
    /// But each further choice on the same page begins a login, and is: otherwise one page would do for any number.
    /// - Parameters:
    ///   - app: The app.
    ///   - choice: The login ID of the choice that the start resumes; `nil` for one that the app sent.
    /// - Returns: The time until one may, in seconds, at least 1; `nil` if it may proceed.
    func takeStart(of app: AppEntry, resuming choice: [UInt8]?) -> Int64? {
        guard let rate = app.rate else { return nil }
        let now = clock.now()
        let name = app.configuration.name
        return state.withLock { state in
            if let choice, state.choices.take(choice, at: Self.resumption, now: now) == nil { return nil }
            return state.starts.take(name, at: rate, now: now)
        }
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
