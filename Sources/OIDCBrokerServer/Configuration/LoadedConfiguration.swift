// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

/// What the sources gave, judged as a whole.
public struct LoadedConfiguration: Sendable, Hashable {
    /// The keys under `auth.`.
    public var broker: BrokerConfiguration
    /// The keys under `server.`.
    public var server: ServerConfiguration

    /// Both parts of a configuration.
    public init(broker: BrokerConfiguration, server: ServerConfiguration) {
        self.broker = broker
        self.server = server
    }
}
