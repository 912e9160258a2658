// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// The keys under `auth.webhook.`.
extension BrokerConfiguration.Webhook: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.Webhook>] = [
        Setting("url", \.url, .text, "where notifications of providers go", default: "none")
            .check(takes: address) { $0.endpoint == nil ? "\(address), required with auth.webhook.signing-key" : nil },
        Setting(
            "signing-key", \.signingKey, .secret(signer), "signs webhooks (RFC 9421) and nothing else",
            default: "required with the URL"
        ).check { $0.key == nil ? "\(signer), required with auth.webhook.url" : nil },
    ]

    private static let address = "an https URL without fragment or user information (http only on loopback)"
    private static let signer = "the PEM text of a P-256 private key, another than auth.signing-key"

    /// What its keys begin with.
    static let prefix = "auth.webhook."

    /// A webhook of which nothing is known.
    static let unknown = Self(url: "", signingKey: Secret(""))

    /// Reads the keys; `nil` if there are none. What is missing stays empty for the rules to find.
    static func read(from values: inout ConfigurationValues) async -> Self? {
        var webhook = unknown
        let given = await values.read(&webhook, prefix: prefix)
        return given.isEmpty ? nil : webhook
    }

    /// What is wrong with the webhook of a broker with that signing key.
    func errors(besides brokerKey: Secret?) -> [ConfigurationError] {
        var rules = Rules(self, prefix: Self.prefix)
        let own = brokerKey.flatMap { try? SigningKey(pem: $0.exposed) }?.keyID
        rules.require(key?.keyID != own || own == nil, \.signingKey, takes(\.signingKey))
        return rules.errors
    }
}
