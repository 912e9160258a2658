// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

extension RequestLimits {
    /// The default limits, but without those on one address.
    static var withoutRates: RequestLimits {
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.failuresPerSecond) = (0, 0)
        return limits
    }
}
