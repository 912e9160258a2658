// SPDX-License-Identifier: Apache-2.0

/// The limits of a server on connections and on requests, per process.
extension ServerConfiguration {
    /// The limits on connections and on requests of one client. A rate of 0 is no limit: rates are about capacity.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of open connections: `server.maximum-connections`. The limit on open files may lower it.
        public var connections = 10_000
        /// The maximum number of open connections from one address, IPv6 from one /64:
        /// `server.maximum-connections-per-address`. Trusted proxies have no such limit.
        public var connectionsPerAddress = 256
        /// The maximum number of callbacks that wait for providers at once: `server.maximum-callbacks`. Of several
        /// providers, one may have half.
        public var callbacks = 2_048
        /// The number of requests of a browser to authorize, choose, continue and handler for each address and second:
        /// `server.rate-limit.browser-per-second`.
        public var browserPerSecond = 20
        /// The number of such requests that may come at once: `server.rate-limit.browser-burst`.
        public var browserBurst = 200
        /// The number of refused requests to token, credential and revoke for each address and second:
        /// `server.rate-limit.failures-per-second`.
        public var failuresPerSecond = 5
        /// The number of such requests that may come at once: `server.rate-limit.failures-burst`.
        public var failuresBurst = 50

        /// Creates limits with the defaults of their keys.
        public init() {}
    }
}
