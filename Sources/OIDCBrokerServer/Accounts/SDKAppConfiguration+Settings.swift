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
            "where the app runs"),
        Setting(
            "title", \.title, .text, "the name of the app on pages",
            default: "the name in the configuration, capitalized", bounds: .title),
        Setting(
            "api-key", \.apiKey, .text, "what names the app in a request; it is public", default: "required",
            bounds: SettingBounds("8 to 128 characters of A-Z, a-z, 0-9, - and _, no other app's API key, required") {
                SDKApp.isAPIKey($0)
            }),
        Setting(
            "authorized-domains", \.authorizedDomains, .list,
            "the domains whose pages may use the app: https, or http on a loopback host",
            default: "`localhost` and the public URL's host",
            bounds: SettingBounds(AuthorizedDomain.expectation) { $0.allSatisfy { AuthorizedDomain($0) != nil } }
        ).only(where: { $0.kind == .web }, otherwise: "nothing: only an app of kind web has authorized domains"),
        Setting(
            "native-audiences", \.nativeAudiences, .nativeAudiences,
            "the client ids that the app itself has at providers, such as Apple's bundle ids, each in one app of either "
                + "kind only", default: "none"),
        Setting(
            "native-nonce", \.nativeNonce,
            .named(
                "required or optional", { BrokerConfiguration.NativeNonce(rawValue: $0) }, show: { $0.rawValue }),
            "whether native ID tokens must be bound to a nonce; Apple's must in any case"),
        Setting("providers", \.providers, .list, "the providers that the app may use", default: "all"),
        Setting(
            "native-maximum-age-seconds", \.nativeMaximumAgeSeconds, .integer, "the maximum age of a native ID token",
            bounds: .range(
                Int(SDKApp.nativeMaximumAges.lowerBound)...Int(SDKApp.nativeMaximumAges.upperBound),
                "a number of seconds")),
        Setting(
            "bundle-id", \.bundleID, .text,
            "the bundle id of an app on iOS that signs people in through the handler page; with google-app-id or "
                + "oauth-client-id",
            bounds: SettingBounds(NativeApp.bundleIDExpectation) { NativeApp.isBundleID($0) }
        ).only(where: { $0.kind == .ios }, otherwise: onlyIOS),
        Setting(
            "google-app-id", \.googleAppID, .text,
            "the `GOOGLE_APP_ID` of the app, which gives the URL scheme `app-…` that the app registers",
            bounds: SettingBounds(NativeApp.googleAppIDExpectation) { NativeApp.isGoogleAppID($0) }
        ).only(where: { $0.kind == .ios }, otherwise: onlyIOS),
        Setting(
            "oauth-client-id", \.oauthClientID, .text,
            "the OAuth client id of the app, whose parts in the opposite order are the URL scheme that the app registers",
            bounds: SettingBounds(NativeApp.oauthClientIDExpectation) { NativeApp.isOAuthClientID($0) }
        ).only(where: { $0.kind == .ios }, otherwise: onlyIOS),
        Setting(
            "package-name", \.packageName, .text,
            "the package of an app on Android that signs people in through the handler page; with certificate-sha1",
            bounds: SettingBounds(NativeApp.packageNameExpectation) { NativeApp.isPackageName($0) }
        ).only(where: { $0.kind == .android }, otherwise: onlyAndroid),
        Setting(
            "certificate-sha1", \.certificateSHA1, .list,
            "the SHA-1 of the certificates that may have signed the app on Android",
            bounds: SettingBounds(NativeApp.certificateExpectation) { NativeApp.areCertificates($0) }
        ).only(where: { $0.kind == .android }, otherwise: onlyAndroid),
    ]

    private static let onlyIOS = "nothing: only an app of kind ios has it"
    private static let onlyAndroid = "nothing: only an app of kind android has it"

    /// The prefix of the keys.
    var prefix: String { "auth.sdk-app.\(name)." }

    /// An app whose configuration has not been read yet.
    init(unknown name: String) { self.init(name: name, apiKey: "") }
}
