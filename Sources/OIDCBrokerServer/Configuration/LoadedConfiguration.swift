// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

/// The configuration that was read from the sources and validated as a whole.
public struct LoadedConfiguration: Sendable, Hashable {
    /// The configuration of the broker: the keys under `auth.`.
    public var broker: BrokerConfiguration
    /// The configuration of the server: the keys under `server.`.
    public var server: ServerConfiguration

    /// The warnings for the operator about a valid configuration, which contain no secrets.
    public var warnings: [String] { broker.warnings + server.warnings }

    /// The files with secrets that users other than their owner and its group can read or write.
    public var exposedSecretFiles: [ConfigurationError] { broker.exposedSecretFiles + server.exposedSecretFiles }

    /// Creates a configuration from both parts.
    public init(broker: BrokerConfiguration, server: ServerConfiguration) {
        self.broker = broker
        self.server = server
    }
}
