// SPDX-License-Identifier: Apache-2.0

import Configuration
import Testing
import TestingSupport

/// An error in the configuration, and the expected report.
struct ConfigurationErrorCase: Sendable, CustomTestStringConvertible {
    /// The changes to the fixture; `nil` removes a key.
    let changes: [String: ConfigValue?]
    /// The key the error names.
    let key: String
    /// A part of what was expected according to the error.
    let expected: String
    /// Whether the value was given, so that the error names its source.
    var isGiven = true

    init(_ key: String, _ value: ConfigValue?, _ expected: String) {
        changes = [key: value]
        self.key = key
        self.expected = expected
        isGiven = value != nil
    }

    init(_ changes: [String: ConfigValue?], key: String, _ expected: String, isGiven: Bool = true) {
        self.changes = changes
        self.key = key
        self.expected = expected
        self.isGiven = isGiven
    }

    var testDescription: String { "\(key) <- \(changes.keys.sorted().joined(separator: ", ")): \(expected)" }

    static func list(_ values: String...) -> ConfigValue { ConfigValue(.stringArray(values), isSecret: false) }

    static let general: [Self] = [
        .init("auth.public-url", nil, "an https URL"),
        .init("auth.public-url", "http://auth.example.com", "an https URL"),
        .init("auth.public-url", "https://auth.example.com/path", "without path"),
        .init("auth.public-url", "https://auth.example.com/", "without path"),
        .init("auth.public-url", "https://auth.example.com?x=1", "query"),
        .init("auth.public-url", "https://auth.example.com#x", "fragment"),
        .init("auth.public-url", "https://u:p@auth.example.com", "user information"),
        .init("auth.public-url", "auth.example.com", "an https URL"),
        .init("auth.public-url", 5, "an https URL"),
        .init("auth.path-prefix", "__/auth", "an absolute path"),
        .init("auth.store-bytes", "8388607", "a number of bytes, 8388608 to"),
        .init("auth.store-bytes", "68719476737", "a number of bytes, 8388608 to"),
        .init("auth.store-bytes", "128 MB", "a number of bytes, 8388608 to"),
        .init("auth.path-prefix", "/", "an absolute path"),
        .init("auth.path-prefix", "", "an absolute path"),
        .init("auth.path-prefix", "/auth/", "without a slash at its end"),
        .init("auth.path-prefix", "/a//b", "an absolute path"),
        .init("auth.path-prefix", "/a/../b", "an absolute path"),
        .init("auth.path-prefix", "/a%20b", "an absolute path"),
        .init("auth.sealing-keys", nil, "base64 of exactly 32 bytes"),
        .init("auth.sealing-keys", list("AAAA"), "base64 of exactly 32 bytes"),
        .init("auth.sealing-keys", list("not base64!"), "base64 of exactly 32 bytes"),
        .init(
            "auth.sealing-keys", list(ConfigurationFixture.sealingKey, ConfigurationFixture.sealingKey),
            "each given once"
        ),
        .init("auth.sealing-keys", "one text", "a list"),
        .init(
            ["auth.sealing-keys": nil, "auth.sealing-keys-file": "/nowhere/at/all"], key: "auth.sealing-keys-file",
            "a file that can be read"),
        .init("auth.signing-keys", nil, "P-256 or RSA private keys"),
        .init("auth.signing-keys", "not a key", "P-256 or RSA private keys"),
        .init("auth.app.shop.id-token-algorithm", "none", "RS256 or ES256"),
        .init("auth.app.shop.id-token-algorithm", "RS256", "for which auth.signing-keys has a key"),
        .init(
            ["auth.signing-keys": nil, "auth.signing-keys-file": "/nowhere/at/all"], key: "auth.signing-keys-file",
            "a file that can be read"),
        .init("auth.providers", nil, "at least one name"),
        .init("auth.providers", list(), "at least one name"),
        .init("auth.providers", list("acme", "Acme"), "names of 1 to 32 characters"),
        .init("auth.providers", list("acme", "1st"), "names of 1 to 32 characters"),
        .init("auth.providers", list("acme", "a-b"), "names of 1 to 32 characters"),
        .init("auth.providers", list("acme", "acme"), "each given once"),
        .init("auth.providers", "acme", "a list"),
        .init("auth.apps", nil, "at least one name"),
        .init("auth.apps", list("shop", "s_h"), "names of 1 to 32 characters"),
    ]

    static let provider: [Self] = [
        .init("auth.provider.acme.kind", "saml", "oidc"),
        .init("auth.provider.acme.kind", "Apple", "oidc or apple"),
        .init("auth.provider.acme.team-id", "TEAM123456", "it goes with kind apple"),
        .init("auth.provider.acme.key-id", "KEY1234567", "it goes with kind apple"),
        .init("auth.provider.acme.key-id-file", "/nowhere/at/all", "it goes with kind apple"),
        .init("auth.provider.acme.private-key", "a key", "it goes with kind apple"),
        .init("auth.provider.acme.private-key-file", "/nowhere/at/all", "it goes with kind apple"),
        .init("auth.provider.acme.id", "has space", "1 to 128"),
        .init("auth.provider.acme.issuer", nil, "an https URL"),
        .init("auth.provider.acme.issuer", "http://login.acme.example", "an https URL"),
        .init("auth.provider.acme.issuer", "http://127.0.0.1:4444", "insecure-loopback-issuer"),
        .init("auth.provider.acme.issuer", "https://login.acme.example?x", "query"),
        .init("auth.provider.acme.issuer", "https://login.acme.example#x", "fragment"),
        .init(
            [
                "auth.provider.acme.issuer": "http://login.acme.example",
                "auth.provider.acme.insecure-loopback-issuer": true,
            ], key: "auth.provider.acme.issuer", "only on loopback"),
        .init("auth.provider.acme.insecure-loopback-issuer", "perhaps", "true or false"),
        .init("auth.provider.acme.metadata-url", "http://keycloak:8080/m", "needs metadata-network trusted"),
        .init("auth.provider.acme.metadata-url", "https://169.254.169.254/m", "link-local"),
        .init("auth.provider.acme.metadata-url", "keycloak", "an https URL"),
        .init(
            [
                "auth.provider.acme.metadata-url": "https://keycloak.svc/m",
                "auth.provider.acme.metadata-network": "trusted",
            ], key: "auth.provider.acme.metadata-url", "leave that out for https"),
        .init("auth.provider.acme.metadata-network", "yes", "encrypted, trusted or trusted-with-secret"),
        .init("auth.provider.acme.client-id", nil, "required"),
        .init("auth.provider.acme.client-id", "", "required"),
        .init("auth.provider.acme.client-secret", nil, "required"),
        .init("auth.provider.acme.client-secret", " x", "visible ASCII"),
        .init(
            [
                "auth.provider.acme.client-secret": nil,
                "auth.provider.acme.client-secret-file": "/nowhere/at/all",
            ], key: "auth.provider.acme.client-secret-file", "a file that can be read"),
        .init("auth.provider.acme.client-authentication", "digest", "self_signed_tls_client_auth or none"),
        .init("auth.provider.acme.certificate-authorities", "/nowhere/at/all", "a PEM file"),
        .init("auth.provider.acme.response-type", "token", "code, 'code id_token' or id_token"),
        .init("auth.provider.acme.response-type", "code token", "code, 'code id_token' or id_token"),
        .init(
            "auth.provider.acme.response-mode", "web_message",
            "query, form_post, fragment, query.jwt, form_post.jwt, fragment.jwt or jwt"),
        .init("auth.provider.acme.user-info", "yes please", "true or false"),
        .init("auth.provider.acme.callback-path", "return", "an absolute path"),
        .init("auth.provider.acme.callback-path", "/return/", "an absolute path"),
        .init("auth.provider.acme.callback-path", "/__/auth/authorize", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.callback-path", "/__/auth/token", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.callback-path", "/__/auth/choose", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.callback-path", "/__/auth/continue", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.callback-path", "/__/auth/jwks", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.callback-path", "/__/auth/credential", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.callback-path", "/__/auth/revoke", "not one of the broker's own endpoints"),
        .init(
            "auth.provider.acme.callback-path", "/__/auth/notifications/acme",
            "not one of the broker's own endpoints"),
        .init(
            "auth.provider.acme.callback-path", "/.well-known/apple-developer-domain-association.txt",
            "not one of the broker's own endpoints"),
        .init(
            [
                "auth.path-prefix": "/sign-in",
                "auth.provider.acme.callback-path": "/sign-in/.well-known/openid-configuration",
            ], key: "auth.provider.acme.callback-path", "not one of the broker's own endpoints"),
        .init("auth.provider.acme.scopes", list("email"), "openid among them"),
        .init("auth.provider.acme.scopes", list("openid", "two words"), "without spaces"),
        .init("auth.provider.acme.scopes", list("openid", "openid"), "each given once"),
        .init("auth.provider.acme.app-scopes", list("qu\"ote"), "without spaces"),
        .init("auth.provider.acme.app-parameters", list("login_hint", "login_hint"), "each given once"),
        .init("auth.provider.acme.authorization-parameters", list("prompt"), "name=value"),
        .init("auth.provider.acme.authorization-parameters", list("=x"), "name=value"),
        .init("auth.provider.acme.authorization-parameters", list("a=1", "a=2"), "each given once"),
        .init("auth.provider.acme.clock-skew-seconds", 300, "0 to 299"),
        .init("auth.provider.acme.clock-skew-seconds", -1, "0 to 299"),
        .init("auth.provider.acme.clock-skew-seconds", "thirty", "0 to 299"),
        .init("auth.provider.acme.login-lifetime-seconds", 599, "600 to 3600"),
        .init("auth.provider.acme.login-lifetime-seconds", 3601, "600 to 3600"),
        .init("auth.provider.acme.client-secret-expires", "", "a day as YYYY-MM-DD"),
        .init("auth.provider.acme.client-secret-expires", "2027-02-29", "a day as YYYY-MM-DD"),
        .init("auth.provider.acme.client-secret-expires", "2027-3-1", "a day as YYYY-MM-DD"),
        .init("auth.provider.acme.client-secret-expires", "2027-03-01T00:00:00Z", "a day as YYYY-MM-DD"),
        .init(
            [
                "auth.provider.acme.client-secret": nil, "auth.provider.acme.client-authentication": "none",
                "auth.provider.acme.client-secret-expires": "2027-03-01",
            ], key: "auth.provider.acme.client-secret-expires", "no value without client-secret"),
    ]

    /// Every parameter that carries the protocol, in both lists that could set it.
    static let reserved: [Self] = [
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "registration", "client_secret", "client_assertion",
        "client_assertion_type", "code_verifier", "id_token_hint", "claims", "resource",
    ].flatMap { name in
        [
            Self("auth.provider.acme.authorization-parameters", list("\(name)=x"), "do not carry the protocol"),
            Self("auth.provider.acme.app-parameters", list(name), "do not carry the protocol"),
        ]
    }

    static let app: [Self] = [
        .init("auth.app.shop.client-id", "", "1 to 256"),
        .init("auth.app.shop.client-id", "schöp", "visible ASCII"),
        .init("auth.app.shop.client-secret", "", "leave the key out for a public app"),
        .init("auth.app.shop.client-secret", "fifteen-letters", "at least 16"),
        // An empty list is no public app.
        .init("auth.app.shop.client-secrets", list(), "there are 0"),
        .init("auth.app.shop.client-secrets", list("sixteen-letters!", "fifteen-letters"), "secret 2: it is too short"),
        .init("auth.app.shop.client-secrets", list("sixteen-letters!", "sixteen-letters!"), "one is there twice"),
        .init(
            "auth.app.shop.client-secrets", list("sixteen-letters1", "sixteen-letters2", "sixteen-letters3"),
            "there are 3"),
        .init(
            [
                "auth.app.shop.client-secret": "sixteen-letters!",
                "auth.app.shop.client-secrets": list("sixteen-letters!"),
            ], key: "auth.app.shop.client-secrets", "no value beside client-secret"),
        .init("auth.app.shop.id-token-lifetime-seconds", 299, "300 to 86400"),
        .init("auth.app.shop.id-token-lifetime-seconds", 86_401, "300 to 86400"),
        .init("auth.app.shop.refresh-tokens", true, "false for an app without accounts"),
        .init("auth.app.shop.backchannel-logout-uri", "https://shop.example/out", "no value for an app without"),
        .init(
            ["auth.app.shop.accounts": true, "auth.app.shop.backchannel-logout-uri": "http://shop.example/out"],
            key: "auth.app.shop.backchannel-logout-uri", "http only on loopback"),
        .init(
            ["auth.app.shop.accounts": true, "auth.app.shop.backchannel-logout-uri": "https://shop.example/out#x"],
            key: "auth.app.shop.backchannel-logout-uri", "without a fragment"),
        .init("auth.app.shop.refresh-token-repetition-seconds", 61, "0 to 60"),
        .init("auth.app.shop.refresh-token-idle-lifetime-seconds", 299, "300 to 34560000"),
        .init("auth.app.shop.refresh-token-lifetime-seconds", 34_560_001, "300 to 34560000"),
        .init("auth.app.shop.access-token-lifetime-seconds", 299, "300 to 86400"),
        .init("auth.app.shop.access-token-lifetime-seconds", 86_401, "300 to 86400"),
        .init("auth.app.shop.redirect-uris", list("https://shop.example/cb?code=x"), "no code, state"),
        .init("auth.app.shop.redirect-uris", list("https://shop.example/cb?a=b&state"), "no code, state"),
        .init("auth.app.shop.redirect-uris", list("https://shop.example/cb?%69ss=x"), "no code, state"),
        .init("auth.app.shop.redirect-uris", list("http://127.0.0.1/cb?error="), "no code, state"),
        .init("auth.app.shop.redirect-uris", list("com.example.shop:/cb?error_description=x"), "no code, state"),
        .init("auth.app.shop.redirect-uris", nil, "at least one"),
        .init("auth.app.shop.redirect-uris", list(), "at least one"),
        .init("auth.app.shop.redirect-uris", "https://shop.example/callback", "a list"),
        .init("auth.app.shop.redirect-uris", list("https://shop.example/*"), "wildcard"),
        .init("auth.app.shop.web-origins", list("null"), "origins as browsers write them"),
        .init("auth.app.shop.web-origins", list("capacitor://localhost/"), "origins as browsers write them"),
        .init("auth.app.shop.web-origins", list("capacitor://app.example"), "origins as browsers write them"),
        .init("auth.app.shop.web-origins", list("https://shop.example:443"), "origins as browsers write them"),
        .init("auth.app.shop.web-origins", list("https://SHOP.example"), "origins as browsers write them"),
        .init("auth.app.shop.web-origins", list("http://shop.example"), "http on a loopback host"),
        .init("auth.app.shop.web-origins", list("*"), "origins as browsers write them"),
        .init("auth.app.shop.web-origins", list("ionic://localhost", "ionic://localhost"), "each given once"),
        .init("auth.app.shop.providers", list("nobody"), "names from auth.providers"),
        .init("auth.app.shop.providers", list(), "at least one"),
        .init("auth.app.shop.upstream-tokens", "maybe", "true or false"),
        .init("auth.app.shop.certificate-authorities", "/nowhere/at/all", "a PEM file that can be read"),
        .init("auth.app.shop.assertion-reuse", "true", "false without client-keys or jwks-uri"),
        .init("auth.app.shop.code-binding", "state", "pkce, nonce or none"),
        .init("auth.app.shop.code-binding", "nonce", "pkce for a public app"),
        .init("auth.app.shop.code-binding", "none", "pkce for a public app"),
        .init(
            [
                "auth.app.shop.client-secret": "sixteen-letters!", "auth.app.shop.code-binding": "none",
                "auth.app.shop.redirect-uris": list("http://127.0.0.1/cb"),
            ], key: "auth.app.shop.code-binding", "a redirect URI that is not https"),
        .init(
            [
                "auth.app.shop.client-secret": "sixteen-letters!", "auth.app.shop.code-binding": "none",
                "auth.app.shop.redirect-uris": list("https://localhost/cb"),
            ], key: "auth.app.shop.code-binding", "on the origin of hybrid apps"),
        .init("auth.app.shop.native-nonce", "never", "required or optional"),
        .init("auth.app.shop.native-audiences", "acme:com.example.app", "a list"),
        .init(nativeAudiences: ["com.example.app"], "provider:audience each"),
        .init(nativeAudiences: ["acme:com.example.app", "com.example.other"], "provider:audience each"),
        .init(nativeAudiences: ["acme:com.example.app", ""], "neither part empty"),
        .init(nativeAudiences: [":com.example.app"], "neither part empty"),
        .init(nativeAudiences: ["acme:"], "neither part empty"),
        .init(nativeAudiences: [":"], "neither part empty"),
        .init(nativeAudiences: ["nobody:com.example.app"], "one of auth.providers"),
        .init(nativeAudiences: ["ACME:com.example.app"], "one of auth.providers"),
        .init(nativeAudiences: ["acme :com.example.app"], "one of auth.providers"),
        // Not split at a later colon, and not by the issuer.
        .init(nativeAudiences: ["https://login.acme.example:com.example.app"], "one of auth.providers"),
        .init(nativeAudiences: ["acme: com.example.app"], "1 to 256 visible ASCII"),
        .init(nativeAudiences: ["acme:com.example.\u{e4}pp"], "1 to 256 visible ASCII"),
        .init(nativeAudiences: ["acme:" + String(repeating: "a", count: 257)], "1 to 256 visible ASCII"),
        .init(nativeAudiences: ["acme:com.example.app", "acme:com.example.app"], "given once"),
        // By name and by id it is the same one.
        .init(nativeAudiences: ["acme:com.example.app", "oidc.acme:com.example.app"], "given once"),
        .init(nativeAudiences: ["acme:broker-at-acme"], "no provider's client-id"),
    ]

    private init(nativeAudiences: [String], _ expected: String) {
        self.init(
            "auth.app.shop.native-audiences", ConfigValue(.stringArray(nativeAudiences), isSecret: false), expected)
    }
}
