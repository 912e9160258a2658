// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer

/// A directory for one test, and a configuration file without errors to put there.
struct SourcesFixture {
    let directory: URL

    static let sealingKey = Base64.encode([UInt8](repeating: 7, count: 32))
    static let signingKey = P256.Signing.PrivateKey().pemRepresentation

    /// Runs a body with a directory of its own.
    static func run<Result>(_ body: (SourcesFixture) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "oidc-broker-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(SourcesFixture(directory: directory))
    }

    /// Writes a file and returns its path.
    func write(_ name: String, _ contents: String) throws -> String {
        let url = directory.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: url, atomically: true, encoding: .utf8)
        return url.path
    }

    /// The environment of a complete configuration.
    static let environment: [String: String] = [
        "AUTH_PUBLIC_URL": "https://auth.example.com",
        "AUTH_SEALING_KEYS": sealingKey,
        "AUTH_SIGNING_KEYS": signingKey,
        "AUTH_PROVIDERS": "acme",
        "AUTH_PROVIDER_ACME_ISSUER": "https://login.acme.example",
        "AUTH_PROVIDER_ACME_CLIENT_ID": "broker",
        "AUTH_PROVIDER_ACME_CLIENT_SECRET": "from-environment",
        "AUTH_APPS": "shop",
        "AUTH_APP_SHOP_REDIRECT_URIS": "https://shop.example/cb, com.example.shop:/cb",
    ]

    /// The variables of accounts with one app of an SDK.
    static let accounts: [String: String] = [
        "AUTH_ACCOUNTS_PROJECT_ID": "acme-people",
        "AUTH_ACCOUNTS_DATABASE": "sqlite:/var/lib/oidc-broker/accounts.sqlite",
        "AUTH_ACCOUNTS_SIGNING_KEYS": P256.Signing.PrivateKey().pemRepresentation,
        "AUTH_SDK_APPS": "web",
        "AUTH_SDK_APP_WEB_API_KEY": "key-of-the-web-app",
    ]

    /// The variables of an API for which the app gets access tokens.
    static let resource: [String: String] = [
        "AUTH_RESOURCES": "orders",
        "AUTH_RESOURCE_ORDERS_IDENTIFIER": "https://api.example/orders",
        "AUTH_RESOURCE_SIGNING_KEYS": P256.Signing.PrivateKey().pemRepresentation,
        "AUTH_APP_SHOP_RESOURCES": "orders",
    ]

    /// Returns the same environment with changes to its variables.
    static func environment(
        without removed: Set<String> = [], with added: [String: String] = [:]
    ) -> [String: String] {
        environment.filter { !removed.contains($0.key) }.merging(added) { $1 }
    }

    static let yaml = """
        auth:
          public-url: https://auth.example.com
          sealing-keys: [\(sealingKey)]
          signing-keys: |
        \(signingKey.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
          providers: [acme]
          provider:
            acme:
              issuer: https://login.acme.example
              client-id: broker
              client-secret: from-yaml
              clock-skew-seconds: 30
              user-info: true
          apps: [shop]
          app:
            shop:
              redirect-uris:
                - https://shop.example/cb
        server:
          port: 0
        """

    /// Reads and validates, and returns the errors.
    static func load(
        arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
    ) async throws -> LoadedConfiguration {
        try await ConfigurationSources(arguments: arguments, environment: environment, configurationFile: file).load()
    }

    static func errors(
        arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
    ) async throws -> [ConfigurationError] {
        do {
            _ = try await load(arguments: arguments, environment: environment, file: file)
            return []
        } catch let error as BrokerConfigurationError {
            return error.errors
        }
    }
}
