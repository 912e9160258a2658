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
            (!redirectURIs.isEmpty || !nativeAudiences.isEmpty) && redirectURIs.allSatisfy { RedirectURI($0) != nil },
            "redirect-uris",
            "at least one (none only with native-audiences), \(RedirectURI.expectation)")
        judgeNativeAudiences(&rules, in: configuration)
        if let providers {
            let configured = Set(configuration.providers.map(\.name))
            rules.require(
                !providers.isEmpty && configured.isSuperset(of: providers), "providers",
                "names from auth.providers, at least one; leave the key out for all")
        }
        return rules.mistakes
    }

    /// An audience tells which app a token was made for, and that it was not made for the broker: no two may share one.
    private func judgeNativeAudiences(_ rules: inout Rules, in configuration: BrokerConfiguration) {
        var taken = Set(configuration.providers.map(\.clientID))
        for app in configuration.apps where app.name != name { taken.formUnion(app.nativeAudiences) }
        rules.require(
            nativeAudiences.allSatisfy { ConfigurationSyntax.isVisible($0) && $0.utf8.count <= 256 }
                && Set(nativeAudiences).count == nativeAudiences.count && taken.isDisjoint(with: nativeAudiences),
            "native-audiences",
            "1 to 256 visible ASCII characters each, given once, in no other app, and no provider's client-id")
    }
}
