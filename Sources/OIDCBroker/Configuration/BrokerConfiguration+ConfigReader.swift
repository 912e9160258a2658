// SPDX-License-Identifier: Apache-2.0

public import Configuration
import OpenIDRelyingParty

extension BrokerConfiguration {
    /// Reads every key under `auth.` and validates the whole.
    ///
    /// Files named by keys are read here. Keys that are absent are made where the public URL is loopback (see
    /// ``makeMissingKeys()``).
    ///
    /// - Parameters:
    ///   - config: where to read from; its keys begin with `auth.`.
    ///   - accesses: the recorder installed as the reader's access reporter. Without it errors do not say where their
    ///     value came from, and a secret on the command line is not noticed.
    /// - Throws: all errors at once; none contains a value.
    public init(
        config: ConfigReader, accesses: ConfigurationAccessRecorder? = nil
    ) async throws(BrokerConfigurationError) {
        var values = ConfigurationValues(config: config, accesses: accesses)
        let publicURL = await Self.publicURL(from: &values)
        var read: BrokerConfiguration?
        if let publicURL {
            read = await Self.read(publicURL: publicURL, from: &values)
        }
        values.add(read?.validate() ?? [])
        guard var configuration = read, values.errors.isEmpty else {
            throw BrokerConfigurationError(errors: values.errors)
        }
        configuration.makeMissingKeys()
        if !configuration.publicURL.isSecure {
            configuration.warnings.append("auth.public-url is http: login cookies are not Secure.")
        }
        configuration.exposedSecretFiles = values.exposedSecretFiles
        self = configuration
    }

    private static func publicURL(from values: inout ConfigurationValues) async -> PublicURL? {
        let key = "auth.public-url"
        let text = await values.string(key, expected: PublicURL.expectation)
        if let text, let url = PublicURL(text) { return url }
        values.add([ConfigurationError(key: key, expected: "\(PublicURL.expectation), required")])
        return PublicURL.standIn(for: text)
    }

    private static func read(
        publicURL: PublicURL, from values: inout ConfigurationValues
    ) async -> BrokerConfiguration {
        let pathPrefix = await values.string("auth.path-prefix", expected: plainPath)
        let sealingKeys = await values.secretList("auth.sealing-keys")
        let signingKey = await values.secret("auth.signing-key")
        var providers: [Provider] = []
        for name in await names("auth.providers", from: &values) {
            providers.append(await Provider(name: name, from: &values))
        }
        var apps: [App] = []
        for name in await names("auth.apps", from: &values) {
            apps.append(await App(name: name, from: &values))
        }
        return BrokerConfiguration(
            publicURL: publicURL,
            pathPrefix: pathPrefix ?? defaultPathPrefix,
            sealingKeys: (sealingKeys ?? []).map { Secret($0) },
            signingKey: signingKey.map { Secret($0) },
            providers: providers,
            apps: apps,
            webhook: await webhook(from: &values),
            appleDomainAssociation: await values.bytes("auth.apple-domain-association"),
            storeBytes: await values.int("auth.store-bytes", expected: storeSize)
                ?? InMemorySingleUseStore.defaultBytes)
    }

    /// The names in a list; those that are none are an error and left out, so that they are not made parts of keys.
    private static func names(_ key: String, from values: inout ConfigurationValues) async -> [String] {
        let given = await values.list(key) ?? []
        var names: [String] = []
        for name in given where ConfigurationName.isValid(name) && !names.contains(name) { names.append(name) }
        if names.count != given.count { values.add(key, expected: ConfigurationName.expectation) }
        return names
    }
}
