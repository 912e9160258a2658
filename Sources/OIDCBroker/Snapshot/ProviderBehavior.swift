// SPDX-License-Identifier: Apache-2.0

import JOSE
import Metrics
import OIDCBrokerConfiguration
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

/// What a kind of provider changes in the broker. A new kind is added here and to `BrokerConfiguration.Provider.Kind`;
/// what it changes in the relying party is its ``OpenIDRelyingParty/ProviderProfile``.
struct ProviderBehavior: Sendable {
    /// Whether the provider sends the user's name beside its response, unsigned and only with the first consent.
    var sendsUser = false
    /// Whether the provider ignores `prompt` and shows its pages in any case.
    var ignoresPrompt = false
    /// Whether the provider posts notifications about its users.
    var postsNotifications = false
    /// Whether the broker can exchange the authorization code of a native app, with the app's own client ID.
    var exchangesNativeCodes = false
    /// Whether the broker can revoke the tokens of a native app, with the app's own client ID.
    var revokesNativeTokens = true
    /// The client secret, if it is made of a key that can be replaced while requests run.
    var clientSecret: AppleClientSecret?
    /// Adds the claims that only this kind of provider has to those that an app gets.
    var addClaims: @Sendable (Claims, inout JSONObject) -> Void = { _, _ in }

    /// Any OpenID Provider.
    static let openIDConnect = ProviderBehavior()

    /// Apple.
    ///
    /// - Parameter clientSecret: The client secret, which has no key if native credentials are only verified.
    static func apple(_ clientSecret: AppleClientSecret, hasKey: Bool) -> ProviderBehavior {
        ProviderBehavior(
            sendsUser: true, ignoresPrompt: true, postsNotifications: true, exchangesNativeCodes: hasKey,
            revokesNativeTokens: hasKey,
            clientSecret: clientSecret, addClaims: { HandedClaims.addApple(AppleClaims($0), to: &$1) })
    }
}

extension BrokerConfiguration.Provider {
    /// What the kind of the provider changes in the broker.
    /// - Parameter metricsFactory: What makes the gauge of Apple's client secrets; `nil` for the one that is
    ///   bootstrapped.
    func makeBehavior(metricsFactory: (any MetricsFactory)? = nil) -> ProviderBehavior {
        guard case .apple(let apple) = kind, let secret = makeAppleClientSecret(metricsFactory: metricsFactory) else {
            return .openIDConnect
        }
        return .apple(secret, hasKey: apple.privateKey != nil)
    }
}
