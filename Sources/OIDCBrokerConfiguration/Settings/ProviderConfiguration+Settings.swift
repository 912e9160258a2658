// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
package import OpenIDRelyingParty
import SignInWithApple

/// The keys under `auth.provider.<name>.` that configure the relying party.
extension ProviderConfiguration: SettingSection {
    package static let settings: [Setting<ProviderConfiguration>] = identity + client + response + token + request

    private static let identity: [Setting<ProviderConfiguration>] = [
        Setting(
            "issuer", \.issuer, .text,
            "the issuer, exactly as in the provider's metadata and tokens", default: "required"
        ).check(takes: "an https URL without query or fragment") { $0.issuerError }.notOfApple,
        Setting(
            "metadata-url", \.metadataURL, .text,
            "where the broker fetches the metadata, if it reaches the provider elsewhere than browsers do, as in one "
                + "cluster; this host and port may be private", default: "below the issuer"
        ).check(takes: "an https URL, or an http URL with `metadata-network`") { $0.metadataURLError }.notOfApple,
        Setting(
            "metadata-network", \.metadataNetwork,
            .named(
                "encrypted, trusted or trusted-with-secret", { MetadataNetwork(rawValue: $0) }, show: { $0.rawValue }),
            "whether `metadata-url` may be http at a private address: the network is trusted like the provider's signing "
                + "key. With `trusted` the client secret goes only to the issuer's own origin over https, with "
                + "`trusted-with-secret` to every endpoint"
        ).notOfApple,
        Setting(
            "profile", \.securityProfile,
            .named("fapi-2", { SecurityProfile(rawValue: $0) }, show: { $0.rawValue }),
            "the profile whose requirements apply: with `fapi-2` (FAPI 2.0 Security Profile) requests are pushed, responses "
                + "must have `iss`, the client authenticates by key or certificate with PS256, ES256 or EdDSA, and access "
                + "tokens are bound; keys that contradict it are refused"
        ).notOfApple,
        Setting(
            "insecure-loopback-issuer", \.insecureLoopbackIssuer, .bool,
            "whether an http issuer is accepted on a loopback host; on other hosts it never is"
        ).notOfApple,
        Setting(
            "tenants", \.tenants, .list,
            "the tenants whose users may sign in, by the claim `tid` of Microsoft Entra; required if the issuer contains "
                + "`{tenantid}`",
            bounds: .each("tenant ids, each given once")
        ).notOfApple,
        Setting(
            "certificate-authorities", \.certificateAuthorities, .file("the path of a PEM file that can be read"),
            "the PEM file of the root certificates to trust instead of the system's", default: "the system's"
        ).notOfApple,
        Setting(
            "proxy", \.proxy,
            .named(
                "host:port of an HTTP proxy, without a scheme", { Proxy(authority: $0) }, show: { $0.description }),
            "the HTTP proxy for requests to the provider"),
        Setting(
            "clock-skew-seconds", \.clockSkew, .seconds, "the tolerated difference between the clocks, in seconds",
            bounds: .range(ProviderConfiguration.clockSkewBounds)),
    ]

    private static let client: [Setting<ProviderConfiguration>] = [
        Setting(
            "client-id", \.clientID, .text, "the broker's client ID at the provider", default: "required",
            bounds: SettingBounds(
                "the client id that the provider issued, visible ASCII characters, required",
                // An empty one may also be a missing key.
                reason: { $0.isEmpty ? nil : ConfigurationSyntax.invisibleReason($0) }
            ) {
                ConfigurationSyntax.isVisible($0)
            }
        ).when(
            isOfApple, "the Services ID", default: "none: native credentials only",
            takes: "the Services ID, visible ASCII characters"
        ) { section in
            section.clientID.isEmpty || ConfigurationSyntax.isVisible(section.clientID)
                ? nil : "the Services ID, visible ASCII characters"
        },
        Setting(
            "client-secret", \.clientSecret, .secret(), "the broker's client secret at the provider",
            default: "required, unless the client authenticates otherwise or is public",
            bounds: SettingBounds(
                "the client secret that the provider issued, visible ASCII characters",
                reason: { ConfigurationSyntax.invisibleReason($0.exposed) }
            ) {
                ConfigurationSyntax.isVisible($0.exposed)
            }
        ).notOfApple,
        Setting(
            "client-authentication", \.clientAuthentication,
            .named(
                "client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth, "
                    + "self_signed_tls_client_auth or none", { ClientAuthenticationMethod(name: $0) },
                show: { $0.name }), "the client authentication method; `none` for a public client",
            default: "the strongest method of the metadata that the configuration allows"
        ).notOfApple,
        Setting(
            "client-signing-key", \.clientSigningKey,
            .secret("the PEM text of a private key: P-256, P-384, P-521, Ed25519, or RSA of 2048 to 8192 bits"),
            "the private key for `private_key_jwt` and `request-object`"
        ).notOfApple,
        Setting(
            "client-signing-algorithm", \.clientSigningAlgorithm,
            .named("ES256, ES384, ES512, RS256, PS256, EdDSA or Ed25519", { $0 }, show: { $0 }),
            "the algorithm of `client-signing-key`", default: "the key's own; RSA: `RS256`, with `profile` `PS256`"
        ).notOfApple,
        Setting(
            "client-signing-key-id", \.clientSigningKeyID,
            .named(
                "thumbprint, none, or the kid: 1 to 256 visible ASCII characters", { ClientSigningKeyID(text: $0) },
                show: { $0.text }),
            "the `kid` of client assertions: the thumbprint of the key, none, or the one that is registered at the provider"
        ).notOfApple,
        Setting(
            "client-signing-certificate", \.clientSigningCertificate, .file("the path of a PEM file that can be read"),
            "the certificate of `client-signing-key`, if one is registered at the provider instead of the key: assertions "
                + "have its thumbprints, `x5t#S256` and `x5t`"
        ).notOfApple,
        Setting(
            "client-assertion-audience", \.clientAssertionAudience,
            .named(
                "issuer or token-endpoint", { ClientAssertionAudience(rawValue: $0) }, show: { $0.rawValue }),
            "the audience of client assertions; use `token-endpoint` only if the provider requires it"
        ).notOfApple,
        Setting(
            "client-assertion-typ", \.clientAssertionTyp,
            .named(
                "JWT or client-authentication+jwt", { ClientAssertionTyp(rawValue: $0) }, show: { $0.rawValue }),
            "the `typ` of client assertions; `client-authentication+jwt` (RFC 10070) if the provider takes it"
        ).notOfApple,
        Setting(
            "client-certificate", \.clientCertificateChain, .file("the path of a PEM file that can be read"),
            "the certificate chain for mutual TLS, the client certificate first"
        ).part(of: \.clientCertificate).notOfApple,
        Setting(
            "client-certificate-key", \.clientCertificateKey, .secret("the PEM text of a private key"),
            "the private key of the client certificate"
        ).part(of: \.clientCertificate).notOfApple,
        Setting(
            "dpop", \.dpop, .named("off or on", { DPoPUse(rawValue: $0) }, show: { $0.rawValue }),
            "whether codes and access tokens are bound to a key of each login (RFC 9449); apps are not given those tokens",
            default: "`off`; with `profile` and no `client-certificate` `on`"
        ).notOfApple,
        Setting(
            "certificate-bound-access-tokens", \.certificateBoundAccessTokens, .bool,
            "whether access tokens are bound to `client-certificate` (RFC 8705 section 3) although the metadata does not "
                + "announce it; the certificate is then always shown, and apps do not get those tokens",
            default: "`false`; with `profile`, `client-certificate` and no `dpop` `true`"
        ).notOfApple,
    ]

    private static let response: [Setting<ProviderConfiguration>] = [
        Setting(
            "response-type", \.responseType,
            .named("code, 'code id_token' or id_token", { ResponseType(name: $0) }, show: { $0.name }),
            "the requested response type"
        ).when(
            isOfApple, "the requested response type; `code` requires a callback path that no other provider uses",
            takes: "code or 'code id_token'"),
        Setting(
            "response-mode", \.responseMode,
            .named(
                "query, form_post, fragment, query.jwt, form_post.jwt, fragment.jwt or jwt", { ResponseMode(name: $0) },
                show: { $0.name }),
            "the requested response mode; an ID token does not come in a query. With `query.jwt`, `form_post.jwt`, "
                + "`fragment.jwt` and `jwt` (for `code` the same as `query.jwt`) every response must be a JWT that the provider "
                + "signed (JARM)",
            default: "`query` for `code`, else `form_post`"
        ).when(
            isOfApple,
            "the requested response mode; the scopes `name` and `email` require `form_post`",
            default: "`form_post` if Apple accepts no other, otherwise as for any provider",
            takes: "query, form_post or fragment"),
        Setting(
            "sends-issuer", \.sendsIssuer, .bool,
            "whether responses have `iss` (RFC 9207) although the metadata does not announce it; a response without it is then "
                + "refused",
            default: "`false`; with `profile` `true`"
        ).notOfApple,
    ]

    private static let token: [Setting<ProviderConfiguration>] = [
        Setting(
            "id-token-algorithms", \.idTokenAlgorithms, .list,
            "the accepted signature algorithms of ID tokens; `HS256`, `HS384` and `HS512` only if listed here",
            default: "those of the metadata, without HMAC", bounds: .each("names of algorithms, each given once")
        ).notOfApple,
        Setting(
            "decryption-keys", \.decryptionKeys,
            .secretBlocks("the PEM texts of private keys (RSA, P-256, P-384, P-521, X25519), one after another"),
            "the private keys that decrypt ID tokens, logout tokens and UserInfo"
        ).notOfApple,
        Setting(
            "decryption-algorithm", \.decryptionAlgorithm,
            .named("RSA-OAEP-256, ECDH-ES, ECDH-ES+A128KW, ECDH-ES+A192KW or ECDH-ES+A256KW", { $0 }, show: { $0 }),
            "the algorithm that is registered for `decryption-keys`: the published keys have it, and tokens that are encrypted "
                + "by another one are refused",
            default: "all that the keys serve; published with `RSA-OAEP-256` or `ECDH-ES`"
        ).notOfApple,
        Setting(
            "trusted-audiences", \.trustedAudiences, .list,
            "further audiences that ID tokens may have",
            bounds: .each("audiences, each given once")
        ).notOfApple,
        Setting(
            "required-acr-values", \.requiredACRValues, .list,
            "requested as `acr_values`; the ID token's `acr` must be one of them", default: "not validated",
            bounds: .each("authentication context classes, each given once")
        ).notOfApple,
        Setting(
            "user-info", \.userInfo, .bool, "whether UserInfo is requested after a sign-in"
        ).notOfApple,
    ]

    private static let request: [Setting<ProviderConfiguration>] = [
        Setting(
            "pushed-authorization", \.pushedAuthorization, .bool,
            "whether authorization requests are pushed (RFC 9126) even if the provider does not require it",
            default: "`false`; with `profile` `true`"
        ).notOfApple,
        Setting(
            "request-object", \.requestObject,
            .named("off or sign", { RequestObjectUse(rawValue: $0) }, show: { $0.rawValue }),
            "whether authorization requests are signed with `client-signing-key`, as request objects (RFC 9101)",
            default: "`sign` if the metadata has `require_signed_request_object`, else `off`"
        ).notOfApple,
        Setting(
            "scopes", \.scopes, .list, "the requested scopes",
            bounds: SettingBounds("scopes without spaces, openid among them, each given once") {
                ConfigurationSyntax.areScopes($0) && $0.contains("openid")
            }
        ).when(isOfApple, "the requested scopes; `openid` is always requested", takes: appleScopes) { section in
            section.scopes.areOfApple ? nil : appleScopes
        },
        Setting(
            "claims-parameter", \.claimsParameter, .text,
            "the `claims` parameter (OpenID Connect Core 1.0 section 5.5), as JSON text"
        ).notOfApple,
        Setting(
            "resources", \.resources, .list, "the `resource` parameters (RFC 8707)",
            bounds: .each("absolute URIs, each given once")
        ).notOfApple,
        Setting(
            "authorization-parameters", \.authorizationParameters,
            .listed("name=value for each") { AuthorizationParameter(text: $0) },
            "parameters that are added to every authorization request",
            bounds: SettingBounds("name=value, with names that do not carry the protocol, each given once") {
                ConfigurationSyntax.areFreeParameters($0.map(\.name)) && $0.allSatisfy { $0.value.utf8.count <= 2048 }
            }),
        Setting(
            "trace-context", \.traceContext, .bool,
            "whether requests to the provider have `traceparent`, so that its spans join the trace; only for a provider "
                + "that you run yourself"
        ).only(where: { !isOfApple($0) }, otherwise: "no value: Apple is not told of the operator's traces"),
    ]

    /// A description of Apple's scopes. It completes the sentence "expected …".
    static let appleScopes = "openid, name and email, each given once: Apple has no others"

    /// Whether a configuration is that of Apple.
    static let isOfApple: @Sendable (ProviderConfiguration) -> Bool = { $0.profile == .apple }
}

extension Setting where Section == ProviderConfiguration {
    /// The same key, which a provider of kind `apple` does not have.
    fileprivate var notOfApple: Self {
        only(where: { !ProviderConfiguration.isOfApple($0) }, otherwise: "no value: with kind apple it is Apple's own")
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
    package var clientCertificateKey: Secret? {
        get { clientCertificate.flatMap { $0.privateKey.exposed.isEmpty ? nil : $0.privateKey } }
        set {
            clientCertificate = ClientCertificate(
                certificateChain: clientCertificate?.certificateChain ?? [], privateKey: newValue ?? Secret(""))
        }
    }

    /// The end of the URL of the metadata, which is no part of the issuer.
    private static let metadataPath = "/.well-known/openid-configuration"

    /// How to mend an issuer that is no URL, after a semicolon; nothing if that is not known.
    private var issuerAdvice: String {
        guard !issuer.isEmpty else { return "" }
        guard let url = AbsoluteURL(issuer) else { return issuer.contains("://") ? "" : "; begin it with https://" }
        return url.query == nil ? "; use https" : "; remove the query (?)"
    }

    /// A description of what was expected of the issuer; `nil` if the issuer is valid.
    fileprivate var issuerError: String? {
        guard let url = AbsoluteURL(issuer), url.query == nil, url.isHTTPS || url.isLoopback else {
            return "an https URL without query or fragment, required (http only on loopback, with "
                + "insecure-loopback-issuer true)" + issuerAdvice
        }
        guard !issuer.hasSuffix(Self.metadataPath) else {
            return "the issuer alone; leave '\(Self.metadataPath)' out"
        }
        guard !issuer.replacing("{tenantid}", with: "").contains(where: { "{<".contains($0) }) else {
            return "the issuer itself; replace the part in brackets by your own value"
        }
        return url.isHTTPS || insecureLoopbackIssuer
            ? nil : "an https URL; http on loopback needs insecure-loopback-issuer true"
    }
}

extension ClientSigningKeyID {
    /// Reads the text of the setting; `nil` if it is none.
    init?(text: String) {
        switch text {
        case "thumbprint": self = .thumbprint
        case "none": self = .none
        default:
            guard ConfigurationSyntax.isVisible(text), text.utf8.count <= 256 else { return nil }
            self = .named(text)
        }
    }

    /// The text of the setting.
    var text: String {
        switch self {
        case .thumbprint: "thumbprint"
        case .none: "none"
        case .named(let name): name
        }
    }
}

extension AuthorizationParameter {
    /// Creates a parameter from `name=value`; `nil` if the text has no `=`.
    package init?(text: String) {
        guard let mark = text.firstIndex(of: "=") else { return nil }
        self.init(name: String(text[..<mark]), value: String(text[text.index(after: mark)...]))
    }
}

extension [String] {
    /// Whether all elements are scopes of Apple, without duplicates.
    var areOfApple: Bool {
        Set(self).count == count && allSatisfy { ["openid", "name", "email"].contains($0) }
    }
}
