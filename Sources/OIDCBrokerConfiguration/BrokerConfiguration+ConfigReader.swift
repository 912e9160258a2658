// SPDX-License-Identifier: Apache-2.0

public import Configuration
import OpenIDRelyingParty
import Signing

extension BrokerConfiguration {
    /// Reads every key under `auth.` and validates the configuration as a whole.
    ///
    /// Files named by keys are read here. Missing keys are created if the public URL is a loopback one (see
    /// ``makeMissingKeys()``). The keys of a store and of accounts belong to `OIDCBrokerServer`: a store that is asked for
    /// here is a warning, since the broker's are those that it is given.
    ///
    /// - Parameters:
    ///   - config: The reader, whose keys begin with `auth.`.
    ///   - accesses: The recorder that is installed as the reader's access reporter. Without it, errors do not name the
    ///     source of their value, and a secret on the command line is not detected.
    ///   - sdkAppAudiences: The client IDs of apps that are configured beside the broker's.
    /// - Throws: All errors at once. They contain no value.
    public init(
        config: ConfigReader, accesses: ConfigurationAccessRecorder? = nil,
        sdkAppAudiences: [NativeAudience] = []
    ) async throws(BrokerConfigurationError) {
        try await self.init(besideStore: config, accesses: accesses, sdkAppAudiences: sdkAppAudiences)
        var values = ConfigurationValues(config: config, accesses: accesses)
        guard let kind = await values.string(Self.storeKey), kind != Self.storeInMemory else { return }
        warnings.append(
            "\(Self.storeKey) has no effect here: one-time data stays in memory unless the broker is created with stores."
        )
    }

    private static var storeKey: String { "auth.store.kind" }
    private static var storeInMemory: String { "memory" }

    /// The same for a server that reads the keys of a store.
    /// - Parameters:
    ///   - config: The reader.
    ///   - accesses: The recorder.
    ///   - sdkAppAudiences: The client IDs of apps that are configured beside the broker's.
    ///   - hasSDKApps: Whether such apps are configured.
    ///   - isStandalone: Whether the server has no paths but the broker's.
    package init(
        besideStore config: ConfigReader, accesses: ConfigurationAccessRecorder?, sdkAppAudiences: [NativeAudience],
        hasSDKApps: Bool = false, isStandalone: Bool = false
    ) async throws(BrokerConfigurationError) {
        var values = ConfigurationValues(config: config, accesses: accesses)
        var configuration = Self.unknown
        configuration.sdkAppAudiences = sdkAppAudiences
        configuration.hasSDKApps = hasSDKApps
        configuration.wellKnownPaths = isStandalone
        await values.read(&configuration, prefix: Self.prefix)
        for index in configuration.providers.indices { await configuration.providers[index].read(from: &values) }
        for index in configuration.apps.indices {
            let prefix = configuration.apps[index].prefix
            await values.read(&configuration.apps[index], prefix: prefix)
        }
        for index in configuration.resources.indices {
            let prefix = configuration.resources[index].prefix
            await values.read(&configuration.resources[index], prefix: prefix)
        }
        configuration.webhook = await .read(from: &values)
        await values.read(&configuration.branding, prefix: Branding.prefix)
        let signingKeys = SigningKeys(pem: configuration.signingKeys)
        values.add(configuration.validate(with: signingKeys))
        guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
        configuration.makeMissingKeys()
        // Without keys that are set, those that were made include an RSA key.
        if let signingKeys { configuration.warnOfMissingRS256(among: signingKeys) }
        for provider in configuration.providers where provider.configuration.metadataNetwork != .encrypted {
            configuration.warnings.append(
                "auth.provider.\(provider.name).metadata-url is http: anyone on that network can replace the provider's "
                    + "keys and sign in as any user.")
        }
        for app in configuration.apps where app.assertionAudience == .tokenEndpoint {
            configuration.warnings.append(
                "\(app.prefix)assertion-audience is token-endpoint: RFC 10070 allows the issuer only. Use it only if the app's "
                    + "library, such as msal, cannot send the issuer.")
        }
        for app in configuration.apps where app.assertionReuse {
            configuration.warnings.append(
                "\(app.prefix)assertion-reuse is true: a stolen client assertion works at the token endpoint for up to 12 minutes. Use it only "
                    + "if the app's library, such as msal, sends one assertion for several requests.")
        }
        for app in configuration.apps where app.codeBinding == .none {
            configuration.warnings.append(
                "\(app.prefix)code-binding is none: only the app itself can detect an injected code."
            )
        }
        if !configuration.publicURL.isSecure {
            configuration.warnings.append("auth.public-url is http: login cookies are not Secure.")
        }
        configuration.exposedSecretFiles = values.exposedSecretFiles
        self = configuration
    }
}
