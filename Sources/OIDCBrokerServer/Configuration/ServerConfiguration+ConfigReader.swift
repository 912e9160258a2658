// SPDX-License-Identifier: Apache-2.0

public import Configuration
import OIDCBroker
public import OIDCBrokerConfiguration

extension ServerConfiguration {
    /// Reads every key under `server.` and validates the configuration as a whole.
    ///
    /// - Parameters:
    ///   - config: The reader, whose keys begin with `server.`.
    ///   - accesses: The recorder that is installed as the reader's access reporter. Without it, errors do not name the
    ///     source of their value.
    /// - Throws: All errors at once.
    public init(
        config: ConfigReader, accesses: ConfigurationAccessRecorder? = nil
    ) async throws(BrokerConfigurationError) {
        var values = ConfigurationValues(config: config, accesses: accesses)
        var configuration = ServerConfiguration()
        await values.read(&configuration, prefix: Self.prefix)
        await values.read(&configuration.limits, prefix: Self.prefix)
        await values.read(&configuration.loopback, prefix: LoopbackConfiguration.prefix)
        await values.read(&configuration.operations, prefix: OperationsConfiguration.prefix)
        await values.read(&configuration.log, prefix: LogConfiguration.prefix)
        configuration.tls = await .read(from: &values)
        values.add(configuration.validate())
        guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
        configuration.exposedSecretFiles =
            [configuration.tls?.exposedPrivateKey].compactMap { $0 } + values.exposedSecretFiles
        self = configuration
    }
}
