// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider.Kind {
    /// The name of a kind: `auth.provider.<name>.kind`.
    enum Name: String, Sendable, Hashable {
        case oidc
        case apple

        /// The provider id where none is configured.
        func defaultID(name: String) -> String {
            switch self {
            case .oidc: "oidc.\(name)"
            case .apple: AppleIssuer.providerID
            }
        }

        /// A provider of the kind before anything is known of it.
        var unknown: BrokerConfiguration.Provider.Kind {
            switch self {
            case .oidc: .oidc(ProviderConfiguration(issuer: "", clientID: "", clientSecret: nil, redirectURI: ""))
            case .apple: .apple(BrokerConfiguration.AppleProvider(clientID: ""))
            }
        }
    }

    /// The kind's name.
    var name: Name {
        switch self {
        case .oidc: .oidc
        case .apple: .apple
        }
    }
}

extension BrokerConfiguration.Provider {
    /// A provider of which nothing is known but its name.
    init(name: String, unknown kind: Kind.Name = .oidc) {
        self.init(name: name, kind: kind.unknown)
    }

    /// The name of the kind. Another kind's begins without anything.
    var kindName: Kind.Name {
        get { kind.name }
        set { if newValue != kind.name { self = Self(name: name, unknown: newValue) } }
    }
}
