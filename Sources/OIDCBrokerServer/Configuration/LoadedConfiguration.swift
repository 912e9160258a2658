// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

/// The configuration that was read from the sources and validated as a whole.
public struct LoadedConfiguration: Sendable, Hashable {
    /// The configuration of the broker: the keys under `auth.`.
    public var broker: BrokerConfiguration
    /// The configuration of the server: the keys under `server.`.
    public var server: ServerConfiguration
    /// The configuration of the accounts: the keys under `auth.accounts.` and `auth.sdk-app.`; `nil` if there are none.
    public var accounts: AccountsConfiguration?

    /// The warnings for the operator about a valid configuration, which contain no secrets.
    public var warnings: [String] { broker.warnings + server.warnings + accountsWarnings }

    /// The files with secrets that users other than their owner and its group can read or write.
    public var exposedSecretFiles: [ConfigurationError] {
        broker.exposedSecretFiles + server.exposedSecretFiles + (accounts?.exposedSecretFiles ?? [])
    }

    /// Creates a configuration from its parts.
    public init(broker: BrokerConfiguration, server: ServerConfiguration, accounts: AccountsConfiguration? = nil) {
        self.broker = broker
        self.server = server
        self.accounts = accounts
    }

    private var accountsWarnings: [String] {
        guard let accounts, accounts.makesKeys(beside: broker) else { return [] }
        return [
            "auth.accounts.signing-keys is not set: made one for this run; ID tokens of accounts cannot be checked after "
                + "it."
        ]
    }
}
