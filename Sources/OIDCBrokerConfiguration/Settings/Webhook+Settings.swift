// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
package import Signing

/// The keys under `auth.webhook.`.
extension BrokerConfiguration.Webhook: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.Webhook>] = [
        Setting(
            "url", \.url, .text, "the URL that receives the notifications of providers, and the events of accounts",
            default: "none"
        )
        .check(takes: address) { $0.endpoint == nil ? "\(address), required with auth.webhook.signing-key" : nil },
        Setting(
            "signing-key", \.signingKey, .secret(signer), "the key that signs webhooks (RFC 9421)",
            default: "required with the URL"
        ).check { webhook in
            guard webhook.key == nil else { return nil }
            let problem =
                webhook.signingKey.exposed.isEmpty
                ? "" : "; the key \(PrivateKeyProblem(webhook.signingKey.exposed, kinds: [.p256]))"
            return "\(signer), required with auth.webhook.url\(problem)"
        },
    ]

    private static let address = "an https URL without fragment or user information (http only on loopback)"
    private static let signer =
        "the PEM text of a P-256 private key, not in auth.signing-keys or auth.resource-signing-keys"

    /// The prefix of the keys.
    package static let prefix = "auth.webhook."

    /// A webhook whose configuration has not been read yet.
    package static let unknown = Self(url: "", signingKey: Secret(""))

    /// Reads the keys; `nil` if there are none. A missing value is empty and is found by the validation.
    package static func read(from values: inout ConfigurationValues) async -> Self? {
        var webhook = unknown
        let given = await values.read(&webhook, prefix: prefix)
        return given.isEmpty ? nil : webhook
    }

    /// Returns the errors in the webhook of a broker with those signing keys of each purpose.
    package func errors(besides brokerKeys: [SigningKeys]) -> [ConfigurationError] {
        var rules = Rules(self, prefix: Self.prefix)
        let isOwn = brokerKeys.contains { $0.all.contains { $0.keyID == key?.keyID } }
        rules.require(!isOwn, \.signingKey, takes(\.signingKey))
        return rules.errors
    }
}
