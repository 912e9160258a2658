// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

extension BrokerConfiguration.App {
    /// Reads the keys under `auth.app.<name>.`; what is missing stays empty for the rules to find.
    init(name: String, from values: inout ConfigurationValues) async {
        let prefix = "auth.app.\(name)."
        self.init(
            name: name,
            clientID: await values.string(prefix + "client-id"),
            clientSecret: await values.secret(prefix + "client-secret").map { Secret($0) },
            redirectURIs: await values.list(prefix + "redirect-uris") ?? [],
            providers: await values.list(prefix + "providers"),
            upstreamTokens: await values.bool(prefix + "upstream-tokens") ?? false)
    }
}
