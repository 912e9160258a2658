// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import SignInWithAppleTesting

/// A running provider of the demo, with one fictitious user and the broker as its client; with accounts another user,
/// and the sample app as its own client.
enum RunningDemoProvider: Sendable {
    /// The development provider, and the broker's client secret.
    case development(OpenIDProvider, clientSecret: String)
    /// The mock Apple, and the key of the broker's team.
    case apple(MockApple, MockApple.DeveloperKey)

    /// Starts the provider.
    ///
    /// - Throws: The error of a provider that cannot start.
    static func start(
        _ provider: DemoProvider, hasAccounts: Bool, certificate: DevelopmentCertificate, on group: any EventLoopGroup
    ) async throws -> RunningDemoProvider {
        let users: [DemoUser] = hasAccounts ? DemoUser.allCases : [.ada]
        switch provider {
        case .development:
            let clientSecret = Base64URL.encode(SecureRandom.bytes(32))
            var configuration = OpenIDProvider.Configuration(
                clients: [OpenIDProvider.Client(id: DemoConfiguration.clientID, secret: clientSecret)],
                certificate: certificate)
            configuration.issuerHost = "localhost"
            configuration.people = users.map(\.account)
            if hasAccounts {
                configuration.clients.append(OpenIDProvider.Client(id: DemoAccounts.nativeClientID))
            }
            configuration.recordsRequests = false
            let started = try await OpenIDProvider.start(configuration, on: group)
            return .development(started, clientSecret: clientSecret)
        case .apple:
            let key = MockApple.DeveloperKey.make(teamID: DemoConfiguration.teamID)
            // The host differs from the broker's, so that to a browser Apple is another site and its form a cross-site
            // one.
            var configuration = MockApple.Configuration(
                clients: [.servicesID(DemoConfiguration.clientID, teamID: DemoConfiguration.teamID)],
                developerKeys: [key], certificate: certificate)
            configuration.people = users.map(\.appleAccount)
            if hasAccounts {
                configuration.clients.append(
                    .bundleID(DemoAccounts.bundleID, teamID: DemoConfiguration.teamID))
            }
            configuration.recordsRequests = false
            let started = try await MockApple.start(configuration, on: group)
            return .apple(started, key)
        }
    }

    /// The kind of provider.
    var kind: DemoProvider {
        switch self {
        case .development: .development
        case .apple: .apple
        }
    }

    /// The provider as the broker's configuration has it.
    var configuration: DemoConfiguration.Provider {
        DemoConfiguration.Provider(issuer: issuer, client: client)
    }

    /// The issuer.
    var issuer: String {
        switch self {
        case .development(let provider, _): provider.issuer
        case .apple(let apple, _): apple.issuer
        }
    }

    /// The broker's credentials.
    private var client: DemoConfiguration.Client {
        switch self {
        case .development(_, let clientSecret): .development(secret: clientSecret)
        case .apple(_, let key): .apple(key)
        }
    }

    /// Registers the broker's redirect URI.
    func allow(redirectURI: String) {
        switch self {
        case .development(let provider, _):
            provider.allow(redirectURI: redirectURI, forClient: DemoConfiguration.clientID)
        case .apple(let apple, _):
            apple.allow(redirectURI: redirectURI, forClient: DemoConfiguration.clientID)
        }
    }

    /// Stops listening. Further calls do nothing.
    func shutdown() async throws {
        switch self {
        case .development(let provider, _): try await provider.shutdown()
        case .apple(let apple, _): try await apple.shutdown()
        }
    }
}
