// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import OIDCBroker
package import OIDCBrokerConfiguration

/// The keys under `auth.sdk-app.<name>.`.
extension SDKAppConfiguration: SettingSection {
    package static let settings: [Setting<SDKAppConfiguration>] = [
        Setting(
            "kind", \.kind,
            .named(
                Kind.allCases.map(\.rawValue).joined(separator: ", "), { Kind(rawValue: $0) }, show: { $0.rawValue }),
            "the platform of the app"),
        Setting(
            "title", \.title, .text, "the name of the app on pages",
            default: "the name in the configuration, capitalized", bounds: .title),
        Setting(
            "api-key", \.apiKey, .text, "the app's key in its requests; it is public", default: "required",
            bounds: SettingBounds("8 to 128 characters of A-Z, a-z, 0-9, - and _, no other app's API key, required") {
                SDKApp.isAPIKey($0)
            }),
        Setting(
            "authorized-domains", \.authorizedDomains, .list,
            "the domains whose pages may use the app: https, or http on a loopback host",
            default: "`localhost` and the public URL's host",
            bounds: SettingBounds(AuthorizedDomain.expectation) { $0.allSatisfy { AuthorizedDomain($0) != nil } }
        ).only(where: { $0.kind == .web }, otherwise: "no value: only an app of kind web has authorized domains"),
        Setting(
            "native-audiences", \.nativeAudiences, .nativeAudiences,
            "the app's own client IDs at providers, such as a bundle ID at Apple; each belongs to one app only",
            default: "none"),
        Setting(
            "native-nonce", \.nativeNonce,
            .named(
                "required or optional", { BrokerConfiguration.NativeNonce(rawValue: $0) }, show: { $0.rawValue }),
            "whether native ID tokens must have a nonce; those of Apple always must; with `optional` one is compared only "
                + "if the app presents it"),
        Setting("providers", \.providers, .list, "the providers that the app may use", default: "all"),
        Setting(
            "require", \.require, .requiredClaims,
            "the claims that users must have to sign in, for each provider, as at an app of the broker", default: "none"
        ),
        Setting(
            "native-maximum-age-seconds", \.nativeMaximumAgeSeconds, .integer,
            "the maximum age of a native ID token, in seconds",
            bounds: .range(
                Int(SDKApp.nativeMaximumAges.lowerBound)...Int(SDKApp.nativeMaximumAges.upperBound),
                "a number of seconds")),
        Setting(
            "bundle-id", \.bundleID, .text,
            "the bundle ID of an iOS app that uses the handler page; requires `google-app-id` or `oauth-client-id`",
            bounds: SettingBounds(NativeApp.bundleIDExpectation) { NativeApp.isBundleID($0) }
        ).only(where: { $0.kind == .ios }, otherwise: onlyIOS),
        Setting(
            "google-app-id", \.googleAppID, .text,
            "the `GOOGLE_APP_ID` of the app, from which its URL scheme `app-…` is made",
            bounds: SettingBounds(NativeApp.googleAppIDExpectation) { NativeApp.isGoogleAppID($0) }
        ).only(where: { $0.kind == .ios }, otherwise: onlyIOS),
        Setting(
            "oauth-client-id", \.oauthClientID, .text,
            "the OAuth client ID of the app; reversed, it is the app's URL scheme",
            bounds: SettingBounds(NativeApp.oauthClientIDExpectation) { NativeApp.isOAuthClientID($0) }
        ).only(where: { $0.kind == .ios }, otherwise: onlyIOS),
        Setting(
            "package-name", \.packageName, .text,
            "the package name of an Android app that uses the handler page; requires `certificate-sha1`",
            bounds: SettingBounds(NativeApp.packageNameExpectation) { NativeApp.isPackageName($0) }
        ).only(where: { $0.kind == .android }, otherwise: onlyAndroid),
        Setting(
            "certificate-sha1", \.certificateSHA1, .list,
            "the SHA-1 fingerprints of the certificates that may sign the Android app",
            bounds: SettingBounds(NativeApp.certificateExpectation) { NativeApp.areCertificates($0) }
        ).only(where: { $0.kind == .android }, otherwise: onlyAndroid),
    ]

    private static let onlyIOS = "no value: only an app of kind ios has it"
    private static let onlyAndroid = "no value: only an app of kind android has it"

    /// The prefix of the keys.
    var prefix: String { "auth.sdk-app.\(name)." }

    /// An app whose configuration has not been read yet.
    init(unknown name: String) { self.init(name: name, apiKey: "") }
}
