// SPDX-License-Identifier: Apache-2.0

import Admission
import Configuration
import Logging
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
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
        #expect(configuration.unixSocket == nil)
        #expect(configuration.trustedProxies.isEmpty)
        #expect(configuration.forwarded == ForwardedField.none)
        #expect(configuration.redirectPort == nil)
        #expect(configuration.strictTransportSecurity == .seconds(31_536_000))
        #expect(configuration.log.level == .info)
    }

    @Test(arguments: Logger.Level.allCases)
    func `accepts a log level by its name`(level: Logger.Level) async throws {
        let configuration = try await Self.read(["server.log.level": Self.text(level.rawValue)])
        var expected = ServerConfiguration()
        expected.log.level = level
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

    @Test(
        arguments: [("none", .none), ("x-forwarded-for", .xForwardedFor), ("forwarded", .forwarded)]
            as [(String, ForwardedField)])
    func `accepts proxies, and the field in which they name the client`(name: String, field: ForwardedField)
        async throws
    {
        let configuration = try await Self.read([
            "server.trusted-proxies": ConfigValue(.stringArray(["10.0.0.0/8", "2001:db8::1"]), isSecret: false),
            "server.forwarded": Self.text(name),
        ])
        var expected = ServerConfiguration()
        expected.trustedProxies = ["10.0.0.0/8", "2001:db8::1/128"].compactMap { IPNetwork($0) }
        expected.forwarded = field
        #expect(configuration == expected)
    }

    @Test(
        arguments: [
            ["0.0.0.0/0"], ["::/0"], ["10.0.0.0/8", "::/0"], ["10.0.0.1/8"], ["proxy.example"], ["10.0.0.0/8,"],
            ["10.0.0.0/8", "10.0.0.0/8"], (0...256).map { "10.\($0 / 256).\($0 % 256).0/24" },
        ])
    func `refuses proxies that are no networks, all addresses, the same twice, or too many`(texts: [String])
        async throws
    {
        let found = try await Self.errors([
            "server.trusted-proxies": ConfigValue(.stringArray(texts), isSecret: false)
        ])
        #expect(found.map(\.key) == ["server.trusted-proxies"])
        #expect(found.first?.expected.contains("10.0.0.0/8") == true)
    }

    @Test func `accepts 256 proxies`() async throws {
        let texts = (0..<256).map { "10.0.\($0).0/24" }
        let configuration = try await Self.read([
            "server.trusted-proxies": ConfigValue(.stringArray(texts), isSecret: false)
        ])
        #expect(configuration.trustedProxies.map(\.description) == texts)
    }

    @Test func `a field without proxies is what any client says`() async throws {
        for name in ["x-forwarded-for", "forwarded"] {
            let found = try await Self.errors(["server.forwarded": Self.text(name)])
            #expect(found.map(\.key) == ["server.forwarded"])
            #expect(found.first?.expected.contains("server.trusted-proxies") == true)
            let onSocket = try await Self.read([
                "server.forwarded": Self.text(name), "server.unix-socket": "/run/broker.sock",
            ])
            #expect(onSocket.unixSocket == "/run/broker.sock")
        }
    }

    @Test func `accepts plain HTTP on any address if only proxies connect`() async throws {
        let configuration = try await Self.read([
            "server.host": "0.0.0.0",
            "server.trusted-proxies": ConfigValue(.stringArray(["192.0.2.1"]), isSecret: false),
        ])
        #expect(configuration.host == "0.0.0.0")
        #expect(configuration.tls == nil)
    }

    @Test(arguments: ["", "run/broker.sock", "/" + String(repeating: "a", count: 103), "/a\0b"])
    func `refuses a path of a socket that cannot be bound`(path: String) async throws {
        let found = try await Self.errors(["server.unix-socket": Self.text(path)])
        #expect(found.map(\.key) == ["server.unix-socket"])
        #expect(found.first?.expected.contains("absolute path") == true)
    }

    @Test func `accepts the longest path of a socket`() async throws {
        let path = "/" + String(repeating: "a", count: 102)
        let configuration = try await Self.read(["server.unix-socket": Self.text(path)])
        #expect(configuration.unixSocket == path)
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
            ("server.port", "https", "0 to 65535"), ("server.redirect.port", 65536, "0 to 65535"),
            ("server.redirect.port", -1, "0 to 65535"), ("server.forwarded", "x-real-ip", "x-forwarded-for"),
            ("server.forwarded", "X-Forwarded-For", "x-forwarded-for"), ("server.forwarded", "", "x-forwarded-for"),
            ("server.hsts-max-age-seconds", -1, "0 to 63072000"),
            ("server.hsts-max-age-seconds", 63_072_001, "0 to 63072000"),
            ("server.provider-transport", "NIO", "async-http-client or nio"),
            ("server.provider-transport", "", "async-http-client or nio"),
            ("server.log.level", "verbose", "trace, debug, info, notice, warning, error, critical"),
            ("server.log.level", "INFO", "trace, debug"),
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

    @Test func `TLS and a Unix domain socket are not for the same server`() async throws {
        try await SourcesFixture.run { fixture in
            let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
            let chain = try fixture.write("chain.pem", certificate.certificatePEM)
            let key = try fixture.write("key.pem", certificate.privateKeyPEM)
            let found = try await Self.errors([
                "server.unix-socket": "/run/broker.sock", "server.tls.certificate-chain": Self.text(chain),
                "server.tls.private-key": Self.text(key),
            ])
            #expect(found.map(\.key) == ["server.unix-socket"])
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
