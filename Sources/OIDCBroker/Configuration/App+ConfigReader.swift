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
            upstreamTokens: await values.bool(prefix + "upstream-tokens") ?? false,
            nativeAudiences: (await values.list(prefix + "native-audiences") ?? []).map {
                BrokerConfiguration.NativeAudience(entry: $0)
            },
            nativeNonce: await Self.nativeNonce(prefix + "native-nonce", from: &values))
    }

    private static func nativeNonce(
        _ key: String, from values: inout ConfigurationValues
    ) async -> BrokerConfiguration.NativeNonce {
        guard let text = await values.string(key) else { return .required }
        guard let rule = BrokerConfiguration.NativeNonce(name: text) else {
            values.add(key, expected: "required or optional")
            return .required
        }
        return rule
    }
}
