// SPDX-License-Identifier: Apache-2.0

import Metrics
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import SignInWithApple

/// What is reported of Apple's client secrets when clients come and go with a configuration.
extension BrokerSnapshot {
    /// The client IDs for which secrets for Apple are made: those of the providers that have a key, and those of native
    /// apps at them.
    var appleClientIDs: Set<String> {
        var clientIDs: Set<String> = []
        for provider in configuration.providers where provider.apple?.privateKey != nil {
            clientIDs.insert(provider.configuration.clientID)
            for app in configuration.apps { clientIDs.formUnion(app.nativeAudiences(at: provider)) }
            clientIDs.formUnion(configuration.sdkAppAudiences.filter { $0.isAt(provider) }.map(\.audience))
        }
        // Without a client ID there are native apps alone.
        clientIDs.remove("")
        return clientIDs
    }

    /// Lets the sources of client secrets report of all clients, also of those that were removed earlier. Call it before
    /// the snapshot is in use.
    func restoreAppleClients() {
        let clientIDs = appleClientIDs
        for provider in providers { provider.behavior.clientSecret?.restore(clientIDs) }
    }

    /// Ends the gauges of the clients that another snapshot has no more. Call it once that one is in use: what is under
    /// way with this one, or with a source that both have, then reports nothing of these clients.
    /// - Parameter metricsFactory: What made the gauges.
    func retireAppleClients(since next: BrokerSnapshot, metricsFactory: any MetricsFactory) {
        let removed = appleClientIDs.subtracting(next.appleClientIDs)
        guard !removed.isEmpty else { return }
        for provider in providers { provider.behavior.clientSecret?.retire(removed) }
        AppleClientSecret.destroyGauges(of: removed, metricsFactory: metricsFactory)
    }
}
