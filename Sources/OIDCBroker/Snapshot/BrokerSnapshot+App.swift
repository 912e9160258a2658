// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerState
import OpenIDConnect

extension BrokerSnapshot {
    /// Returns the provider of an app's form: the one that it names, or the only one that the app may use.
    func provider(_ name: WireText?, of app: AppEntry) throws(TokenError) -> ProviderEntry {
        if let name {
            guard let provider = provider(named: name), app.mayUse(provider.name) else {
                throw TokenError("invalid_request", "provider is not one that this app may use.")
            }
            return provider
        }
        let allowed = providers.filter { app.mayUse($0.name) }
        guard allowed.count == 1, let only = allowed.first else {
            throw TokenError("invalid_request", "provider is missing.")
        }
        return only
    }

    /// Returns the client IDs of native apps at a provider that they may use.
    func nativeAudiences(of provider: ProviderEntry) -> [String] {
        configuration.apps
            .filter { $0.providers?.contains(provider.name) != false }
            .flatMap { $0.nativeAudiences(at: provider.configuration) }
    }

    /// Reads an access token of the broker, sealed or for an API, expired or not; `nil` if it is none.
    func accessToken(_ text: WireText) -> AccessToken? {
        AccessToken(text, openedBy: sealer)
            ?? resourceSigningKeys.flatMap { AccessToken(text, signedBy: $0, issuer: issuer) }
    }

    /// Whether a text claims to be an access token or an ID token of this broker, valid or not, so that no other party
    /// should get it: by its prefix, or as a JWT with the issuer.
    func isOwn(_ token: WireText) -> Bool {
        guard !token.utf8.starts(with: IssuedTokenPrefix.accessToken.utf8) else { return true }
        guard let token = token.visibleASCII(atMost: JSONWebSignature.longestToken) else { return false }
        return UnverifiedIDTokenPayload.claims(of: token, issuer: issuer) != nil
    }

    /// Reads an ID token of the broker that an app presents; `nil` if it was not issued to this app, or is too old. See
    /// ``IssuedIDToken/init(_:signedBy:issuer:clientID:now:maximumAge:)``.
    func issuedToken(_ compact: String, to app: AppEntry, now: Int64, maximumAge: Int64? = nil) -> IssuedIDToken? {
        IssuedIDToken(
            compact, signedBy: signingKeys, issuer: issuer, clientID: app.clientID, now: now, maximumAge: maximumAge)
    }
}
