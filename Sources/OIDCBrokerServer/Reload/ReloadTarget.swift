// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration

/// What a configuration is applied to while it runs.
struct ReloadTarget: Sendable {
    let broker: Broker
    let accounts: BrokerAccounts?
    let server: BrokerServer?
    /// The store outside of the process; `nil` if it is in memory.
    var store: OpenedStore?
    /// What is told of it.
    var observer = ReloadObserver()

    /// Applies a configuration in one step. What is fixed in it must be as it was at the start.
    ///
    /// - Throws: `BrokerConfigurationError`, in which case nothing has changed.
    func apply(_ configuration: LoadedConfiguration) throws(BrokerConfigurationError) {
        let errors = configuration.server.validateWithoutFiles()
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        if let accounts, let accountsConfiguration = configuration.accounts {
            try accounts.reload(accountsConfiguration, brokerConfiguration: configuration.broker, of: broker)
        } else {
            try broker.reload(configuration.broker)
        }
        // Nothing fails from here on.
        store?.use(configuration.store)
        broker.replaceRequestLimits(by: configuration.server.limits.requestLimits)
        server?.live.update(configuration.server)
        observer.didApply(configuration)
    }
}
