// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting

/// The configuration of the demo's broker and provider.
struct DemoConfiguration: Sendable {
    /// The fictitious user who signs in, shown on the terminal and on the provider's page.
    static let user = OpenIDProvider.Person(
        email: "ada@example.org", password: "correct horse", name: "Ada Example", subject: "person-ada")
    /// The same user at the mock Apple, who hides the email by default.
    static let appleAccount = MockApple.Person(
        email: user.email, password: user.password, givenName: "Ada", familyName: "Example", hidesEmail: true)
    /// The developer team of the broker at the mock Apple.
    static let teamID = "DEMOTEAM01"
    /// The broker's client ID at the provider; at the mock Apple its Services ID.
    static let clientID = "demo-broker"
    /// The sample app's client ID at the broker, which is a public client.
    static let appClientID = "sample"
    /// The default of the broker's `auth.path-prefix`.
    static let pathPrefix = "/__/auth"

    /// The broker's public URL.
    let publicURL: String
    /// The provider.
    let provider: Provider
    /// The other provider, which a user with an account can link; `nil` without accounts.
    let linkedProvider: Provider?
    /// The sample app's redirect URI.
    let redirectURI: String
    /// The host and port of the sample app, whose pages may use the web app's API key.
    let appAuthority: String
    /// The path of the PEM file with the only certificate that the broker trusts at the provider.
    let certificatePath: String
    /// The content of that file.
    let certificatePEM: String

    /// A provider of the broker.
    struct Provider: Sendable {
        /// The issuer.
        let issuer: String
        /// The broker's credentials at the provider, created for this run.
        let client: Client
    }

    /// The broker's credentials at a provider.
    enum Client: Sendable {
        /// A secret shared with the provider.
        case development(secret: String)
        /// A key whose public half is registered at the mock Apple.
        case apple(MockApple.DeveloperKey)

        /// The kind of provider.
        var kind: DemoProvider {
            switch self {
            case .development: .development
            case .apple: .apple
            }
        }
    }

    /// The broker's issuer, as apps see it.
    var brokerIssuer: String { publicURL + Self.pathPrefix }
    /// The broker's redirect URI at the provider.
    var callbackURL: String { brokerIssuer + "/handler" }

    /// What the page of the web app needs to know.
    var webApp: WebAppSettings {
        WebAppSettings(
            publicURL: publicURL, brokerIssuer: brokerIssuer, apiKey: DemoAccounts.webAPIKey,
            projectID: DemoAccounts.projectID)
    }

    /// Whether the sign-ins of the sample app enter accounts.
    var hasAccounts: Bool { linkedProvider != nil }
    private var providers: [Provider] { [provider] + [linkedProvider].compactMap { $0 } }

    /// The configuration with the documented keys, as the broker would read it from a file.
    var reader: ConfigReader {
        var values: [AbsoluteConfigKey: ConfigValue] = [
            "auth.public-url": text(publicURL),
            "auth.providers": list(providers.map(\.client.kind.configuredName)),
            "auth.apps": list([Self.appClientID]),
            "auth.app.sample.redirect-uris": list([redirectURI]),
            "auth.app.sample.upstream-tokens": ConfigValue(.bool(true), isSecret: false),
            "auth.app.sample.accounts": ConfigValue(.bool(hasAccounts), isSecret: false),
        ]
        for provider in providers { values.merge(self.values(of: provider)) { _, own in own } }
        return ConfigReader(provider: InMemoryProvider(name: "demo", values: values))
    }

    private func values(of provider: Provider) -> [AbsoluteConfigKey: ConfigValue] {
        switch provider.client {
        case .development(let clientSecret):
            [
                "auth.provider.demo.issuer": text(provider.issuer),
                "auth.provider.demo.client-id": text(Self.clientID),
                "auth.provider.demo.client-secret": ConfigValue(.string(clientSecret), isSecret: true),
                "auth.provider.demo.certificate-authorities": text(certificatePath),
                "auth.provider.demo.scopes": list(["openid", "email", "profile"]),
            ]
        case .apple(let key):
            [
                "auth.provider.apple.kind": text("apple"),
                "auth.provider.apple.client-id": text(Self.clientID),
                "auth.provider.apple.team-id": text(key.teamID),
                "auth.provider.apple.key-id": text(key.keyID),
                "auth.provider.apple.private-key": ConfigValue(.string(key.privateKey.exposed), isSecret: true),
            ]
        }
    }

    /// Returns the broker's configuration, read with the same code that `serve` uses.
    ///
    /// - Throws: `BrokerConfigurationError`.
    func brokerConfiguration() async throws -> BrokerConfiguration {
        var configuration = try await BrokerConfiguration(config: reader)
        // There is no configuration key that replaces Apple by another server.
        for provider in providers where provider.client.kind == .apple {
            let standIn = AppleStandIn(issuer: provider.issuer, certificateAuthorities: Array(certificatePEM.utf8))
            for index in configuration.providers.indices { configuration.providers[index].replaceApple(by: standIn) }
        }
        return configuration
    }

    private func text(_ value: String) -> ConfigValue { ConfigValue(.string(value), isSecret: false) }

    private func list(_ values: [String]) -> ConfigValue { ConfigValue(.stringArray(values), isSecret: false) }
}
