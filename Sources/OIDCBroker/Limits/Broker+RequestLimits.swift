// SPDX-License-Identifier: Apache-2.0

extension Broker {
    /// Replaces the limits on requests, from the next request on. Counts and held memory stay as they are.
    public func replaceRequestLimits(by limits: RequestLimits) {
        services.limiter.replace(by: limits)
    }
}
