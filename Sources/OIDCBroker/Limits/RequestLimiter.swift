// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Admission

/// What keeps the ``RequestLimits`` of a broker. Reloads change the limits, and what was counted stays.
final class RequestLimiter: Sendable {
    /// The requests of browsers.
    private let browsers: AddressRate
    /// Those of them that are parts of foreign pages.
    private let subresources: AddressRate
    /// The requests of apps that were refused, or are under way and may be.
    let failures: AddressRate
    /// The notifications of each provider that were refused, or are being checked and may be.
    let notifications: AddressRate
    /// Those of them that were refused.
    let refusedNotifications: AddressRate
    /// The requests of each app.
    let apps: AppRates
    /// The callbacks that wait for providers.
    let callbacks: CallbackPlaces
    /// The memory for what clients make the process hold.
    let memory: MemoryBudget
    private let metrics: BrokerMetrics

    init(_ limits: RequestLimits, clock: any ElapsedClock, metrics: BrokerMetrics = BrokerMetrics()) {
        self.metrics = metrics
        browsers = AddressRate(limits.browserRate, clock: clock)
        subresources = AddressRate(limits.subresourceRate, clock: clock)
        failures = AddressRate(limits.failureRate, clock: clock)
        notifications = AddressRate(limits.failureRate, clock: clock)
        refusedNotifications = AddressRate(limits.failureRate, clock: clock)
        apps = AppRates(clock: clock)
        callbacks = CallbackPlaces(maximum: limits.callbacks)
        memory = MemoryBudget(bytes: limits.memory)
    }

    /// Replaces the limits for every request from now on.
    func replace(by limits: RequestLimits) {
        browsers.replace(by: limits.browserRate)
        subresources.replace(by: limits.subresourceRate)
        for rate in [failures, notifications, refusedNotifications] { rate.replace(by: limits.failureRate) }
        callbacks.replace(maximum: limits.callbacks)
        memory.size = limits.memory
    }

    /// Counts a request of a browser if it may proceed.
    ///
    /// What a client says of itself never gives it more: each request takes from the bucket of its client, and one that
    /// says that it is a part of a foreign page takes from a bucket of a tenth besides. So no mixture lets more through
    /// than saying nothing does, and a page uses up a tenth at most of what those may do who look at it.
    /// - Returns: The time until one may, in seconds, at least 1; `nil` if it may proceed.
    func takeBrowser(_ client: IPAddress?, isForeignSubresource: Bool) -> Int64? {
        guard isForeignSubresource else { return browsers.take(client) }
        if let wait = subresources.take(client) { return wait }
        guard let wait = browsers.take(client) else { return nil }
        subresources.giveBack(client)
        return wait
    }

    /// Counts a request that was over a limit.
    func count(_ limit: RequestLimit) { metrics.limits.increment(limit.rawValue) }
}

/// A limit that a request can be over. The list is closed, since each is a label of a counter.
enum RequestLimit: String, CaseIterable, Sendable {
    case browser
    case failures
    case notifications
    case app
    case callbacks
    /// The memory for the requests of all clients that wait.
    case requests
    /// That for those of one client, or of a network that contains it.
    case requestsOfAddress = "requests-per-address"
}

extension RequestLimits {
    var browserRate: TokenBucketRate? { TokenBucketRate(perSecond: browserPerSecond, burst: browserBurst) }
    /// A tenth of the rate of browsers, rounded down, and at least one a second.
    var subresourceRate: TokenBucketRate? {
        guard browserPerSecond > 0 else { return nil }
        return TokenBucketRate(
            perSecond: max(1, browserPerSecond / 10), burst: max(browserPerSecond, browserBurst) / 10)
    }
    var failureRate: TokenBucketRate? { TokenBucketRate(perSecond: failuresPerSecond, burst: failuresBurst) }
}
