// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

/// The limits of a server on connections and on requests, per process.
extension ServerConfiguration {
    /// The limits on connections and on requests of one client. A rate of 0 is no limit: rates are about capacity.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of open connections: `server.maximum-connections`. The limit on open files may lower it.
        public var connections = 10_000
        /// The maximum number of open connections from one address, IPv6 from one /64:
        /// `server.maximum-connections-per-address`. Trusted proxies have no such limit.
        public var connectionsPerAddress = 256
        /// The limits of the broker, which the code that creates the broker hands to it: `server.maximum-callbacks` and
        /// `server.rate-limit.…`.
        public var requestLimits = RequestLimits()

        /// Creates limits with the defaults of their keys.
        public init() {}
    }
}
