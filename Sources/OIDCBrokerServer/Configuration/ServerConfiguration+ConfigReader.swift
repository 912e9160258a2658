// SPDX-License-Identifier: Apache-2.0

public import Configuration
public import OIDCBroker

extension ServerConfiguration {
    /// Reads every key under `server.` and validates the whole.
    ///
    /// - Parameters:
    ///   - config: where to read from; its keys begin with `server.`.
    ///   - accesses: the recorder installed as the reader's access reporter. Without it errors do not say where their
    ///     value came from.
    /// - Throws: all errors at once.
    public init(
        config: ConfigReader, accesses: ConfigurationAccessRecorder? = nil
    ) async throws(BrokerConfigurationError) {
        var values = ConfigurationValues(config: config, accesses: accesses)
        var configuration = ServerConfiguration()
        await values.read(&configuration, prefix: Self.prefix)
        configuration.tls = await .read(from: &values)
        values.add(configuration.validate())
        guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
        configuration.exposedSecretFiles = [configuration.tls?.exposedPrivateKey].compactMap { $0 }
        self = configuration
    }
}
