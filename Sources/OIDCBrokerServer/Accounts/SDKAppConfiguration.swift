// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import OIDCBroker
public import OIDCBrokerConfiguration

/// An app that uses accounts through an SDK: the keys under `auth.sdk-app.<name>.`.
public struct SDKAppConfiguration: Sendable, Hashable {
    /// Where an app runs.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case web, ios, android, desktop
    }

    /// The name in the configuration, which matches `[a-z][a-z0-9]{0,31}`.
    public var name: String
    /// Where the app runs: `kind`.
    public var kind: Kind = .web
    /// The name of the app on pages; `nil` for one made from ``name``: `title`.
    public var title: String?
    /// What names the app in a request: `api-key`. It is public, and stands in every copy of the app.
    public var apiKey: String
    /// The domains whose pages may use a web app; `nil` for `localhost` and the public URL's host:
    /// `authorized-domains`.
    public var authorizedDomains: [String]?
    /// The client IDs of the app at providers: `native-audiences`.
    public var nativeAudiences: [BrokerConfiguration.NativeAudience] = []
    /// Whether native ID tokens must have a nonce: `native-nonce`. Apple's must in any case.
    public var nativeNonce: BrokerConfiguration.NativeNonce = .required
    /// The names of the providers that the app may use; `nil` if it may use all of them: `providers`.
    public var providers: [String]?
    /// The claims that users must have to sign in to the app: `require`.
    public var require = BrokerConfiguration.RequiredClaims()
    /// The maximum age of a native ID token, in seconds: `native-maximum-age-seconds`.
    public var nativeMaximumAgeSeconds = 300
    /// The bundle ID of an app on iOS that uses the handler page; `nil` if it does not: `bundle-id`.
    public var bundleID: String?
    /// The `GOOGLE_APP_ID` of an app on iOS, one of the two that give its URL scheme: `google-app-id`.
    public var googleAppID: String?
    /// The OAuth client ID of an app on iOS, the other one of the two: `oauth-client-id`.
    public var oauthClientID: String?
    /// The name of the package of an app on Android that uses the handler page; `nil` if it does not: `package-name`.
    public var packageName: String?
    /// The SHA-1 of the certificates that may have signed an app on Android, each 40 hexadecimal digits with or without
    /// colons: `certificate-sha1`.
    public var certificateSHA1: [String] = []

    /// Creates an app. What is not an argument has the default of its key.
    public init(name: String, kind: Kind = .web, apiKey: String) {
        self.name = name
        self.kind = kind
        self.apiKey = apiKey
    }

    /// Returns the app as the wire takes it, beside a broker.
    func app(beside broker: BrokerConfiguration) -> SDKApp {
        SDKApp(
            name: name, kind: SDKApp.Kind(rawValue: kind.rawValue) ?? .web, title: title, apiKey: apiKey,
            authorizedDomains: authorizedDomains ?? defaultDomains(beside: broker.publicURL),
            nativeAudiences: nativeAudiences.map {
                SDKApp.NativeAudience(provider: $0.provider, audience: $0.audience)
            },
            nativeNonce: nativeNonce == .required ? .required : .optional, providers: providers,
            require: require, nativeMaximumAge: Int64(nativeMaximumAgeSeconds),
            native: NativeApp(
                bundleID: bundleID, googleAppID: googleAppID, oauthClientID: oauthClientID, packageName: packageName,
                certificateSHA1: certificateSHA1))
    }

    private func defaultDomains(beside publicURL: PublicURL) -> [String] {
        guard kind == .web else { return [] }
        // The port belongs to the origin of the public URL's pages.
        return publicURL.authority == "localhost" ? ["localhost"] : ["localhost", publicURL.authority]
    }
}
