// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
package import OIDCBrokerConfiguration

/// The keys of the limits, under `server.`.
extension ServerConfiguration.Limits: SettingSection {
    package static let settings: [Setting<ServerConfiguration.Limits>] = [
        Setting(
            "maximum-connections", \.connections, .integer,
            "the maximum number of open connections; lowered, with a warning, if the limit on open files is too low",
            bounds: .range(1...1_000_000)),
        Setting(
            "maximum-connections-per-address", \.connectionsPerAddress, .integer,
            "the maximum number of open connections per address (IPv6: per /64); `trusted-proxies` are exempt",
            bounds: .range(1...1_000_000)),
        Setting(
            "memory-bytes", \.requestLimits.memoryBytes, .integer,
            """
            the maximum memory for clients, not counting the store in memory: connections, streams, unread responses, \
            bodies, running requests and queues
            """,
            default: "a quarter of the memory of the control group or the machine, 64 to 256 MiB",
            bounds: .range(RequestLimits.memoryBounds)),
        Setting(
            "maximum-callbacks", \.requestLimits.callbacks, .integer,
            "the maximum number of callbacks that wait for providers; with several providers, each may have half",
            bounds: .range(2...1_000_000)),
        Setting(
            "rate-limit.browser-per-second", \.requestLimits.browserPerSecond, .integer,
            "the number of browser requests per second and address; 0 for no limit",
            bounds: .range(0...1_000_000)
        ),
        Setting(
            "rate-limit.browser-burst", \.requestLimits.browserBurst, .integer,
            "the number of browser requests in a burst", bounds: .range(1...1_000_000)),
        Setting(
            "rate-limit.failures-per-second", \.requestLimits.failuresPerSecond, .integer,
            """
            the number of refused app requests per second and address, and separately of refused notifications per \
            provider; requests of public apps and SDKs also count while they run; 0 for no limit
            """,
            bounds: .range(0...1_000_000)),
        Setting(
            "rate-limit.failures-burst", \.requestLimits.failuresBurst, .integer,
            """
            the number of refused app requests in a burst, and of unauthenticated requests that run at the same time
            """,
            bounds: .range(1...1_000_000)),
    ]
}
