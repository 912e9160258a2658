// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration

extension LoadedConfiguration {
    /// Takes over the values of a running configuration that need a restart to change. What follows is valid only if it
    /// is validated again.
    /// - Returns: The keys whose values were different.
    mutating func keepFixedValues(of running: LoadedConfiguration) -> [String] {
        var kept = sources.keepFixed(of: running.sources, prefix: SourceConfiguration.prefix)
        kept += broker.keepFixedValues(of: running.broker)
        if var changed = accounts, let open = running.accounts {
            kept += changed.keepFixed(of: open, prefix: AccountsConfiguration.prefix)
            accounts = changed
        } else if (accounts == nil) != (running.accounts == nil) {
            // Accounts are neither opened nor closed while the server runs.
            kept.append(AccountsConfiguration.prefix + AccountsConfiguration.key(of: \.projectID))
            accounts = running.accounts
        }
        broker.sdkAppAudiences = accounts?.sdkAppAudiences ?? []
        broker.hasSDKApps = accounts?.apps.isEmpty == false
        kept += store.keepFixed(of: running.store, prefix: StoreConfiguration.prefix)
        store.keepsAccounts = running.store.keepsAccounts
        kept += server.keepFixedValues(of: running.server)
        return kept
    }

    /// Returns the keys and sections whose values differ from those of an earlier configuration.
    func changedNames(since earlier: LoadedConfiguration) -> [String] {
        var names = broker.changedNames(since: earlier.broker)
        if let accounts, let before = earlier.accounts {
            names += accounts.changedKeys(since: before, prefix: AccountsConfiguration.prefix)
            for app in accounts.apps where !before.apps.contains(app) { names.append(String(app.prefix.dropLast())) }
        }
        names += store.changedKeys(since: earlier.store, prefix: StoreConfiguration.prefix)
        return names + server.changedKeys(since: earlier.server)
    }

    /// Returns whether a server behaves the same with another configuration.
    func behaves(as other: LoadedConfiguration) -> Bool {
        var other = other
        other.accounts?.exposedSecretFiles = accounts?.exposedSecretFiles ?? []
        other.server.exposedSecretFiles = server.exposedSecretFiles
        return broker.behaves(as: other.broker) && server == other.server && accounts == other.accounts
            && store == other.store
    }
}

extension ServerConfiguration {
    /// Takes over the values of a running configuration that need a restart to change.
    /// - Returns: The keys whose values were different.
    mutating func keepFixedValues(of running: ServerConfiguration) -> [String] {
        var kept = keepFixed(of: running, prefix: Self.prefix)
        kept += limits.keepFixed(of: running.limits, prefix: Self.prefix)
        kept += loopback.keepFixed(of: running.loopback, prefix: LoopbackConfiguration.prefix)
        kept += operations.keepFixed(of: running.operations, prefix: OperationsConfiguration.prefix)
        kept += log.keepFixed(of: running.log, prefix: LogConfiguration.prefix)
        if tls != running.tls {
            var files = tls ?? .unknown
            kept += files.keepFixed(of: running.tls ?? .unknown, prefix: TLSFiles.prefix)
            tls = running.tls
            let isOfTLS = { (file: ConfigurationError) in file.key.hasPrefix(TLSFiles.prefix) }
            exposedSecretFiles.removeAll(where: isOfTLS)
            exposedSecretFiles += running.exposedSecretFiles.filter(isOfTLS)
        }
        return kept
    }

    /// Returns the keys whose values differ from those of an earlier configuration.
    func changedKeys(since earlier: ServerConfiguration) -> [String] {
        changedKeys(since: earlier, prefix: Self.prefix)
            + limits.changedKeys(since: earlier.limits, prefix: Self.prefix)
            + loopback.changedKeys(since: earlier.loopback, prefix: LoopbackConfiguration.prefix)
            + operations.changedKeys(since: earlier.operations, prefix: OperationsConfiguration.prefix)
            + log.changedKeys(since: earlier.log, prefix: LogConfiguration.prefix)
    }
}
