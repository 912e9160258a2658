// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerConfiguration

/// An app that uses accounts through an SDK: the keys under `auth.sdk-app.<name>.`.
package struct SDKApp: Sendable, Hashable {
    /// Where the app runs.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case web, ios, android, desktop
    }

    /// Whether a native ID token must be bound to a nonce. For Apple's it must be in any case.
    package enum NativeNonce: String, Sendable, Hashable, CaseIterable {
        /// A token without a nonce is refused.
        case required
        /// A token may have no nonce. If it has one, the raw nonce must come with it, and the other way round.
        case optional
    }

    /// A client ID that the app itself has at a provider, such as Apple's bundle ID.
    package struct NativeAudience: Sendable, Hashable {
        /// The ID or the name of the provider.
        package let provider: String
        /// The `aud` of the ID tokens.
        package let audience: String

        /// Creates the audience of an app at a provider.
        package init(provider: String, audience: String) {
            self.provider = provider
            self.audience = audience
        }
    }

    /// The lengths of an API key, in characters of A-Z, a-z, 0-9, `-` and `_`.
    package static let apiKeyLengths = 8...128
    /// The values of ``nativeMaximumAge``.
    package static let nativeMaximumAges: ClosedRange<Int64> = 60...3600

    /// The name in the configuration, which matches `[a-z][a-z0-9]{0,31}`.
    package let name: String
    /// Where the app runs: `kind`.
    package let kind: Kind
    /// The name of the app on pages; `nil` for one made from ``name``: `title`.
    package let title: String?
    /// What names the app in a request: `api-key`. It is public, and stands in every copy of the app.
    package let apiKey: String
    /// The domains whose pages may use the app, as configured: `authorized-domains`. Only a web app has any.
    package let authorizedDomains: [String]
    /// Those of ``authorizedDomains`` that can be read.
    package let domains: [AuthorizedDomain]
    /// The client IDs of the app at providers: `native-audiences`.
    package let nativeAudiences: [NativeAudience]
    /// Whether native ID tokens must have a nonce: `native-nonce`.
    package let nativeNonce: NativeNonce
    /// The names of the providers that the app may use; `nil` if it may use all of them: `providers`.
    package let providers: [String]?
    /// The claims that users must have to sign in: `require`.
    package let require: BrokerConfiguration.RequiredClaims
    /// The maximum age of a native ID token, in seconds: `native-maximum-age-seconds`.
    package let nativeMaximumAge: Int64
    /// What names an app on iOS or Android to the handler page.
    package let native: NativeApp

    /// Creates an app. Nothing is checked here; see ``errors``.
    package init(
        name: String, kind: Kind = .web, title: String? = nil, apiKey: String, authorizedDomains: [String] = [],
        nativeAudiences: [NativeAudience] = [], nativeNonce: NativeNonce = .required, providers: [String]? = nil,
        require: BrokerConfiguration.RequiredClaims = BrokerConfiguration.RequiredClaims(),
        nativeMaximumAge: Int64 = 300, native: NativeApp = NativeApp()
    ) {
        self.name = name
        self.kind = kind
        self.title = title
        self.apiKey = apiKey
        self.authorizedDomains = authorizedDomains
        domains = authorizedDomains.compactMap { AuthorizedDomain($0) }
        self.nativeAudiences = nativeAudiences
        self.nativeNonce = nativeNonce
        self.providers = providers
        self.require = require
        self.nativeMaximumAge = nativeMaximumAge
        self.native = native
    }

    /// Whether pages of an origin may use the app. No page may use one that does not run in a browser.
    package func allows(_ origin: WebOrigin) -> Bool {
        kind == .web && domains.contains { $0.matches(origin) }
    }

    /// Whether the app may use a provider.
    /// - Parameter name: The name of the provider in the configuration.
    package func mayUse(provider name: String) -> Bool {
        providers.map { $0.contains { $0.utf8.elementsEqual(name.utf8) } } ?? true
    }

    /// Returns the client IDs that the app has at a provider, which is known by its ID and by its name. At another
    /// provider they may belong to other apps.
    package func audiences(at id: String, named name: String) -> [String] {
        nativeAudiences.filter {
            $0.provider.utf8.elementsEqual(id.utf8) || $0.provider.utf8.elementsEqual(name.utf8)
        }.map(\.audience)
    }
}
