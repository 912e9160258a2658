// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Testing

extension Broker {
    /// Returns a broker at a loopback URL with one provider and one app.
    static func loopback(_ transport: some ProviderTransport) throws -> Broker {
        var configuration = BrokerConfiguration(
            publicURL: try #require(PublicURL("http://localhost:8080")),
            providers: [
                BrokerConfiguration.Provider(
                    name: "acme", issuer: "https://login.acme.example", clientID: "broker", clientSecret: Secret("s"))
            ],
            apps: [BrokerConfiguration.App(name: "web", redirectURIs: ["http://localhost:8080/app"])])
        configuration.makeMissingKeys()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try Broker(configuration: configuration, transport: transport, logger: logger)
    }
}
