// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

/// What the sources gave, validated as a whole.
public struct LoadedConfiguration: Sendable, Hashable {
    /// The keys under `auth.`.
    public var broker: BrokerConfiguration
    /// The keys under `server.`.
    public var server: ServerConfiguration

    /// What an operator should know although nothing is wrong; no secrets.
    public var warnings: [String] { broker.warnings + server.warnings }

    /// The files with secrets that others than their owner and his group can read or write.
    public var exposedSecretFiles: [ConfigurationError] { broker.exposedSecretFiles + server.exposedSecretFiles }

    /// Both parts of a configuration.
    public init(broker: BrokerConfiguration, server: ServerConfiguration) {
        self.broker = broker
        self.server = server
    }
}
