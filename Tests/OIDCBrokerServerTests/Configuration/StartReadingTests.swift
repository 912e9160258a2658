// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OpenIDRelyingParty
import Synchronization
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// The reading of a configuration at the start while its files change.
struct StartReadingTests {
    private static let setting = ("client-secret: from-yaml", "client-secret-file: ")

    /// Counts the readings, and changes files behind each of them: after it read them and before they are looked at.
    private final class Readings: Sendable {
        private let location: ConfigurationLocation
        private let change: @Sendable (Int) throws -> Void
        private let number = Mutex(0)

        init(_ location: ConfigurationLocation, change: @escaping @Sendable (Int) throws -> Void) {
            self.location = location
            self.change = change
        }

        var count: Int { number.withLock { $0 } }

        func load() async throws(BrokerConfigurationError) -> LoadedConfiguration {
            try await StartReading(of: location) {
                let reading = await self.location.read(keeping: nil)
                let number = self.number.withLock { number in
                    number += 1
                    return number
                }
                #expect(throws: Never.self) { try self.change(number) }
                return reading
            }.load()
        }
    }

    private static func secret(_ loaded: LoadedConfiguration) -> Secret? {
        loaded.broker.providers.first?.configuration.clientSecret
    }

    @Test func `files that stay the same are read once, and once more where one of them names others`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try directory.write("broker.yaml", SourcesFixture.yaml.utf8)
            let location = ConfigurationLocation(environment: [:], configurationFile: file)
            let plain = Readings(location) { _ in }
            #expect(Self.secret(try await plain.load()) == Secret("from-yaml"))
            #expect(plain.count == 1)
            let value = try directory.write("value", "from-file".utf8)
            let yaml = SourcesFixture.yaml.replacing(Self.setting.0, with: Self.setting.1 + value)
            try directory.write("broker.yaml", yaml.utf8)
            let naming = Readings(location) { _ in }
            #expect(Self.secret(try await naming.load()) == Secret("from-file"))
            #expect(naming.count == 2)
        }
    }

    @Test func `a file that changed while it was read is read again`() async throws {
        try await TemporaryDirectory.use { directory in
            let value = try directory.write("value", "old".utf8)
            let yaml = SourcesFixture.yaml.replacing(Self.setting.0, with: Self.setting.1 + value)
            let location = ConfigurationLocation(
                environment: [:], configurationFile: try directory.write("broker.yaml", yaml.utf8))
            // The first reading finds the file, which changes behind the second.
            let readings = Readings(location) { number in
                if number == 2 { try directory.write("value", "new".utf8) }
            }
            #expect(Self.secret(try await readings.load()) == Secret("new"))
            #expect(readings.count == 3)
        }
    }

    @Test func `a file that was half written when it was read is no error`() async throws {
        try await TemporaryDirectory.use { directory in
            let half = SourcesFixture.yaml.utf8.prefix(SourcesFixture.yaml.utf8.count / 2)
            let location = ConfigurationLocation(
                environment: [:], configurationFile: try directory.write("broker.yaml", half))
            let readings = Readings(location) { number in
                if number == 1 { try directory.write("broker.yaml", SourcesFixture.yaml.utf8) }
            }
            #expect(Self.secret(try await readings.load()) == Secret("from-yaml"))
        }
    }

    @Test func `a secrets directory whose files are swapped while they are read`() async throws {
        try await TemporaryDirectory.use { directory in
            let name = "auth-provider-acme-client-secret"
            let volume = try SecretVolume(in: directory, [name: "old"])
            let location = ConfigurationLocation(
                environment: SourcesFixture.environment(
                    without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"], with: ["AUTH_SECRETS_DIRECTORY": volume.path]))
            let readings = Readings(location) { number in
                if number == 2 { try volume.swap([name: "new"]) }
            }
            #expect(Self.secret(try await readings.load()) == Secret("new"))
        }
    }

    @Test func `files that never stay the same are an error, after as many readings as are allowed`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try directory.write("broker.yaml", SourcesFixture.yaml.utf8)
            let readings = Readings(ConfigurationLocation(environment: [:], configurationFile: file)) { number in
                try directory.write("broker.yaml", (SourcesFixture.yaml + "\n# \(number)\n").utf8)
            }
            let error = await #expect(throws: BrokerConfigurationError.self) { try await readings.load() }
            #expect(error?.errors.map(\.key) == ["--config"])
            #expect(error?.errors.first?.expected.contains("stay the same") == true)
            #expect(readings.count == StartReading.maximumReadings)
            // The last reading that is allowed may be the one.
            let late = Readings(ConfigurationLocation(environment: [:], configurationFile: file)) { number in
                guard number < StartReading.maximumReadings else { return }
                try directory.write("broker.yaml", (SourcesFixture.yaml + "\n# late \(number)\n").utf8)
            }
            #expect(Self.secret(try await late.load()) == Secret("from-yaml"))
        }
    }
}
