// SPDX-License-Identifier: Apache-2.0

public import Configuration

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
        var configuration = Self.unknown
        await values.read(&configuration, prefix: Self.prefix)
        for index in configuration.providers.indices { await configuration.providers[index].read(from: &values) }
        for index in configuration.apps.indices {
            let prefix = configuration.apps[index].prefix
            await values.read(&configuration.apps[index], prefix: prefix)
        }
        configuration.webhook = await .read(from: &values)
        values.add(configuration.validate())
        guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
        configuration.makeMissingKeys()
        if !configuration.publicURL.isSecure {
            configuration.warnings.append("auth.public-url is http: login cookies are not Secure.")
        }
        configuration.exposedSecretFiles = values.exposedSecretFiles
        self = configuration
    }
}
