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

    /// The scopes that a client of an extension may ask for in any case: `GoogleAuthProvider` of the Firebase SDKs always
    /// asks for one of them. Apple has neither.
    package var scopesOfExtensions: [String] { kindName == .apple ? [] : ["profile", "email"] }

    /// The scopes that are requested of the provider beside its own, each once.
    /// - Parameters:
    ///   - isOfExtension: Whether the client is one of an extension.
    ///   - isAsked: Whether the client asks for a scope.
    package func additionalScopes(isOfExtension: Bool, where isAsked: (String) -> Bool) -> [String] {
        var scopes = appScopes.filter(isAsked)
        guard isOfExtension else { return scopes }
        for scope in scopesOfExtensions where isAsked(scope) && !scopes.contains(scope) { scopes.append(scope) }
        return scopes
    }
}
