// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
public import OIDCBrokerConfiguration
package import OIDCBrokerOperations

/// The configuration that was read from the sources and validated as a whole.
public struct LoadedConfiguration: Sendable, Hashable {
    /// The configuration of the broker: the keys under `auth.`.
    public var broker: BrokerConfiguration
    /// The configuration of the server: the keys under `server.`.
    public var server: ServerConfiguration
    /// The configuration of the accounts: the keys under `auth.accounts.` and `auth.sdk-app.`; `nil` if there are none.
    public var accounts: AccountsConfiguration?
    /// The configuration of the store of what may be used once: the keys under `auth.store.`.
    public var store = StoreConfiguration()
    /// The configuration of the sources themselves.
    package var sources = SourceConfiguration()
    /// The fingerprint of what it was read from; `nil` if it was made in code.
    package var fingerprint: ConfigurationFingerprint?
    /// The files with secrets in the secrets directory that users other than their owner and its group can read or
    /// write.
    package var exposedFilesOfSecretsDirectory: [ConfigurationError] = []

    /// The warnings for the operator about a valid configuration, which contain no secrets.
    public var warnings: [String] { broker.warnings + server.warnings + accountsWarnings }

    /// The files with secrets that users other than their owner and its group can read or write.
    public var exposedSecretFiles: [ConfigurationError] {
        let ofAccounts = accounts?.exposedSecretFiles ?? []
        return broker.exposedSecretFiles + server.exposedSecretFiles + ofAccounts + exposedFilesOfSecretsDirectory
    }

    /// Creates a configuration from its parts.
    public init(
        broker: BrokerConfiguration, server: ServerConfiguration, accounts: AccountsConfiguration? = nil,
        store: StoreConfiguration = StoreConfiguration()
    ) {
        self.broker = broker
        self.server = server
        self.accounts = accounts
        self.store = store
    }

    /// Whether both are the same configuration, whatever they were read from.
    public static func == (first: LoadedConfiguration, second: LoadedConfiguration) -> Bool {
        first.broker == second.broker && first.server == second.server && first.accounts == second.accounts
            && first.sources == second.sources && first.store == second.store
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(broker)
        hasher.combine(server)
        hasher.combine(accounts)
        hasher.combine(store)
    }

    private var accountsWarnings: [String] {
        guard let accounts, accounts.makesKeys(beside: broker) else { return [] }
        return [
            "auth.accounts.signing-keys is not set: made a key for this run; after a restart, its ID tokens of accounts "
                + "cannot be verified."
        ]
    }
}
