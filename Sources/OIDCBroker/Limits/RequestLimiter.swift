// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBrokerConfiguration
import OIDCBrokerRecords
import OpenIDRelyingParty

/// The counts behind the ``RequestLimits`` of a broker. A reload changes the limits and keeps the counts.
final class RequestLimiter: Sendable {
    private let rates = Rates()
    /// The memory that clients may make the process hold.
    let memory: MemoryBudget
    /// The callbacks that wait for providers.
    let callbacks: CallbackPlaces
    private let clock: any ElapsedClock
    private let metrics: BrokerMetrics

    init(_ limits: RequestLimits, memory: MemoryBudget, clock: any ElapsedClock, metrics: BrokerMetrics) {
        self.metrics = metrics
        self.memory = memory
        self.clock = clock
        callbacks = CallbackPlaces(maximum: limits.callbackPlaces)
        replace(by: limits)
    }

    /// Replaces the limits for every request from now on.
    func replace(by limits: RequestLimits) {
        memory.size = limits.memory
        rates.replace(.browsers, by: limits.browserRate)
        rates.replace(.subresources, by: limits.subresourceRate)
        for limit in [.refusals, .notifications, .refusedNotifications] as [RateLimit] {
            rates.replace(limit, by: limits.failureRate)
        }
        callbacks.replace(maximum: limits.callbackPlaces)
    }

    /// Counts a request of a browser if it may proceed.
    ///
    /// What a client says about itself never gives it more. Each request takes a token of its client. A request that
    /// says it loads part of another site's page also takes a token from a bucket of a tenth the size. So a client
    /// cannot gain by what it says, and a page uses at most a tenth of what its visitor may do.
    /// - Returns: The time until the client may ask again, in seconds, at least 1; `nil` if it may proceed.
    func takeBrowser(_ client: IPAddress?, isForeignSubresource: Bool) -> Int64? {
        let now = clock.now()
        guard isForeignSubresource else { return rates.take(.browsers, for: client, now: now) }
        if let wait = rates.take(.subresources, for: client, now: now) { return wait }
        guard let wait = rates.take(.browsers, for: client, now: now) else { return nil }
        rates.giveBack(.subresources, for: client, now: now)
        return wait
    }

    /// Counts something for a client, or for a client at the provider with a ``ProviderEntry/number``.
    /// - Returns: The time until it may proceed, in seconds, at least 1; `nil` if it was counted.
    func take(_ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil) -> Int64? {
        rates.take(limit, for: client, at: provider, now: clock.now())
    }

    /// Returns the time until a client may do something, in seconds, at least 1; `nil` if it may now.
    func wait(_ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil) -> Int64? {
        rates.wait(limit, for: client, at: provider, now: clock.now())
    }

    /// Stops counting something that was counted for a client and should not have been.
    func giveBack(_ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil) {
        rates.giveBack(limit, for: client, at: provider, now: clock.now())
    }

    /// Counts a request of an app to token, credential, revoke or UserInfo if it may proceed.
    /// - Returns: The time until the app may ask again, in seconds, at least 1; `nil` if it may proceed.
    func takeRequest(of app: AppEntry) -> Int64? {
        guard let rate = app.rate else { return nil }
        return rates.take(.appRequests, for: app.rateKey, at: rate, now: clock.now())
    }

    /// Counts a start of an app if it may proceed.
    ///
    /// The page on which a user chooses a provider counted as a start, so one choice on it does not count again. A
    /// further choice on the same page begins another login and does count. Otherwise one page would allow any number
    /// of logins.
    /// - Parameters:
    ///   - app: The app.
    ///   - choice: The login ID of the page on which the provider was chosen; `nil` for a start that the app sent.
    /// - Returns: The time until another start may proceed, in seconds, at least 1; `nil` if this one may.
    func takeStart(of app: AppEntry, resuming choice: [UInt8]?) -> Int64? {
        guard let rate = app.rate else { return nil }
        let now = clock.now()
        if let choice, rates.take(.choices, for: RateKey(choice), now: now) == nil { return nil }
        return rates.take(.starts, for: app.rateKey, at: rate, now: now)
    }

    /// Counts a request that was over a limit.
    func count(_ limit: RequestLimit) { metrics.limits.increment(limit.rawValue) }
}

/// A limit that a request can exceed: a row of ``RateLimit`` or a maximum. Each is a label of a counter, so the list is
/// closed.
enum RequestLimit: String, CaseIterable, Sendable {
    case browser
    case subresources
    case failures
    case notifications
    case starts
    case app
    case callbacks
    /// The memory for the requests of all clients.
    case requests
    /// The memory for the requests of one client, or of a network that contains it.
    case requestsOfAddress = "requests-per-address"
}

extension RequestLimits {
    var browserRate: TokenBucketRate? { TokenBucketRate(perSecond: browserPerSecond, burst: browserBurst) }
    /// A tenth of the rate of browsers, rounded down, but at least one a second.
    var subresourceRate: TokenBucketRate? {
        guard browserPerSecond > 0 else { return nil }
        return TokenBucketRate(
            perSecond: max(1, browserPerSecond / 10), burst: max(browserPerSecond, browserBurst) / 10)
    }
    /// The number of callbacks, and half of the requests for which there is memory at most: they wait the longest.
    var callbackPlaces: Int { min(callbacks, memory / 4 / HeldMemory.requestBytes) }
    var failureRate: TokenBucketRate? { TokenBucketRate(perSecond: failuresPerSecond, burst: failuresBurst) }
}

extension BrokerConfiguration.App {
    /// The rate of the app; `nil` for no limit.
    var rate: TokenBucketRate? {
        requestsPerSecond.flatMap { perSecond in
            let bounds = Self.requestsPerSecondBounds
            let rate = min(max(perSecond, bounds.lowerBound), bounds.upperBound)
            return TokenBucketRate(perSecond: rate, burst: rate * 10)
        }
    }
}
