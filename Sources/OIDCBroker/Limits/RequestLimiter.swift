// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import RateLimiting

/// What keeps the ``RequestLimits`` of a broker. Reloads change the limits, and what was counted stays.
final class RequestLimiter: Sendable {
    /// The requests of browsers.
    let browsers: AddressRate
    /// The requests of apps that were refused, or are under way and may be.
    let failures: AddressRate
    /// The requests of each app.
    let apps: AppRates
    /// The callbacks that wait for providers.
    let callbacks: CallbackPlaces
    private let metrics: BrokerMetrics

    init(_ limits: RequestLimits, clock: any ElapsedClock, metrics: BrokerMetrics = BrokerMetrics()) {
        self.metrics = metrics
        browsers = AddressRate(limits.browserRate, clock: clock)
        failures = AddressRate(limits.failureRate, clock: clock)
        apps = AppRates(clock: clock)
        callbacks = CallbackPlaces(maximum: limits.callbacks)
    }

    /// Replaces the limits for every request from now on.
    func replace(by limits: RequestLimits) {
        browsers.replace(by: limits.browserRate)
        failures.replace(by: limits.failureRate)
        callbacks.replace(maximum: limits.callbacks)
    }

    /// Counts a request that was over a limit.
    func count(_ limit: RequestLimit) { metrics.limits.increment(limit.rawValue) }
}

/// A limit that a request can be over. The list is closed, since each is a label of a counter.
enum RequestLimit: String, CaseIterable, Sendable {
    case browser
    case failures
    case app
    case callbacks
}

extension RequestLimits {
    var browserRate: TokenBucketRate? { TokenBucketRate(perSecond: browserPerSecond, burst: browserBurst) }
    var failureRate: TokenBucketRate? { TokenBucketRate(perSecond: failuresPerSecond, burst: failuresBurst) }
}
