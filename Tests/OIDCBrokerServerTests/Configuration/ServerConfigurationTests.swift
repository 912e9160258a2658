// SPDX-License-Identifier: Apache-2.0

import Configuration
import Logging
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import Testing

/// Configuration of the server.
struct ServerConfigurationTests {
    private static func read(_ values: [String: ConfigValue]) async throws -> ServerConfiguration {
        let keyed = values.map { key, value in
            (AbsoluteConfigKey(key.split(separator: ".").map(String.init)), value)
        }
        let accesses = ConfigurationAccessRecorder(sourceNames: ["InMemoryProvider[test]": "the test"])
        let provider = InMemoryProvider(name: "test", values: Dictionary(uniqueKeysWithValues: keyed))
        return try await ServerConfiguration(
            config: ConfigReader(provider: provider, accessReporter: accesses), accesses: accesses)
    }

    private static func errors(_ values: [String: ConfigValue]) async throws -> [ConfigurationError] {
        do {
            _ = try await read(values)
            return []
        } catch let error as BrokerConfigurationError {
            return error.errors
        }
    }

    private static func text(_ value: String) -> ConfigValue { ConfigValue(.string(value), isSecret: false) }

    @Test func `has defaults`() async throws {
        let configuration = try await Self.read([:])
        #expect(configuration == ServerConfiguration())
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8443)
        #expect(configuration.tls == nil)
        #expect(configuration.providerTransport == .nio)
        #expect(!configuration.behindProxy)
        #expect(configuration.logLevel == .info)
    }

    @Test(arguments: Logger.Level.allCases)
    func `accepts a log level by its name`(level: Logger.Level) async throws {
        let configuration = try await Self.read(["server.log-level": Self.text(level.rawValue)])
        var expected = ServerConfiguration()
        expected.logLevel = level
        #expect(configuration == expected)
    }

    @Test(
        arguments: [("async-http-client", .asyncHTTPClient), ("nio", .nio)] as [(String, ProviderTransportKind)])
    func `accepts the provider transport by its name`(name: String, kind: ProviderTransportKind) async throws {
        let configuration = try await Self.read(["server.provider-transport": Self.text(name)])
        var expected = ServerConfiguration()
        expected.providerTransport = kind
        #expect(configuration == expected)
    }

    @Test(arguments: [true, false])
    func `accepts whether there is a proxy in front`(behindProxy: Bool) async throws {
        let configuration = try await Self.read([
            "server.behind-proxy": ConfigValue(.bool(behindProxy), isSecret: false)
        ])
        var expected = ServerConfiguration()
        expected.behindProxy = behindProxy
        #expect(configuration == expected)
    }

    @Test func `peers are proxies over plain HTTP, and over TLS if the configuration says so`() {
        let tls = TLSFiles(certificateChain: "chain.pem", privateKey: "key.pem")
        #expect(ServerConfiguration().peersAreProxies)
        var configuration = ServerConfiguration(tls: tls)
        #expect(!configuration.peersAreProxies)
        configuration.behindProxy = true
        #expect(configuration.peersAreProxies)
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST"])
    func `accepts plain HTTP on loopback`(host: String) async throws {
        let configuration = try await Self.read(["server.host": Self.text(host), "server.port": 0])
        #expect(configuration.host == host)
        #expect(configuration.port == 0)
    }

    @Test(
        arguments: ["0.0.0.0", "::", "192.0.2.1", "auth.example.com", "127.0.0.1.example.com"])
    func `refuses plain HTTP elsewhere`(host: String) async throws {
        let found = try await Self.errors(["server.host": Self.text(host)])
        #expect(found.map(\.key) == ["server.host"])
        #expect(found.first?.source == "the test")
        #expect(found.first?.expected.contains("loopback") == true)
    }

    @Test(
        arguments: [
            ("server.host", "", "an address"), ("server.host", "two words", "an address"),
            ("server.port", 65536, "0 to 65535"), ("server.port", -1, "0 to 65535"),
            ("server.port", "https", "0 to 65535"), ("server.behind-proxy", "perhaps", "true or false"),
            ("server.provider-transport", "NIO", "async-http-client or nio"),
            ("server.provider-transport", "", "async-http-client or nio"),
            ("server.log-level", "verbose", "trace, debug, info, notice, warning, error, critical"),
            ("server.log-level", "INFO", "trace, debug"),
            ("server.provider-transport", 1, "async-http-client or nio"),
        ] as [(String, ConfigValue, String)])
    func `refuses wrong values`(key: String, value: ConfigValue, expected: String) async throws {
        let found = try await Self.errors([key: value])
        #expect(found.map(\.key) == [key])
        #expect(found.first?.source == "the test")
        #expect(found.first?.expected.contains(expected) == true)
    }

    @Test func `accepts TLS files that belong together, on any address`() async throws {
        try await SourcesFixture.run { fixture in
            let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
            let chain = try fixture.write("chain.pem", certificate.certificatePEM)
            let key = try fixture.write("key.pem", certificate.privateKeyPEM)
            let configuration = try await Self.read([
                "server.host": "0.0.0.0", "server.tls.certificate-chain": Self.text(chain),
                "server.tls.private-key": Self.text(key),
            ])
            #expect(configuration.tls == TLSFiles(certificateChain: chain, privateKey: key))
        }
    }

    @Test func `requires both TLS files or neither`() async throws {
        let chainOnly = try await Self.errors(["server.tls.certificate-chain": "/a"])
        #expect(chainOnly.map(\.key) == ["server.tls.private-key"])
        let keyOnly = try await Self.errors(["server.tls.private-key": "/a"])
        #expect(keyOnly.map(\.key) == ["server.tls.certificate-chain"])
    }

    @Test func `reads the TLS files`() async throws {
        try await SourcesFixture.run { fixture in
            let first = try DevelopmentCertificate.make(hosts: ["localhost"])
            let second = try DevelopmentCertificate.make(hosts: ["localhost"])
            let chain = try fixture.write("chain.pem", first.certificatePEM)
            let otherKey = try fixture.write("other.pem", second.privateKeyPEM)
            let junk = try fixture.write("junk.pem", "junk")
            for (chain, key, keys) in [
                ("/nowhere", "/nowhere", ["server.tls.certificate-chain", "server.tls.private-key"]),
                (junk, otherKey, ["server.tls.certificate-chain"]),
                (chain, junk, ["server.tls.private-key"]),
                (chain, otherKey, ["server.tls.private-key"]),
            ] {
                let found = try await Self.errors([
                    "server.tls.certificate-chain": Self.text(chain), "server.tls.private-key": Self.text(key),
                ])
                #expect(found.map(\.key) == keys)
                #expect(found.allSatisfy { $0.source == "the test" })
            }
        }
    }
}
