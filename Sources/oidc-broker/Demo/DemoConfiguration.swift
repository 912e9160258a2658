// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBroker
import OIDCBrokerTesting

/// What the demo's broker and provider are configured with.
struct DemoConfiguration: Sendable {
    /// The made-up person who signs in; shown on the terminal and on the provider's page.
    static let person = OpenIDProvider.Person(
        email: "ada@example.org", password: "correct horse", name: "Ada Example", subject: "person-ada")
    /// The broker's client id at the provider.
    static let clientID = "demo-broker"
    /// The sample app's client id at the broker; a public client.
    static let appClientID = "sample"
    /// The default of the broker's `auth.path-prefix`.
    static let pathPrefix = "/__/auth"

    /// The broker's public URL.
    let publicURL: String
    /// The provider's issuer.
    let issuer: String
    /// The broker's client secret at the provider, made for this run.
    let clientSecret: String
    /// The sample app's redirect URI.
    let redirectURI: String
    /// The PEM file with the certificate that the broker trusts at the provider, instead of the system's.
    let certificatePath: String

    /// The broker's issuer, as apps see it.
    var brokerIssuer: String { publicURL + Self.pathPrefix }
    /// Where the provider sends the browser back to.
    var returnURL: String { brokerIssuer + "/handler" }

    /// The configuration as the broker would read it from a file: the documented keys.
    var reader: ConfigReader {
        ConfigReader(
            provider: InMemoryProvider(
                name: "demo",
                values: [
                    "auth.public-url": text(publicURL),
                    "auth.providers": list(["demo"]),
                    "auth.provider.demo.issuer": text(issuer),
                    "auth.provider.demo.client-id": text(Self.clientID),
                    "auth.provider.demo.client-secret": ConfigValue(.string(clientSecret), isSecret: true),
                    "auth.provider.demo.certificate-authorities": text(certificatePath),
                    "auth.provider.demo.scopes": list(["openid", "email", "profile"]),
                    "auth.apps": list([Self.appClientID]),
                    "auth.app.sample.redirect-uris": list([redirectURI]),
                    "auth.app.sample.upstream-tokens": ConfigValue(.bool(true), isSecret: false),
                ]))
    }

    /// The broker's configuration, through the path that `serve` uses too.
    ///
    /// - Throws: `BrokerConfigurationError`.
    func brokerConfiguration() async throws -> BrokerConfiguration {
        try await BrokerConfiguration(config: reader)
    }

    private func text(_ value: String) -> ConfigValue { ConfigValue(.string(value), isSecret: false) }

    private func list(_ values: [String]) -> ConfigValue { ConfigValue(.stringArray(values), isSecret: false) }
}
