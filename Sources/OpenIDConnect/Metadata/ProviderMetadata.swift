// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What an OpenID Provider publishes of itself (OpenID Connect Discovery 1.0 section 3), read strictly.
public struct ProviderMetadata: Sendable, Hashable {
    /// The issuer, byte for byte the configured one; for a client that lists its tenants, the document's own text,
    /// which may have `{tenantid}` in it.
    public let issuer: String
    /// Where the browser is sent.
    public let authorizationEndpoint: AbsoluteURL
    /// Where the code is exchanged.
    public let tokenEndpoint: AbsoluteURL
    /// Where the keys are.
    public let keySetURL: AbsoluteURL
    /// Where more claims can be fetched; `nil` if there is no such endpoint.
    public let userInfoEndpoint: AbsoluteURL?
    /// The registered names of client authentication; `client_secret_basic` where nothing is said.
    public let clientAuthenticationMethods: [String]
    /// Whether each authorization response carries `iss` (RFC 9207).
    public let announcesIssuer: Bool
    /// The algorithms ID tokens may be signed with: those announced that are supported here. A symmetric one among them
    /// is of use only to a client that registered it.
    package let idTokenAlgorithms: Set<JSONWebAlgorithm>
    /// The algorithms UserInfo may be signed with: those announced that are supported here; empty where nothing is
    /// said.
    package let userInfoAlgorithms: Set<JSONWebAlgorithm>
    /// The algorithms client assertions may be signed with, by their names; empty where nothing is said.
    package let clientAuthenticationSigningAlgorithms: [String]
    /// The response types that are answered, as written; `nil` if nothing is said.
    package let responseTypes: [String]?
    /// The response modes there are, as written; `nil` if nothing is said.
    package let responseModes: [String]?
    /// Where authorization requests are pushed (RFC 9126); `nil` if there is no such endpoint.
    package let pushedAuthorizationEndpoint: AbsoluteURL?
    /// Whether nothing but pushed authorization requests is taken (RFC 9126 section 5).
    package let requiresPushedAuthorization: Bool
    /// Where tokens are revoked (RFC 7009); `nil` if there is no such endpoint.
    package let revocationEndpoint: AbsoluteURL?
    /// The endpoints for clients that show a TLS certificate, by ``MutualTLSEndpoint``'s names (RFC 8705 section 5).
    package let mutualTLSAliases: [String: AbsoluteURL]

    /// The largest discovery document, bytes.
    package static let maximumBytes = 262_144

    /// Reads a discovery document. What is absent and not required has its default; what is there must be right.
    /// - Parameters:
    ///   - json: the document.
    ///   - issuer: the issuer that was asked; the document's must be the same, byte for byte.
    ///   - allowsLoopbackHTTP: whether endpoints may be http on a loopback host.
    ///   - issuerTemplateAllowed: whether the document's issuer may instead be one of the same origin with
    ///     ``IssuerRule/tenantPlaceholder`` in it (Microsoft Entra); only for a client that lists its tenants.
    package init(
        json: [UInt8],
        issuer: String,
        allowsLoopbackHTTP: Bool,
        issuerTemplateAllowed: Bool = false
    ) throws(ProviderMetadataError) {
        let document: MetadataDocument
        do {
            document = MetadataDocument(
                object: try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes)),
                allowsLoopbackHTTP: allowsLoopbackHTTP)
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
        // Where nothing is announced the default of the standard holds: RS256 (Core section 15.1).
        idTokenAlgorithms = try document.algorithms("id_token_signing_alg_values_supported") ?? [.rs256]
        guard !idTokenAlgorithms.isEmpty else { throw .unacceptable("id_token_signing_alg_values_supported") }
        userInfoAlgorithms = try document.algorithms("userinfo_signing_alg_values_supported") ?? []
        clientAuthenticationSigningAlgorithms =
            try document.registeredNames("token_endpoint_auth_signing_alg_values_supported") ?? []
        responseTypes = try document.registeredNames("response_types_supported")
        responseModes = try document.registeredNames("response_modes_supported")
        pushedAuthorizationEndpoint = try document.url(MutualTLSEndpoint.pushedAuthorization.rawValue)
        requiresPushedAuthorization = try document.flag("require_pushed_authorization_requests")
        if requiresPushedAuthorization, pushedAuthorizationEndpoint == nil {
            throw .missing(MutualTLSEndpoint.pushedAuthorization.rawValue)
        }
        revocationEndpoint = try document.url(MutualTLSEndpoint.revocation.rawValue)
        mutualTLSAliases = try document.mutualTLSAliases()
    }

    /// Where a client sends a request; `nil` if the provider has no such endpoint.
    /// - Parameter isMutualTLS: whether the client shows a certificate: it then takes the endpoint's alias, where there
    ///   is one.
    package func endpoint(_ endpoint: MutualTLSEndpoint, isMutualTLS: Bool) -> AbsoluteURL? {
        if isMutualTLS, let alias = mutualTLSAliases[endpoint.rawValue] { return alias }
        return switch endpoint {
        case .token: tokenEndpoint
        case .userInfo: userInfoEndpoint
        case .revocation: revocationEndpoint
        case .pushedAuthorization: pushedAuthorizationEndpoint
        }
    }

    /// The document's URL: the issuer, with a trailing slash left out, and `/.well-known/openid-configuration`
    /// (Discovery section 4.1).
    package static func url(ofIssuer issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Whether a document's issuer is a template that goes with the issuer that was asked: of its origin.
    private static func isTemplate(_ announced: String, for issuer: String) -> Bool {
        guard IssuerRule.hasTenantPlaceholder(announced), let template = AbsoluteURL(announced),
            let asked = AbsoluteURL(issuer)
        else { return false }
        return template.origin == asked.origin && template.query == nil
    }
}
