// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

extension BrokerConfiguration.App {
    /// What is wrong with this app as a part of that configuration.
    func mistakes(in configuration: BrokerConfiguration) -> [ConfigurationMistake] {
        var rules = Rules(prefix: "auth.app.\(name).")
        let isTaken = configuration.apps.contains { $0.name != name && $0.clientID == clientID }
        rules.require(
            ConfigurationSyntax.isVisible(clientID) && clientID.utf8.count <= 256 && !isTaken, "client-id",
            "1 to 256 visible ASCII characters, no other app's client id")
        if let clientSecret {
            rules.require(
                ConfigurationSyntax.isVisible(clientSecret.exposed), "client-secret",
                "visible ASCII characters; leave the key out for a public app")
        }
        rules.require(
            !redirectURIs.isEmpty && redirectURIs.allSatisfy { RedirectURI($0) != nil }, "redirect-uris",
            "at least one, \(RedirectURI.expectation)")
        if let providers {
            let configured = Set(configuration.providers.map(\.name))
            rules.require(
                !providers.isEmpty && configured.isSuperset(of: providers), "providers",
                "names from auth.providers, at least one; leave the key out for all")
        }
        return rules.mistakes
    }
}
