// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
package import OIDCBroker

/// The keys under `auth.sdk-app.<name>.`.
extension SDKAppConfiguration: SettingSection {
    package static let settings: [Setting<SDKAppConfiguration>] = [
        Setting(
            "kind", \.kind,
            .named(
                Kind.allCases.map(\.rawValue).joined(separator: ", "), { Kind(rawValue: $0) }, show: { $0.rawValue }),
            "where the app runs"),
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
    ]

    /// The prefix of the keys.
    var prefix: String { "auth.sdk-app.\(name)." }

    /// An app whose configuration has not been read yet.
    init(unknown name: String) { self.init(name: name, apiKey: "") }
}
