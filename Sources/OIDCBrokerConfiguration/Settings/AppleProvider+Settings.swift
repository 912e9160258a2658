// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

/// The keys under `auth.provider.<name>.` that only a provider of kind `apple` has.
extension BrokerConfiguration.AppleProvider: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.AppleProvider>] = [
        Setting(
            "team-id", \.teamID, .text,
            "the ID of the developer team; apps that only verify native credentials can omit it, `key-id` and `private-key`",
            default: "none",
            bounds: SettingBounds("10 capital letters and digits, as the membership page shows them") {
                AppleKey.isIdentifier($0)
            }),
        Setting(
            "key-id", \.keyID, .textOrFile, "the ID of the key; changes of its file are noticed",
            default: "as `team-id`",
            bounds: SettingBounds("10 capital letters and digits, as the keys page shows them") {
                AppleKey.isIdentifier($0)
            }),
        Setting(
            "private-key", \.privateKey, .secret("the text of Apple's .p8 file"),
            "the private key; a new key in its file is used within a minute, and no sign-in fails",
            default: "as `team-id`"
        ).check { $0.privateKeyError },
    ]

    /// Reads the keys. An empty value is treated as a missing one.
    package mutating func read(prefix: String, from values: inout ConfigurationValues) async {
        await values.read(&self, prefix: prefix)
        if teamID?.isEmpty == true { teamID = nil }
        if keyID?.isEmpty == true { keyID = nil }
        if privateKey?.exposed.isEmpty == true { privateKey = nil }
        keyIDFile = values.file(of: prefix + Self.key(of: \.keyID))
        privateKeyFile = values.file(of: prefix + Self.key(of: \.privateKey))
    }

    /// Returns the errors in team ID, key ID and private key, which belong together and may be omitted if native
    /// credentials are only verified.
    package func errors(prefix: String) -> [ConfigurationError] {
        var rules = Rules(self, prefix: prefix)
        guard !configuration.clientID.isEmpty || teamID != nil || keyID != nil || privateKey != nil else {
            return rules.errors
        }
        let isGiven: [(PartialKeyPath<Self>, Bool)] = [
            (\.teamID, teamID != nil), (\.keyID, keyID != nil), (\.privateKey, privateKey != nil),
        ]
        for (member, isGiven) in isGiven {
            rules.require(
                isGiven, member,
                "\(takes(member)), required with client-id, team-id, key-id or private-key")
        }
        return rules.errors
    }

    private var privateKeyError: String? {
        guard let privateKey else { return nil }
        // The ids are valid here, because those of the configuration are validated separately.
        let anyIdentifier = "AAAAAAAAAA"
        do {
            _ = try AppleKey(teamID: anyIdentifier, keyID: anyIdentifier, privateKey: privateKey)
            return nil
        } catch {
            return "the text of Apple's .p8 file (\(error))"
        }
    }
}
