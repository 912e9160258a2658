// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider.Kind {
    /// The name of a kind of provider: `auth.provider.<name>.kind`.
    package enum Name: String, Sendable, Hashable {
        case oidc
        case apple

        /// Returns the default provider ID.
        func defaultID(name: String) -> String {
            switch self {
            case .oidc: "oidc.\(name)"
            case .apple: AppleIssuer.providerID
            }
        }

        /// A provider of the kind whose configuration has not been read yet.
        package var unknown: BrokerConfiguration.Provider.Kind {
            switch self {
            case .oidc: .oidc(ProviderConfiguration(issuer: "", clientID: "", clientSecret: nil, redirectURI: ""))
            case .apple: .apple(BrokerConfiguration.AppleProvider(clientID: ""))
            }
        }
    }

    /// The name of the kind.
    package var name: Name {
        switch self {
        case .oidc: .oidc
        case .apple: .apple
        }
    }
}

extension BrokerConfiguration.Provider {
    /// Creates a provider whose configuration has not been read yet.
    package init(name: String, unknown kind: Kind.Name = .oidc) {
        self.init(name: name, kind: kind.unknown)
    }

    /// The name of the kind. Setting another one resets the configuration of the provider.
    package var kindName: Kind.Name {
        get { kind.name }
        set { if newValue != kind.name { self = Self(name: name, unknown: newValue) } }
    }
}
