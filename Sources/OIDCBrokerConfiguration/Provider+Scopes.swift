// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider {
    /// The scopes that an app may ask for: those that the broker always requests and `app-scopes`, each once.
    ///
    /// Apple's scope `name` is that of the claims which everywhere else belong to `profile`, so an app may ask for
    /// either.
    package var scopesOfApps: [String] {
        var scopes: [String] = []
        let requested = (apple?.askedScopes ?? configuration.scopes) + appScopes
        for scope in requested + (apple != nil && requested.contains("name") ? ["profile"] : [])
        where !scopes.contains(scope) {
            scopes.append(scope)
        }
        return scopes
    }
}
