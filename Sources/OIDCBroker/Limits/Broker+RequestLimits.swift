// SPDX-License-Identifier: Apache-2.0

extension Broker {
    /// Replaces the limits on who asks, for every request from now on. What was counted, and is held, stays.
    public func replaceRequestLimits(by limits: RequestLimits) {
        services.limiter.replace(by: limits)
    }
}
