// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
package import OIDCBrokerConfiguration

/// The keys of the limits, under `server.`.
extension ServerConfiguration.Limits: SettingSection {
    package static let settings: [Setting<ServerConfiguration.Limits>] = [
        Setting(
            "maximum-connections", \.connections, .integer,
            "the maximum number of open connections; less, with a warning, if the process may not open as many files",
            bounds: .range(1...1_000_000)),
        Setting(
            "maximum-connections-per-address", \.connectionsPerAddress, .integer,
            "the maximum number of open connections from one address (IPv6: from one /64); it does not apply to "
                + "`trusted-proxies`, which speak for others", bounds: .range(1...1_000_000)),
        Setting(
            "memory-bytes", \.requestLimits.memoryBytes, .integer,
            """
            the memory that clients may make the process hold, beside the store: connections, streams, unread \
            responses, bodies and requests under way; `maximum-connections` counts within it
            """,
            default: "a quarter of the memory of the control group or the machine, 64 to 256 MiB",
            bounds: .range(RequestLimits.memoryBounds)),
        Setting(
            "maximum-callbacks", \.requestLimits.callbacks, .integer,
            "the maximum number of callbacks that wait for providers at once; of several providers, one may have half",
            bounds: .range(2...1_000_000)),
        Setting(
            "rate-limit.browser-per-second", \.requestLimits.browserPerSecond, .integer,
            "the number of requests of browsers for each address and second; 0 is no limit",
            bounds: .range(0...1_000_000)
        ),
        Setting(
            "rate-limit.browser-burst", \.requestLimits.browserBurst, .integer,
            "the number of such requests that may come at once", bounds: .range(1...1_000_000)),
        Setting(
            "rate-limit.failures-per-second", \.requestLimits.failuresPerSecond, .integer,
            """
            the number of refused requests of apps for each address and second, and apart from them of refused \
            notifications of each provider; a request of a public app or an SDK counts while it is under way, a \
            notification while it is checked; 0 is no limit
            """,
            bounds: .range(0...1_000_000)),
        Setting(
            "rate-limit.failures-burst", \.requestLimits.failuresBurst, .integer,
            """
            the number of such requests that may come at once; of those that are under way at the same time, at most \
            this number, and the rate for each second that they take
            """,
            bounds: .range(1...1_000_000)),
    ]
}
