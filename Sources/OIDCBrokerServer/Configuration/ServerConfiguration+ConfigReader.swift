// SPDX-License-Identifier: Apache-2.0

public import Configuration
import Logging
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
        let host = await values.string("server.host")
        let port = await values.int("server.port", expected: Self.portExpectation)
        let chainKey = "server.tls.certificate-chain"
        let keyKey = "server.tls.private-key"
        let chain = await values.string(chainKey)
        let key = await values.string(keyKey)
        var configuration = ServerConfiguration(
            host: host ?? Self.defaultHost, port: port ?? Self.defaultPort,
            providerTransport: await Self.providerTransport(from: &values),
            isBehindProxy: await values.bool("server.behind-proxy") ?? false,
            logLevel: await Self.logLevel(from: &values))
        switch (chain, key) {
        case (.some(let chain), .some(let key)):
            configuration.tls = TLSFiles(certificateChain: chain, privateKey: key)
            values.add(configuration.validate())
        case (.some, nil):
            values.add([.init(key: keyKey, expected: "a path, since \(chainKey) is given")])
        case (nil, .some):
            values.add([.init(key: chainKey, expected: "a path, since \(keyKey) is given")])
        case (nil, nil):
            values.add(configuration.validate())
        }
        guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
        configuration.exposedSecretFiles =
            configuration.tls.flatMap {
                ConfigurationFile.exposure(ofSecretFileAtPath: $0.privateKey, key: keyKey)
            }.map { [$0] } ?? []
        self = configuration
    }

    private static func logLevel(from values: inout ConfigurationValues) async -> Logger.Level {
        let key = "server.log-level"
        let expected = "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        guard let text = await values.string(key, expected: expected) else { return defaultLogLevel }
        guard let level = Logger.Level(rawValue: text) else {
            values.add(key, expected: expected)
            return defaultLogLevel
        }
        return level
    }

    private static func providerTransport(from values: inout ConfigurationValues) async -> ProviderTransportKind {
        let key = "server.provider-transport"
        guard let text = await values.string(key, expected: ProviderTransportKind.expectation) else {
            return defaultProviderTransport
        }
        guard let kind = ProviderTransportKind(rawValue: text) else {
            values.add(key, expected: ProviderTransportKind.expectation)
            return defaultProviderTransport
        }
        return kind
    }
}
