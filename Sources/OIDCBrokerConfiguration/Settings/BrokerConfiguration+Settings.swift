// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import SingleUse
import Signing

/// The keys under `auth.` that concern the broker as a whole.
extension BrokerConfiguration: SettingSection {
    package static let settings: [Setting<BrokerConfiguration>] = [
        Setting(
            "public-url", \.publicURL, .publicURL, "the URL at which browsers reach the broker",
            default: "required"),
        Setting(
            "path-prefix", \.pathPrefix, .text, "the path prefix of all endpoints",
            bounds: SettingBounds(plainPath) { ConfigurationSyntax.isPlainPath($0) }),
        Setting(
            "well-known-paths", \.wellKnownPaths, .bool,
            "whether the metadata is also at `/.well-known/oauth-authorization-server` and "
                + "`/.well-known/openid-configuration`, each followed by the prefix",
            default: "`true`; `false` in a server that embeds the broker"),
        Setting(
            "sealing-keys", \.sealingKeys, .secrets(sealingKeysTake),
            "the keys that encrypt the state of a sign-in, which the browser carries", default: madeOnLoopback
        ).check { $0.sealingKeysError },
        Setting(
            "signing-keys", \.signingKeys, .secretBlocks(signingKeysTake),
            "the keys that sign ID tokens; the first of each algorithm signs, all are published",
            default: madeOnLoopback
        ).check { $0.signingKeys.isEmpty ? $0.missingKeyError(signingKeysTake) : nil },
        Setting(
            "resource-signing-keys", \.resourceSigningKeys, .secretBlocks(resourceSigningKeysTake),
            "the keys that sign access tokens for `auth.resources`; the first one signs, all are published",
            default: "required with `auth.resources`; on a loopback public URL, made at each start"),
        Setting(
            "providers", \.providerNames, .names, "the names of the providers", default: "required"
        ).check { Self.namesError($0.providerNames) },
        Setting("apps", \.appNames, .names, "the names of the apps", default: "required without `auth.sdk-apps`").check
        {
            $0.appNames.isEmpty && $0.hasSDKApps ? nil : Self.namesError($0.appNames)
        },
        Setting(
            "resources", \.resourceNames, .names,
            "the names of the APIs for which apps get access tokens; see [For apps](doc:ForApps)", default: "none"),
        Setting(
            "store-bytes", \.storeBytes, .integer,
            "the maximum size of the in-memory store, in bytes",
            bounds: SettingBounds("a number of bytes, 8388608 to 68719476736 (8 MiB to 64 GiB)") {
                allowedStoreBytes.contains($0)
            }
        ).fixedWhileRunning(),
        Setting(
            "apple-domain-association", \.appleDomainAssociation, .bytesOrFile,
            "the file served at `\(appleDomainAssociationPath)`",
            bounds: SettingBounds("the contents of Apple's file, 1 to \(longestAppleDomainAssociation) bytes") {
                (1...longestAppleDomainAssociation).contains($0.count)
            }),
    ]

    /// The prefix of the keys.
    package static let prefix = "auth."

    /// The maximum size of ``appleDomainAssociation``, in bytes.
    private static let longestAppleDomainAssociation = 65_536

    /// A description of a path. It completes the sentence "expected …".
    static let plainPath =
        "an absolute path of letters, digits, '-', '.', '_' and '~' between slashes, without a slash at its end"

    private static let sealingKeysTake = "base64 of exactly 32 bytes for each key, newest first, each given once"
    private static let signingKeysTake =
        "the PEM texts of P-256 or RSA private keys (2048 to 4096 bits), 1 to \(SigningKeys.maximumCount), each once"
    private static let resourceSigningKeysTake =
        "the PEM texts of P-256 or RSA private keys (2048 to 4096 bits), 1 to \(SigningKeys.maximumCount), each once, not in "
        + "auth.signing-keys, the first one for an algorithm of these"
    private static let madeOnLoopback = "required; on a loopback public URL, made at each start"

    /// A configuration that has not been read yet.
    package static var unknown: BrokerConfiguration {
        BrokerConfiguration(publicURL: .placeholder, providers: [], apps: [])
    }

    /// The names of the providers. Setting it replaces the providers by ones whose configuration has not been read yet.
    private var providerNames: [String] {
        get { providers.map(\.name) }
        set { providers = newValue.map { Provider(name: $0, unknown: .oidc) } }
    }

    /// The names of the apps. Setting it replaces the apps by ones whose configuration has not been read yet.
    private var appNames: [String] {
        get { apps.map(\.name) }
        set { apps = newValue.map { App(unknown: $0) } }
    }

    /// The names of the resources. Setting it replaces the resources by ones whose configuration has not been read yet.
    private var resourceNames: [String] {
        get { resources.map(\.name) }
        set { resources = newValue.map { Resource(unknown: $0) } }
    }

    private static func namesError(_ names: [String]) -> String? {
        if names.isEmpty { return "at least one name, required" }
        return names.allSatisfy(ConfigurationName.isValid) && Set(names).count == names.count
            ? nil : ConfigurationName.expectation + ConfigurationName.reason(of: names)
    }

    private var sealingKeysError: String? {
        guard !sealingKeys.isEmpty else { return missingKeyError(Self.sealingKeysTake) }
        for (index, key) in sealingKeys.enumerated() {
            let name = sealingKeys.count > 1 ? "key \(index + 1)" : "the key"
            guard let bytes = Base64.decode(key.exposed) else {
                return
                    "\(Self.sealingKeysTake); \(name) is not base64 in one line, as 'openssl rand -base64 32' writes it"
            }
            guard bytes.count == 32 else { return "\(Self.sealingKeysTake); \(name) has \(bytes.count) bytes" }
        }
        return Set(sealingKeys).count == sealingKeys.count ? nil : "\(Self.sealingKeysTake); a key is listed twice"
    }

    private func missingKeyError(_ expected: String) -> String? {
        publicURL.isLoopback
            ? nil : "\(expected), required (made at start only where auth.public-url is loopback)"
    }
}

extension SettingType where Value == PublicURL {
    /// A public URL. If it cannot be used, that is an error, and a replacement is read instead.
    fileprivate static let publicURL = SettingType(takes: PublicURL.expectation) { key, expected, values in
        let text = await values.string(key, expected: expected)
        if let text, let url = PublicURL(text) { return url }
        values.add([
            ConfigurationError(
                key: key, expected: "\(expected), required" + (text.map { PublicURL.advice(for: $0) } ?? ""))
        ])
        return .standIn(for: text)
    }
}
