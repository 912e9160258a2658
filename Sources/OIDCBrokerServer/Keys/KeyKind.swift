// SPDX-License-Identifier: Apache-2.0

/// The kinds of keys that an operator makes, by the part of the configuration that reads them.
package enum KeyKind: String, Sendable, Hashable, CaseIterable {
    /// The keys that seal the state of logins: `auth.sealing-keys`.
    case sealing
    /// The keys that sign ID tokens: `auth.signing-keys`.
    case signing
    /// The keys that sign access tokens for APIs: `auth.resource-signing-keys`.
    case resource
    /// The keys that sign ID tokens of accounts: `auth.accounts.signing-keys`.
    case accounts
    /// The keys that sign session cookies: `auth.accounts.session-cookie-keys`.
    case sessionCookies = "session-cookies"
    /// The key with which the broker authenticates at a provider: `auth.provider.<name>.client-signing-key`.
    case client
    /// The keys that decrypt what a provider encrypted: `auth.provider.<name>.decryption-keys`.
    case decryption
    /// The key that signs webhooks: `auth.webhook.signing-key`.
    case webhook

    /// A description of a file with such keys. It completes the sentence "expected …".
    package var fileTakes: String {
        switch self {
        case .sealing: "base64 of exactly 32 bytes on each line, each once"
        case .signing, .resource, .accounts, .sessionCookies:
            "the PEM texts of P-256 or RSA private keys (2048 to 4096 bits), 1 to 16, each once, and no other block"
        case .client: "the PEM text of one private key: P-256, P-384, P-521, Ed25519, or RSA of 2048 to 8192 bits"
        case .decryption: "the PEM texts of private keys: P-256, P-384, P-521, X25519, or RSA of 2048 to 8192 bits"
        case .webhook: "the PEM text of one P-256 private key"
        }
    }
}
