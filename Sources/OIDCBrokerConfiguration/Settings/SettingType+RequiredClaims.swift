// SPDX-License-Identifier: Apache-2.0

extension SettingType where Value == BrokerConfiguration.RequiredClaims {
    /// The claims that an app requires: a key below for each provider of the configuration, and below that one for each
    /// claim. A key of no such claim is not read, and so is an unknown one.
    package static let requiredClaims = SettingType(takes: takes) { key, expected, values in
        await values.refuse(key, expected: expected)
        // What is wrong with the lists themselves is an error at their own keys.
        var lists = values
        var required = BrokerConfiguration.RequiredClaims()
        for provider in await lists.list("auth.providers") ?? [] where ConfigurationName.isValid(provider) {
            let claims = await lists.list(BrokerConfiguration.Provider.prefix(of: provider) + "claims") ?? []
            var names = usualNames
            for claim in claims.map({ BrokerConfiguration.ProviderClaim(entry: $0).name })
            // A name with a dot is no part of a key.
            where !names.contains(claim) && !claim.utf8.contains(UInt8(ascii: ".")) && !claim.isEmpty {
                names.append(claim)
            }
            for name in names {
                guard let value = await values.requiredValue("\(key).\(provider).\(name)") else { continue }
                required.ofProviders[provider, default: [:]][name] = value
            }
        }
        return required.isEmpty ? nil : required
    }

    /// The names that are read of any provider. One that it does not hand on is then an error, and not an unknown key,
    /// which a server that embeds the broker does not see.
    private static var usualNames: [String] {
        ["email_verified", "email", "groups", "roles", "hd", "tid", "oid", "preferred_username", "name", "acr", "amr"]
    }

    private static var takes: String {
        "keys of the form provider.claim, such as acme.groups: [staff] or acme.email_verified: true: a name of "
            + "auth.providers, then email_verified or a name of the provider's claims"
    }
}

extension ConfigurationValues {
    /// Reads a Boolean or a list of texts; `nil` if there is none or it is an error.
    fileprivate mutating func requiredValue(_ key: String) async -> BrokerConfiguration.RequiredClaims.Value? {
        if let bool = await writtenBool(key) { return .bool(bool) }
        return await list(key, expected: "true, false or a list of texts, such as [staff]").map { .anyOf($0) }
    }
}
