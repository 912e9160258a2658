// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty

/// The configuration of the demo's broker and provider.
struct DemoConfiguration: Sendable {
    /// The fictitious person who signs in, shown on the terminal and on the provider's page.
    static let person = OpenIDProvider.Person(
        email: "ada@example.org", password: "correct horse", name: "Ada Example", subject: "person-ada")
    /// The same person at the mock Apple, who hides the address by default.
    static let appleAccount = MockApple.Person(
        email: person.email, password: person.password, givenName: "Ada", familyName: "Example", hidesEmail: true)
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
    /// The provider's issuer.
    let issuer: String
    /// The broker's credentials at the provider, created for this run.
    let client: Client
    /// The sample app's redirect URI.
    let redirectURI: String
    /// The path of the PEM file with the only certificate that the broker trusts at the provider.
    let certificatePath: String
    /// The content of that file.
    let certificatePEM: String

    /// The broker's credentials at the provider.
    enum Client: Sendable {
        /// A secret shared with the provider.
        case development(secret: String)
        /// A key whose public half is registered at the mock Apple.
        case apple(MockApple.DeveloperKey)
    }

    /// The broker's issuer, as apps see it.
    var brokerIssuer: String { publicURL + Self.pathPrefix }
    /// The broker's redirect URI at the provider.
    var callbackURL: String { brokerIssuer + "/handler" }

    /// The configuration with the documented keys, as the broker would read it from a file.
    var reader: ConfigReader {
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "auth.public-url": text(publicURL),
            "auth.apps": list([Self.appClientID]),
            "auth.app.sample.redirect-uris": list([redirectURI]),
            "auth.app.sample.upstream-tokens": ConfigValue(.bool(true), isSecret: false),
        ]
        return ConfigReader(
            provider: InMemoryProvider(name: "demo", values: values.merging(providerValues) { _, own in own }))
    }

    private var providerValues: [AbsoluteConfigKey: ConfigValue] {
        switch client {
        case .development(let clientSecret):
            [
                "auth.providers": list(["demo"]),
                "auth.provider.demo.issuer": text(issuer),
                "auth.provider.demo.client-id": text(Self.clientID),
                "auth.provider.demo.client-secret": ConfigValue(.string(clientSecret), isSecret: true),
                "auth.provider.demo.certificate-authorities": text(certificatePath),
                "auth.provider.demo.scopes": list(["openid", "email", "profile"]),
            ]
        case .apple(let key):
            [
                "auth.providers": list(["apple"]),
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
        guard case .apple = client else { return configuration }
        // There is no configuration key that replaces Apple by another server.
        let standIn = AppleStandIn(issuer: issuer, certificateAuthorities: Array(certificatePEM.utf8))
        for index in configuration.providers.indices { configuration.providers[index].replaceApple(by: standIn) }
        return configuration
    }

    private func text(_ value: String) -> ConfigValue { ConfigValue(.string(value), isSecret: false) }

    private func list(_ values: [String]) -> ConfigValue { ConfigValue(.stringArray(values), isSecret: false) }
}
