// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The metadata of an OpenID Provider (OpenID Connect Discovery 1.0 section 3), read strictly. They do not change, and are
/// shared by all sign-ins that use them.
public final class ProviderMetadata: Sendable {
    /// The issuer. It equals the configured one byte for byte. For a client with a list of tenants it is the document's
    /// own text, which may contain `{tenantid}`.
    public let issuer: String
    /// The authorization endpoint, to which the browser is sent.
    public let authorizationEndpoint: AbsoluteURL
    /// The token endpoint, at which the code is exchanged.
    public let tokenEndpoint: AbsoluteURL
    /// The URL of the provider's keys, `jwks_uri`.
    public let keySetURL: AbsoluteURL
    /// The UserInfo endpoint; `nil` if there is none.
    public let userInfoEndpoint: AbsoluteURL?
    /// The registered names of the client authentication methods; `client_secret_basic` if none is announced.
    public let clientAuthenticationMethods: [String]
    /// Whether each authorization response contains `iss` (RFC 9207).
    public let announcesIssuer: Bool
    /// The announced signature algorithms of ID tokens that are supported here. A symmetric one applies only to a
    /// client that registered it.
    package let idTokenAlgorithms: Set<JSONWebAlgorithm>
    /// Whether ``idTokenAlgorithms`` are announced, and not the default of the standard.
    package let announcesIDTokenAlgorithms: Bool
    /// The announced signature algorithms of UserInfo responses that are supported here; empty if none is announced.
    package let userInfoAlgorithms: Set<JSONWebAlgorithm>
    /// The names of the signature algorithms of client assertions; empty if none is announced.
    package let clientAuthenticationSigningAlgorithms: [String]
    /// The supported response types, as written; `nil` if they are not announced.
    package let responseTypes: [String]?
    /// The supported response modes, as written; `nil` if they are not announced.
    package let responseModes: [String]?
    /// The supported PKCE methods (RFC 8414 section 2), for a diagnosis only: S256 is used whatever is announced. `nil` if
    /// they are not announced, or not as a list of names.
    package let codeChallengeMethods: [String]?
    /// The supported scopes of at most 64 ASCII characters, for a diagnosis only: a provider need not announce all. `nil`
    /// if they are not announced, or not as a list of names.
    package let scopes: [String]?
    /// The supported authentication context classes, for a diagnosis only; `nil` if they are not announced.
    package let authenticationContexts: [String]?
    /// Whether the `claims` parameter is supported, for a diagnosis only; `nil` if it is not announced.
    package let supportsClaimsParameter: Bool?
    /// Whether only signed request objects are accepted (RFC 9101 section 10.5), for a diagnosis only.
    package let requiresSignedRequestObject: Bool
    /// The supported key management and content encryption of ID tokens, for a diagnosis only; `nil` if they are not
    /// announced.
    package let idTokenEncryption: (keyManagement: [String]?, content: [String]?)
    /// The pushed authorization request endpoint (RFC 9126); `nil` if there is none.
    package let pushedAuthorizationEndpoint: AbsoluteURL?
    /// Whether only pushed authorization requests are accepted (RFC 9126 section 5).
    package let requiresPushedAuthorization: Bool
    /// The revocation endpoint (RFC 7009); `nil` if there is none.
    package let revocationEndpoint: AbsoluteURL?
    /// The end session endpoint (OpenID Connect RP-Initiated Logout 1.0 section 2.1); `nil` if there is none that can be
    /// used.
    package let endSessionEndpoint: AbsoluteURL?
    /// The endpoints for clients with a TLS certificate, by the names of ``MutualTLSEndpoint`` (RFC 8705 section 5).
    package let mutualTLSAliases: [String: AbsoluteURL]

    /// The maximum size of a discovery document, in bytes.
    package static let maximumBytes = 262_144

    /// Parses a discovery document. An absent optional member has its default value; an invalid member is an error.
    /// - Parameters:
    ///   - json: The document.
    ///   - issuer: The configured issuer, which the document's issuer must equal byte for byte.
    ///   - allowsLoopbackHTTP: Whether endpoints on a loopback host may use http.
    ///   - serverOrigin: The origin at which endpoints that browsers do not use may be with http; `nil` for none.
    ///   - issuerTemplateAllowed: Whether the document's issuer may instead be one of the same origin that contains
    ///     ``IssuerRule/tenantPlaceholder`` (Microsoft Entra). Only for a client with a list of tenants.
    package init(
        json: [UInt8],
        issuer: String,
        allowsLoopbackHTTP: Bool,
        serverOrigin: String? = nil,
        issuerTemplateAllowed: Bool = false
    ) throws(ProviderMetadataError) {
        let document: MetadataDocument
        do {
            document = MetadataDocument(
                object: try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes)),
                allowsLoopbackHTTP: allowsLoopbackHTTP, serverOrigin: serverOrigin)
        } catch {
            throw .unreadable(error.description)
        }
        guard let announced = document.object["issuer"] else { throw .missing("issuer") }
        guard let text = announced.text?.ascii(atMost: AbsoluteURL.maximumLength),
            text.hasSameBytes(as: issuer) || (issuerTemplateAllowed && Self.isTemplate(text, for: issuer))
        else { throw .issuerMismatch }
        self.issuer = text

        authorizationEndpoint = try document.authorizationEndpoint()
        tokenEndpoint = try document.requiredURL(MutualTLSEndpoint.token.rawValue)
        keySetURL = try document.requiredURL("jwks_uri")
        userInfoEndpoint = try document.url(MutualTLSEndpoint.userInfo.rawValue)
        clientAuthenticationMethods =
            try document.registeredNames("token_endpoint_auth_methods_supported")
            ?? [ClientAuthenticationMethod.clientSecretBasic.name]
        announcesIssuer = try document.flag("authorization_response_iss_parameter_supported")
        // The default of the standard is RS256 (Core section 15.1).
        idTokenAlgorithms = try document.algorithms("id_token_signing_alg_values_supported") ?? [.rs256]
        announcesIDTokenAlgorithms = document.object["id_token_signing_alg_values_supported"] != nil
        guard !idTokenAlgorithms.isEmpty else {
            let names = try document.registeredNames("id_token_signing_alg_values_supported") ?? []
            let known = names.filter { JSONWebAlgorithm.unsupportedNames.contains($0) }
            guard known.isEmpty else { throw .unsupported("id_token_signing_alg_values_supported", known) }
            throw .unacceptable("id_token_signing_alg_values_supported")
        }
        userInfoAlgorithms = try document.algorithms("userinfo_signing_alg_values_supported") ?? []
        clientAuthenticationSigningAlgorithms =
            try document.registeredNames("token_endpoint_auth_signing_alg_values_supported") ?? []
        responseTypes = try document.registeredNames("response_types_supported")
        responseModes = try document.registeredNames("response_modes_supported")
        // Nothing depends on these, so one that cannot be used does not make the metadata unusable.
        codeChallengeMethods = (try? document.registeredNames("code_challenge_methods_supported")) ?? nil
        scopes = (try? document.registeredNames("scopes_supported")) ?? nil
        authenticationContexts = (try? document.registeredNames("acr_values_supported")) ?? nil
        supportsClaimsParameter = document.object["claims_parameter_supported"]?.boolValue
        requiresSignedRequestObject = document.object["require_signed_request_object"]?.boolValue ?? false
        idTokenEncryption = (
            (try? document.registeredNames("id_token_encryption_alg_values_supported")) ?? nil,
            (try? document.registeredNames("id_token_encryption_enc_values_supported")) ?? nil
        )
        pushedAuthorizationEndpoint = try document.url(MutualTLSEndpoint.pushedAuthorization.rawValue)
        requiresPushedAuthorization = try document.flag("require_pushed_authorization_requests")
        if requiresPushedAuthorization, pushedAuthorizationEndpoint == nil {
            throw .missing(MutualTLSEndpoint.pushedAuthorization.rawValue)
        }
        revocationEndpoint = try document.url(MutualTLSEndpoint.revocation.rawValue)
        // It concerns no sign-in, so one that cannot be used does not make the metadata unusable.
        endSessionEndpoint = (try? document.url("end_session_endpoint")) ?? nil
        mutualTLSAliases = try document.mutualTLSAliases()
    }

    /// The URL of an endpoint; `nil` if the provider does not have it.
    /// - Parameter isMutualTLS: Whether the client authenticates with a certificate, in which case the endpoint's alias
    ///   is used if there is one.
    package func endpoint(_ endpoint: MutualTLSEndpoint, isMutualTLS: Bool) -> AbsoluteURL? {
        if isMutualTLS, let alias = mutualTLSAliases[endpoint.rawValue] { return alias }
        return switch endpoint {
        case .token: tokenEndpoint
        case .userInfo: userInfoEndpoint
        case .revocation: revocationEndpoint
        case .pushedAuthorization: pushedAuthorizationEndpoint
        }
    }

    /// The URL of the discovery document: the issuer without a trailing slash, followed by
    /// `/.well-known/openid-configuration` (Discovery section 4.1).
    package static func url(ofIssuer issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Whether the document's issuer is a template with the origin of the configured issuer.
    private static func isTemplate(_ announced: String, for issuer: String) -> Bool {
        guard IssuerRule.hasTenantPlaceholder(announced), let template = AbsoluteURL(announced),
            let asked = AbsoluteURL(issuer)
        else { return false }
        return template.origin == asked.origin && template.query == nil
    }
}
