// SPDX-License-Identifier: Apache-2.0

import Crypto
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty

extension BrokerConfiguration {
    /// A whole configuration for a loopback public URL, its keys made on the spot.
    static func test(publicURL: PublicURL, provider: Provider = .unreachable, apps: [App]) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(publicURL: publicURL, providers: [provider], apps: apps)
        configuration.signingKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
        configuration.makeMissingKeys()
        return configuration
    }
}

extension BrokerConfiguration.Provider {
    /// A provider for tests of the server, which never reach one.
    static let unreachable = Self(
        name: "acme", issuer: "https://provider.invalid", clientID: "broker", clientSecret: Secret("secret"))
}
