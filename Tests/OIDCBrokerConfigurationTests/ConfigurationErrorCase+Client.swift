// SPDX-License-Identifier: Apache-2.0

import Configuration
import TestingSupport

// Keys of a provider that are optional.

extension ConfigurationErrorCase {
    /// Client authentication.
    static let client = ownClient + withoutSecret + againstProfile

    private static let ownClient: [Self] = [
        .init(
            ["auth.provider.acme.client-authentication": "private_key_jwt"],
            key: "auth.provider.acme.client-signing-key",
            "a private key", isGiven: false),
        .init("auth.provider.acme.client-signing-key", "not a key", "a PEM private key"),
        .init(
            [
                "auth.provider.acme.client-signing-key": nil,
                "auth.provider.acme.client-signing-key-file": "/nowhere/at/all",
            ], key: "auth.provider.acme.client-signing-key-file", "a file that can be read"),
        .init("auth.provider.acme.client-signing-algorithm", "ES256", "no value without a signing key"),
        .init(
            [
                "auth.provider.acme.client-signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
                "auth.provider.acme.client-signing-algorithm": "HS256",
            ], key: "auth.provider.acme.client-signing-algorithm", "ES256, ES384, ES512, RS256, PS256, EdDSA or Ed25519"
        ),
        .init(
            [
                "auth.provider.acme.client-signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
                "auth.provider.acme.client-signing-algorithm": "RS256",
            ], key: "auth.provider.acme.client-signing-key", "a PEM private key"),
        .init(
            ["auth.provider.acme.client-authentication": "tls_client_auth"],
            key: "auth.provider.acme.client-certificate",
            "a certificate", isGiven: false),
        .init(
            ["auth.provider.acme.client-authentication": "self_signed_tls_client_auth"],
            key: "auth.provider.acme.client-certificate", "a certificate", isGiven: false),
        .init("auth.provider.acme.client-signing-key-id", "key-1", "no value without a signing key"),
        .init(
            [
                "auth.provider.acme.client-signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
                "auth.provider.acme.client-signing-key-id": "",
            ], key: "auth.provider.acme.client-signing-key-id", "1 to 256 visible ASCII characters"),
        .init("auth.provider.acme.client-signing-certificate", "/nowhere/at/all", "a PEM file that can be read"),
        .init("auth.provider.acme.certificate-bound-access-tokens", true, "false without a client certificate"),
        .init("auth.provider.acme.dpop", "perhaps", "off or on"),
        .init("auth.provider.acme.request-object", "encrypt", "off or sign"),
        .init(
            ["auth.provider.acme.request-object": "sign"], key: "auth.provider.acme.client-signing-key",
            "a private key that signs request objects", isGiven: false),
        .init("auth.provider.acme.profile", "fapi-1", "fapi-2"),
        .init(
            ["auth.provider.acme.profile": "fapi-2", "auth.provider.acme.client-secret": nil],
            key: "auth.provider.acme.client-signing-key", "a private key, or a client certificate", isGiven: false),
        .init(
            [
                "auth.provider.acme.profile": "fapi-2",
                "auth.provider.acme.client-signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
            ], key: "auth.provider.acme.client-secret", "no value with profile fapi-2"),
        .init("auth.provider.acme.client-certificate", "/nowhere/at/all", "a PEM file that can be read"),
        .init(
            ["auth.provider.acme.client-certificate-key": "x"], key: "auth.provider.acme.client-certificate",
            "required with client-certificate-key", isGiven: false),
        .init(
            ["auth.provider.acme.client-certificate-key-file": "/nowhere/at/all"],
            key: "auth.provider.acme.client-certificate-key-file", "a file that can be read"),
        .init(
            ["auth.provider.acme.client-authentication": "client_secret_jwt"], key: "auth.provider.acme.client-secret",
            "at least 32 bytes"),
    ]

    private static let againstProfile: [Self] = ["pushed-authorization", "sends-issuer"].map { key in
        Self(
            [
                "auth.provider.acme.profile": "fapi-2", "auth.provider.acme.client-secret": nil,
                "auth.provider.acme.client-signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
                "auth.provider.acme.\(key)": false,
            ], key: "auth.provider.acme.\(key)", "true, or nothing, with profile fapi-2")
    }

    private static let withoutSecret: [Self] = ["client_secret_basic", "client_secret_post", "client_secret_jwt"].map {
        method in
        Self(
            [
                "auth.provider.acme.client-secret": nil,
                "auth.provider.acme.client-authentication": ConfigurationFixture.text(method),
            ], key: "auth.provider.acme.client-secret", "required", isGiven: false)
    }

    /// The requested response and the validation of ID tokens.
    static let token = ownToken + queryModes + proxies

    private static let ownToken: [Self] = [
        .init("auth.provider.acme.id-token-algorithms", list("none"), "signature algorithms"),
        .init("auth.provider.acme.id-token-algorithms", list("ES256", "XS256"), "signature algorithms"),
        .init("auth.provider.acme.id-token-algorithms", list(), "signature algorithms"),
        .init("auth.provider.acme.id-token-algorithms", list("ES256", "ES256"), "each given once"),
        .init("auth.provider.acme.id-token-algorithms", "ES256", "a list"),
        .init("auth.provider.acme.id-token-algorithms", list("HS256"), "a client secret at least as long"),
        .init(
            [
                "auth.provider.acme.client-secret": "0123456789abcdef0123456789abcdef",
                "auth.provider.acme.id-token-algorithms": list("HS256", "HS384"),
            ], key: "auth.provider.acme.id-token-algorithms", "with HS384 a client secret at least as long"),
        .init(
            [
                "auth.provider.acme.client-secret": nil, "auth.provider.acme.client-authentication": "none",
                "auth.provider.acme.id-token-algorithms": list("HS256"),
            ], key: "auth.provider.acme.id-token-algorithms", "a client secret at least as long"),
        .init("auth.provider.acme.decryption-keys", "not a key", "PEM private keys"),
        .init("auth.provider.acme.decryption-keys", "", "PEM private keys"),
        .init("auth.provider.acme.decryption-algorithm", "ECDH-ES", "no value without a decryption key for it"),
        .init("auth.provider.acme.decryption-algorithm", "RSA1_5", "one of RSA-OAEP-256, ECDH-ES, ECDH-ES+A128KW"),
        .init(
            ["auth.provider.acme.decryption-keys-file": "/nowhere/at/all"],
            key: "auth.provider.acme.decryption-keys-file", "a file that can be read"),
        .init("auth.provider.acme.tenants", list("one", "one"), "each given once"),
        .init("auth.provider.acme.tenants", list("a tenant"), "tenant ids"),
        .init("auth.provider.acme.tenants", "one", "a list"),
        .init(
            ["auth.provider.acme.issuer": "https://login.acme.example/{tenantid}/v2.0"],
            key: "auth.provider.acme.tenants", "the tenants that may sign in", isGiven: false),
        .init("auth.provider.acme.trusted-audiences", list("a", "a"), "each given once"),
        .init("auth.provider.acme.trusted-audiences", list("a", ""), "not empty"),
        .init("auth.provider.acme.required-acr-values", list("a", "a"), "each given once"),
        .init("auth.provider.acme.required-acr-values", list("two words"), "without spaces"),
        .init("auth.provider.acme.claims-parameter", "{", "a JSON object"),
        .init("auth.provider.acme.claims-parameter", "[]", "a JSON object"),
        .init("auth.provider.acme.claims-parameter", #"{"id_token":{},"id_token":{}}"#, "a JSON object"),
        .init("auth.provider.acme.claims-parameter", #"{"other":{}}"#, "a JSON object"),
        .init("auth.provider.acme.resources", list("relative"), "absolute URIs"),
        .init("auth.provider.acme.resources", list("https://api.example/#x"), "without a fragment"),
        .init("auth.provider.acme.resources", list("https://api.example", "https://api.example"), "each given once"),
        .init("auth.provider.acme.pushed-authorization", "perhaps", "true or false"),
        .init("auth.provider.acme.sends-issuer", "perhaps", "true or false"),
        .init("auth.provider.acme.client-assertion-typ", "at+jwt", "JWT or client-authentication+jwt"),
        .init("auth.provider.acme.trace-context", "perhaps", "true or false"),
        .init(
            ["auth.provider.acme.response-type": "id_token", "auth.provider.acme.user-info": true],
            key: "auth.provider.acme.user-info", "false with the response type id_token"),
    ]

    private static let queryModes: [Self] = ["code id_token", "id_token code", "id_token"].map { type in
        Self(
            [
                "auth.provider.acme.response-type": ConfigurationFixture.text(type),
                "auth.provider.acme.response-mode": "query",
            ], key: "auth.provider.acme.response-mode", "form_post.jwt or fragment")
    }

    private static let proxies: [Self] = [
        "proxy.example", "http://proxy.example:3128", "proxy.example:0", "proxy.example:65536", ":3128",
        "proxy.example:3128/", "u@proxy.example:3128", "[::1]", "proxy example:3128",
    ].map { Self("auth.provider.acme.proxy", ConfigurationFixture.text($0), "host:port") }
}
