// SPDX-License-Identifier: Apache-2.0

import Accounts
import IdentityToolkit
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty

extension AccountsConfiguration {
    /// Returns what the operator decided about accounts beside a broker.
    func policy(beside broker: BrokerConfiguration) -> AccountPolicy {
        AccountPolicy(
            email: emailPolicy, makesAccounts: makesAccounts,
            providersThatLinkByEmail: Set(broker.providers.filter(\.linksByEmail).flatMap(\.linkingProviders)),
            recentSignIn: Int64(recentSignInSeconds), operationsAfterRecentSignIn: Set(recentSignInFor),
            sessionIdleDays: Int64(sessionIdleDays))
    }
}

extension BrokerConfiguration.Provider {
    /// The provider with each issuer that its ID tokens may have.
    fileprivate var linkingProviders: [LinkingProvider] {
        configuration.issuers.map { LinkingProvider(id: id, issuer: $0) }
    }
}
