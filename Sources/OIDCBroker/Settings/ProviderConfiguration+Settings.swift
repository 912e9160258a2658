// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
package import OpenIDRelyingParty
import SignInWithApple

/// The keys under `auth.provider.<name>.` that say how a provider is spoken to.
extension ProviderConfiguration: SettingSection {
    package static let settings: [Setting<ProviderConfiguration>] = identity + client + response + token + request

    private static let identity: [Setting<ProviderConfiguration>] = [
        Setting(
            "issuer", \.issuer, .text, "compared byte for byte with what the provider says", default: "required"
        ).check(takes: "an https URL without query or fragment") { $0.issuerError }.notOfApple,
        Setting(
            "insecure-loopback-issuer", \.insecureLoopbackIssuer, .bool,
            "whether an http issuer on a loopback host is taken; on no other host it is"
        ).notOfApple,
        Setting(
            "tenants", \.tenants, .list,
            "the tenants whose people may sign in, where the issuer is a template with `{tenantid}`, as Microsoft "
                + "Entra's", bounds: .each("tenant ids, each given once")
        ).notOfApple,
        Setting(
            "certificate-authorities", \.certificateAuthorities, .file("the path of a PEM file that can be read"),
            "trusted instead of the system's", default: "the system's"
        ).notOfApple,
        Setting(
            "proxy", \.proxy,
            .named(
                "host:port of an HTTP proxy, without a scheme", { Proxy(authority: $0) }, show: { $0.description }),
            "the HTTP proxy through which the provider is reached"),
        Setting(
            "clock-skew-seconds", \.clockSkew, .seconds, "how far the provider's clock may be off",
            bounds: .range(ProviderConfiguration.clockSkewBounds)),
    ]

    private static let client: [Setting<ProviderConfiguration>] = [
        Setting(
            "client-id", \.clientID, .text, "what the provider calls the broker", default: "required",
            bounds: SettingBounds("the client id the provider gave out, visible ASCII characters, required") {
                ConfigurationSyntax.isVisible($0)
            }
        ).when(
            isOfApple, "the Services ID", default: "empty: native credentials only",
            takes: "the Services ID, visible ASCII characters"
        ) { section in
            section.clientID.isEmpty || ConfigurationSyntax.isVisible(section.clientID)
                ? nil : "the Services ID, visible ASCII characters"
        },
        Setting(
            "client-secret", \.clientSecret, .secret(), "what the client proves itself with",
            default: "required, unless the client proves itself otherwise or is public",
            bounds: SettingBounds("the client secret the provider gave out, visible ASCII characters") {
                ConfigurationSyntax.isVisible($0.exposed)
            }
        ).notOfApple,
        Setting(
            "client-authentication", \.clientAuthentication,
            .named(
                "client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth, "
                    + "self_signed_tls_client_auth or none", { ClientAuthenticationMethod(name: $0) },
                show: { $0.name }), "how the client proves itself; `none` for a public client",
            default: "the strongest that the metadata names and the client has something for"
        ).notOfApple,
        Setting(
            "client-signing-key", \.clientSigningKey,
            .secret("the PEM text of a private key: P-256, Ed25519, or RSA of 2048 to 8192 bits"),
            "the key of `private_key_jwt`"
        ).notOfApple,
        Setting(
            "client-signing-algorithm", \.clientSigningAlgorithm,
            .named("ES256, RS256, PS256, EdDSA or Ed25519", { $0 }, show: { $0 }),
            "what that key signs with", default: "the key's own; RSA: `RS256`"
        ).notOfApple,
        Setting(
            "client-certificate", \.clientCertificateChain, .file("the path of a PEM file that can be read"),
            "the chain of mutual TLS, the client's own certificate first"
        ).part(of: \.clientCertificate).notOfApple,
        Setting(
            "client-certificate-key", \.clientCertificateKey, .secret("the PEM text of a private key"),
            "the certificate's private key"
        ).part(of: \.clientCertificate).notOfApple,
    ]

    private static let response: [Setting<ProviderConfiguration>] = [
        Setting(
            "response-type", \.responseType,
            .named("code, 'code id_token' or id_token", { ResponseType(name: $0) }, show: { $0.name }),
            "what is asked for"
        ).when(
            isOfApple, "`code` only on a callback path that no other provider has",
            takes: "code or 'code id_token'"),
        Setting(
            "response-mode", \.responseMode,
            .named("query, form_post or fragment", { ResponseMode(name: $0) }, show: { $0.name }),
            "how the response comes back; never `query` with an ID token",
            default: "`query` for `code`, else `form_post`"
        ).when(
            isOfApple, "any other than `form_post` only without the scopes `name` and `email`",
            default: "`form_post` where Apple takes no other, else as for any provider"),
    ]

    private static let token: [Setting<ProviderConfiguration>] = [
        Setting(
            "id-token-algorithms", \.idTokenAlgorithms, .list,
            "the algorithms registered for the client's ID tokens; `HS256`, `HS384` and `HS512` only if they are here",
            default: "what the metadata announces, without HMAC", bounds: .each("names of algorithms, each given once")
        ).notOfApple,
        Setting(
            "decryption-keys", \.decryptionKeys,
            .secretBlocks("the PEM texts of private keys (P-256, RSA), one after another"),
            "the keys that ID tokens may be encrypted to"
        ).notOfApple,
        Setting(
            "trusted-audiences", \.trustedAudiences, .list,
            "audiences that may stand in an ID token beside the client", bounds: .each("audiences, each given once")
        ).notOfApple,
        Setting(
            "required-acr-values", \.requiredACRValues, .list,
            "asked for as `acr_values`; the ID token's `acr` must be one of them", default: "not validated",
            bounds: .each("authentication context classes, each given once")
        ).notOfApple,
        Setting(
            "user-info", \.userInfo, .bool, "whether the UserInfo endpoint is asked as well, once the ID token passed"
        ).notOfApple,
    ]

    private static let request: [Setting<ProviderConfiguration>] = [
        Setting(
            "pushed-authorization", \.pushedAuthorization, .bool,
            "whether authorization requests are pushed (RFC 9126) though the provider does not demand it"
        ).notOfApple,
        Setting(
            "scopes", \.scopes, .list, "always asked for",
            bounds: SettingBounds("scopes without spaces, openid among them, each given once") {
                ConfigurationSyntax.areScopes($0) && $0.contains("openid")
            }
        ).when(isOfApple, "always asked for; `openid` goes without saying", takes: appleScopes) { section in
            section.scopes.areOfApple ? nil : appleScopes
        },
        Setting(
            "claims", \.claims, .text, "the `claims` parameter (OpenID Connect Core 1.0 section 5.5), as JSON text"
        ).notOfApple,
        Setting(
            "resources", \.resources, .list, "the `resource` parameters (RFC 8707)",
            bounds: .each("absolute URIs, each given once")
        ).notOfApple,
        Setting(
            "authorization-parameters", \.authorizationParameters,
            .listed("name=value for each") { AuthorizationParameter(text: $0) }, "always sent",
            bounds: SettingBounds("name=value, with names that do not carry the protocol, each given once") {
                ConfigurationSyntax.areFreeParameters($0.map(\.name)) && $0.allSatisfy { $0.value.utf8.count <= 2048 }
            }),
    ]

    /// What Apple's scopes are; completes the sentence "expected …".
    static let appleScopes = "openid, name and email, each given once: Apple has no others"

    /// Whether a configuration is one of Apple.
    static let isOfApple: @Sendable (ProviderConfiguration) -> Bool = { $0.profile == .apple }
}

extension Setting where Section == ProviderConfiguration {
    /// The same key, which Apple leaves no room for.
    fileprivate var notOfApple: Self {
        only(where: { !ProviderConfiguration.isOfApple($0) }, otherwise: "nothing: with kind apple it is Apple's own")
    }
}

extension ProviderConfiguration {
    /// The certificate chain; `nil` if only the key was given.
    var clientCertificateChain: [UInt8]? {
        get { clientCertificate.flatMap { $0.certificateChain.isEmpty ? nil : $0.certificateChain } }
        set {
            clientCertificate = ClientCertificate(
                certificateChain: newValue ?? [], privateKey: clientCertificate?.privateKey ?? Secret(""))
        }
    }

    /// The certificate's private key; `nil` if only the chain was given.
    var clientCertificateKey: Secret? {
        get { clientCertificate.flatMap { $0.privateKey.exposed.isEmpty ? nil : $0.privateKey } }
        set {
            clientCertificate = ClientCertificate(
                certificateChain: clientCertificate?.certificateChain ?? [], privateKey: newValue ?? Secret(""))
        }
    }

    /// What was expected of the issuer; `nil` if it can be one.
    fileprivate var issuerError: String? {
        guard let url = AbsoluteURL(issuer), url.query == nil, url.isHTTPS || url.isLoopback else {
            return "an https URL without query or fragment, required (http only on loopback, with "
                + "insecure-loopback-issuer true)"
        }
        return url.isHTTPS || insecureLoopbackIssuer
            ? nil : "an https URL; http on loopback needs insecure-loopback-issuer true"
    }
}

extension AuthorizationParameter {
    /// Reads `name=value`; `nil` if there is no `=`.
    init?(text: String) {
        guard let mark = text.firstIndex(of: "=") else { return nil }
        self.init(name: String(text[..<mark]), value: String(text[text.index(after: mark)...]))
    }
}

extension [String] {
    /// Whether they are scopes that Apple has, each given once.
    var areOfApple: Bool {
        Set(self).count == count && allSatisfy { ["openid", "name", "email"].contains($0) }
    }
}
