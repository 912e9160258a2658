// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

extension ServerConfiguration.Limits {
    /// The limits of the broker that the server serves, which the code that creates the broker hands to it.
    public var requestLimits: RequestLimits {
        var limits = RequestLimits()
        limits.browserPerSecond = browserPerSecond
        limits.browserBurst = browserBurst
        limits.failuresPerSecond = failuresPerSecond
        limits.failuresBurst = failuresBurst
        limits.callbacks = callbacks
        return limits
    }
}
