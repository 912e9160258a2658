// SPDX-License-Identifier: Apache-2.0

import Configuration
import Crypto
import TestingSupport

// Keys of a provider of kind apple, and of webhooks.

extension ConfigurationErrorCase {
    /// The changes to ``ConfigurationFixture/apple``.
    private init(
        apple changes: [String: ConfigValue?], key: String, _ expected: String, isGiven: Bool = true
    ) {
        var all = ConfigurationFixture.apple
        for (name, value) in changes { all["auth.provider.apple." + name] = value }
        self.init(all, key: "auth.provider.apple." + key, expected, isGiven: isGiven)
    }

    private init(apple key: String, _ value: ConfigValue?, _ expected: String) {
        self.init(apple: [key: value], key: key, expected, isGiven: value != nil)
    }

    static let apple = identity + keys + request + foreign

    private static let identity: [Self] = [
        .init(apple: "client-id", nil, "native-audiences"),
        .init(apple: "client-id", "", "native-audiences"),
        .init(apple: "client-id", " com.example.web", "visible ASCII"),
        .init(apple: "team-id", nil, "required with client-id"),
        .init(apple: "team-id", "TEAM12345", "10 capital letters and digits"),
        .init(apple: "team-id", "TEAM1234567", "10 capital letters and digits"),
        .init(apple: "team-id", "team123456", "10 capital letters and digits"),
        .init(apple: "key-id", nil, "required with client-id"),
        .init(apple: "key-id", "KEY-123456", "10 capital letters and digits"),
        .init(apple: ["key-id": nil, "key-id-file": "/nowhere/at/all"], key: "key-id-file", "a file that can be read"),
        .init(apple: "private-key", nil, "required with client-id"),
        .init(
            apple: ["private-key": nil, "private-key-file": "/nowhere/at/all"], key: "private-key-file",
            "a file that can be read"),
        .init(apple: "id", "acme", "no other provider's id or name"),
    ]

    /// Anything other than the `.p8` file is refused, with a description of what it is.
    private static let keys: [Self] = [
        .init(apple: "private-key", "not a key", "BEGIN PRIVATE KEY"),
        .init(
            apple: "private-key", ConfigurationFixture.text(P384.Signing.PrivateKey().pemRepresentation),
            "a key on another curve"),
        .init(
            apple: "private-key",
            ConfigurationFixture.text(P256.Signing.PrivateKey().pemRepresentation.replacing("\n", with: "\\n")),
            "in the place of line breaks"),
        .init(
            apple: "private-key",
            ConfigurationFixture.text(
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"),
            "encrypted with a passphrase"),
        .init(
            apple: "private-key",
            ConfigurationFixture.text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), "damaged"),
        .init(
            apple: "private-key",
            ConfigurationFixture.text("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"),
            "an RSA key"),
        .init(
            apple: "private-key",
            ConfigurationFixture.text(P256.Signing.PrivateKey().publicKey.pemRepresentation), "a public key"),
    ]

    /// What Apple would refuse at the first sign-in is refused at the start.
    private static let request: [Self] = [
        .init(apple: "response-mode", "query", "form_post"),
        .init(apple: "response-mode", "form_post.jwt", "Apple signs no responses"),
        .init(apple: "response-mode", "fragment", "form_post"),
        .init(
            apple: ["scopes": list("openid"), "app-scopes": list("email"), "response-mode": "fragment"],
            key: "response-mode", "form_post"),
        .init(
            apple: ["scopes": list("openid"), "response-mode": "query"], key: "response-mode",
            "an ID token does not travel in a query"),
        .init(apple: "response-type", "id_token", "code or code id_token"),
        // A code alone, on a path that another provider has already.
        .init(apple: ["response-type": "code"], key: "callback-path", "a path of its own", isGiven: false),
        .init(apple: "scopes", list("name", "profile"), "Apple has no others"),
        .init(apple: "scopes", list("name", "name"), "each given once"),
        .init(apple: "app-scopes", list("calendar"), "Apple has no others"),
        .init(apple: "clock-skew-seconds", 300, "0 to 299"),
        .init(apple: "proxy", "http://proxy.example:3128", "host:port"),
        .init(apple: "authorization-parameters", list("nonce=x"), "do not carry the protocol"),
    ]

    /// Apple's own issuer, endpoints, keys and authentication, which no key can change.
    private static let foreign: [Self] = [
        .init(apple: "issuer", "https://appleid.apple.com", "Apple's own"),
        .init(apple: "issuer", "http://127.0.0.1:4444", "Apple's own"),
        .init(apple: "insecure-loopback-issuer", true, "Apple's own"),
        .init(apple: "tenants", list("one"), "Apple's own"),
        .init(apple: "client-secret", "a secret", "Apple's own"),
        .init(apple: "client-secret-file", "/nowhere/at/all", "Apple's own"),
        .init(apple: "client-secret-expires", "2027-03-01", "made and renewed by the broker"),
        .init(apple: "client-authentication", "none", "Apple's own"),
        .init(apple: "client-signing-key", "a key", "Apple's own"),
        .init(apple: "client-certificate", "/nowhere/at/all", "Apple's own"),
        .init(apple: "certificate-authorities", "/nowhere/at/all", "Apple's own"),
        .init(apple: "id-token-algorithms", list("HS256"), "Apple's own"),
        .init(apple: "decryption-keys", "a key", "Apple's own"),
        .init(apple: "pushed-authorization", true, "Apple's own"),
        .init(apple: "request-object", "sign", "Apple's own"),
        .init(apple: "trace-context", true, "Apple is not told"),
        .init(apple: "sends-issuer", true, "Apple's own"),
        .init(apple: "client-assertion-typ", "JWT", "Apple's own"),
        .init(apple: "trusted-audiences", list("other"), "Apple's own"),
        .init(apple: "required-acr-values", list("urn:acr"), "Apple's own"),
        .init(apple: "user-info", true, "Apple's own"),
        .init(apple: "claims", "{}", "Apple has no further claims"),
        .init(apple: "resources", list("urn:api"), "Apple's own"),
    ]

    static let webhook: [Self] =
        [
            "http://app.example/hook", "https://u:p@app.example/hook", "https://app.example/hook#x", "app.example/hook",
            "",
        ].map { url in
            Self(
                [
                    "auth.webhook.url": ConfigurationFixture.text(url),
                    "auth.webhook.signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
                ], key: "auth.webhook.url", "an https URL")
        } + [
            .init("auth.webhook.url", "https://app.example/hook", "").missing("auth.webhook.signing-key", "P-256"),
            .init("auth.webhook.signing-key", ConfigurationFixture.text(ConfigurationFixture.clientKey), "")
                .missing("auth.webhook.url", "an https URL"),
            .init(
                [
                    "auth.webhook.url": "https://app.example/hook",
                    "auth.webhook.signing-key": ConfigurationFixture.text(ConfigurationFixture.signingKey),
                ], key: "auth.webhook.signing-key", "not in auth.signing-keys"),
            .init(
                [
                    "auth.webhook.url": "https://app.example/hook",
                    "auth.webhook.signing-key": ConfigurationFixture.text(P384.Signing.PrivateKey().pemRepresentation),
                ], key: "auth.webhook.signing-key", "a P-256 private key"),
            .init(
                ["auth.webhook.url": "https://app.example/hook", "auth.webhook.signing-key-file": "/nowhere/at/all"],
                key: "auth.webhook.signing-key-file", "a file that can be read"),
            .init("auth.apple-domain-association", "", "1 to 65536 bytes"),
            .init(
                "auth.apple-domain-association", ConfigurationFixture.text(String(repeating: "x", count: 65_537)),
                "1 to 65536 bytes"),
            .init("auth.apple-domain-association-file", "/nowhere/at/all", "a file that can be read"),
        ]

    /// The same changes, whose error is that another key is missing.
    private func missing(_ key: String, _ expected: String) -> Self {
        Self(changes, key: key, expected, isGiven: false)
    }
}
