// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The metadata of an OpenID Provider (OpenID Connect Discovery 1.0 section 3). They do not change, and are shared by all
/// sign-ins that use them.
///
/// When the document is read, only the issuer is required. Any other member is judged where it is used, by its type and
/// by its value: a provider of native credentials needs no endpoints.
public final class ProviderMetadata: Sendable {
    /// The issuer. It equals the configured one byte for byte. For a client with a list of tenants it is the document's
    /// own text, which may contain `{tenantid}`.
    public let issuer: String
    /// The authorization endpoint, to which the browser is sent; `nil` if there is none that can be used.
    public let authorizationEndpoint: AbsoluteURL?
    /// The token endpoint, at which the code is exchanged; `nil` if there is none that can be used.
    public let tokenEndpoint: AbsoluteURL?
    /// The URL of the provider's keys, `jwks_uri`; `nil` if there is none that can be used.
    public let keySetURL: AbsoluteURL?
    /// The UserInfo endpoint; `nil` if there is none that can be used.
    public let userInfoEndpoint: AbsoluteURL?
    /// The registered names of the client authentication methods; `client_secret_basic` if none is announced.
    public let clientAuthenticationMethods: [String]
    /// Whether each authorization response contains `iss` (RFC 9207).
    public let announcesIssuer: Bool
    /// The announced signature algorithms of ID tokens that are supported here; empty if there is none. A symmetric one
    /// applies only to a client that registered it.
    package let idTokenAlgorithms: Set<JSONWebAlgorithm>
    /// Whether ``idTokenAlgorithms`` are announced, and not the default of the standard.
    package let announcesIDTokenAlgorithms: Bool
    /// The announced signature algorithms of UserInfo responses that are supported here; empty if none is announced.
    package let userInfoAlgorithms: Set<JSONWebAlgorithm>
    /// The announced signature algorithms of signed authorization responses (JARM section 4) that are supported here; empty
    /// if none is announced.
    package let responseAlgorithms: Set<JSONWebAlgorithm>
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
    /// Whether only signed request objects are accepted (RFC 9101 section 10.5).
    package let requiresSignedRequestObject: Bool
    /// The names of the signature algorithms of request objects; empty if none is announced.
    package let requestObjectAlgorithms: [String]
    /// The supported key management and content encryption of ID tokens, for a diagnosis only; `nil` if they are not
    /// announced.
    package let idTokenEncryption: (keyManagement: [String]?, content: [String]?)
    /// The pushed authorization request endpoint (RFC 9126); `nil` if there is none that can be used.
    package let pushedAuthorizationEndpoint: AbsoluteURL?
    /// Whether only pushed authorization requests are accepted (RFC 9126 section 5).
    package let requiresPushedAuthorization: Bool
    /// The revocation endpoint (RFC 7009); `nil` if there is none that can be used.
    package let revocationEndpoint: AbsoluteURL?
    /// The registered names of the client authentication methods of the revocation endpoint (RFC 8414 section 2); `nil` if
    /// they are not announced.
    package let revocationAuthenticationMethods: [String]?
    /// The names of the signature algorithms of client assertions at the revocation endpoint; empty if none is announced.
    package let revocationAuthenticationSigningAlgorithms: [String]
    /// The end session endpoint (OpenID Connect RP-Initiated Logout 1.0 section 2.1); `nil` if there is none that can be
    /// used.
    package let endSessionEndpoint: AbsoluteURL?
    /// The endpoints for clients with a TLS certificate, by the names of ``MutualTLSEndpoint`` (RFC 8705 section 5).
    package let mutualTLSAliases: [String: AbsoluteURL]

    /// Whether access tokens are bound to the certificate of a client that shows one (RFC 8705 section 3.3).
    package let bindsAccessTokensToCertificates: Bool

    /// The names of the algorithms of DPoP proofs (RFC 9449 section 5.1); `nil` if none is announced.
    package let dpopAlgorithms: [String]?

    /// The reasons why members cannot be used, by the names of the members.
    private let problems: [String: ProviderMetadataError]

    /// The maximum size of a discovery document, in bytes.
    package static let maximumBytes = 262_144

    /// Parses a discovery document. A member that is absent, null or empty has its default value.
    /// - Parameters:
    ///   - json: The document.
    ///   - issuer: The configured issuer, which the document's issuer must equal byte for byte.
    ///   - allowsLoopbackHTTP: Whether endpoints on a loopback host may use http.
    ///   - serverOrigin: The origin at which endpoints that browsers do not use may be with http; `nil` for none.
    ///   - isAllowed: Whether this server may send requests to the host of a URL. Not used for endpoints for browsers.
    ///   - issuerTemplateAllowed: Whether the document's issuer may instead be one of the same origin that contains
    ///     ``IssuerRule/tenantPlaceholder`` (Microsoft Entra). Only for a client with a list of tenants.
    package init(
        json: [UInt8],
        issuer: String,
        allowsLoopbackHTTP: Bool,
        serverOrigin: String? = nil,
        isAllowed: @escaping (AbsoluteURL) -> Bool = { _ in true },
        issuerTemplateAllowed: Bool = false
    ) throws(ProviderMetadataError) {
        var document: MetadataDocument
        do {
            document = MetadataDocument(
                object: try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes)),
                allowsLoopbackHTTP: allowsLoopbackHTTP, serverOrigin: serverOrigin, isAllowed: isAllowed)
        } catch {
            throw .unreadable(error.description)
        }
        guard let announced = document.object["issuer"] else { throw .missing("issuer") }
        guard let text = announced.text?.ascii(atMost: AbsoluteURL.maximumLength),
            text.hasSameBytes(as: issuer) || (issuerTemplateAllowed && Self.isTemplate(text, for: issuer))
        else { throw .issuerMismatch }
        self.issuer = text

        authorizationEndpoint = document.authorizationEndpoint()
        tokenEndpoint = document.url(MutualTLSEndpoint.token.rawValue)
        keySetURL = document.url("jwks_uri")
        userInfoEndpoint = document.url(MutualTLSEndpoint.userInfo.rawValue)
        clientAuthenticationMethods =
            document.registeredNames(Self.authenticationMethods)
            ?? [ClientAuthenticationMethod.clientSecretBasic.name]
        announcesIssuer = document.flag(Self.issuerParameter)
        idTokenAlgorithms = document.idTokenAlgorithms()
        announcesIDTokenAlgorithms = document.announcesIDTokenAlgorithms
        userInfoAlgorithms = document.algorithms(Self.userInfoSigningAlgorithms) ?? []
        responseAlgorithms = document.algorithms(Self.responseSigningAlgorithms) ?? []
        clientAuthenticationSigningAlgorithms =
            document.registeredNames("token_endpoint_auth_signing_alg_values_supported") ?? []
        responseTypes = document.registeredNames("response_types_supported")
        responseModes = document.registeredNames("response_modes_supported")
        codeChallengeMethods = document.registeredNames("code_challenge_methods_supported")
        scopes = document.registeredNames("scopes_supported")
        authenticationContexts = document.registeredNames("acr_values_supported")
        supportsClaimsParameter = document.object["claims_parameter_supported"]?.boolValue
        requiresSignedRequestObject = document.flag(Self.signedRequestObjectFlag)
        requestObjectAlgorithms = document.registeredNames("request_object_signing_alg_values_supported") ?? []
        idTokenEncryption = (
            document.registeredNames("id_token_encryption_alg_values_supported"),
            document.registeredNames("id_token_encryption_enc_values_supported")
        )
        pushedAuthorizationEndpoint = document.url(MutualTLSEndpoint.pushedAuthorization.rawValue)
        requiresPushedAuthorization = document.flag(Self.pushedAuthorizationFlag)
        revocationEndpoint = document.url(MutualTLSEndpoint.revocation.rawValue)
        revocationAuthenticationMethods = document.registeredNames(Self.revocationMethods)
        revocationAuthenticationSigningAlgorithms =
            document.registeredNames("revocation_endpoint_auth_signing_alg_values_supported") ?? []
        endSessionEndpoint = document.url("end_session_endpoint")
        mutualTLSAliases = document.mutualTLSAliases()
        bindsAccessTokensToCertificates = document.flag("tls_client_certificate_bound_access_tokens")
        dpopAlgorithms = document.registeredNames("dpop_signing_alg_values_supported")
        problems = document.problems
    }

    private static let authenticationMethods = "token_endpoint_auth_methods_supported"
    private static let issuerParameter = "authorization_response_iss_parameter_supported"
    private static let pushedAuthorizationFlag = "require_pushed_authorization_requests"
    private static let signedRequestObjectFlag = "require_signed_request_object"
    private static let revocationMethods = "revocation_endpoint_auth_methods_supported"
    private static let responseSigningAlgorithms = "authorization_signing_alg_values_supported"
    private static let userInfoSigningAlgorithms = "userinfo_signing_alg_values_supported"

    /// The URL of an endpoint; `nil` if the provider does not have it.
    /// - Parameter isMutualTLS: Whether the client shows its certificate, in which case the endpoint's alias is used if
    ///   there is one.
    package func endpoint(_ endpoint: MutualTLSEndpoint, isMutualTLS: Bool) -> AbsoluteURL? {
        if isMutualTLS, let alias = mutualTLSAliases[endpoint.rawValue] { return alias }
        return switch endpoint {
        case .token: tokenEndpoint
        case .userInfo: userInfoEndpoint
        case .revocation: revocationEndpoint
        case .pushedAuthorization: pushedAuthorizationEndpoint
        }
    }

    /// The authorization endpoint for a sign-in of a response type.
    /// - Parameters:
    ///   - isPushed: Whether the request must be pushed.
    ///   - hasCode: Whether a code is exchanged.
    ///   - isMutualTLS: Whether the client shows its certificate.
    ///   - registersAlgorithms: Whether the client's algorithms of ID tokens are configured, so that those in the metadata do
    ///     not apply.
    ///   - verifiesByKeySet: Whether ID tokens are verified by a key of the provider.
    /// - Throws: The error of the first member that such a sign-in needs.
    package func authorizationEndpoint(
        isPushed: Bool, hasCode: Bool, isMutualTLS: Bool, registersAlgorithms: Bool, verifiesByKeySet: Bool
    ) throws(ProviderMetadataError) -> AbsoluteURL {
        let endpoint = try required(authorizationEndpoint, "authorization_endpoint")
        for flag in [Self.issuerParameter, Self.pushedAuthorizationFlag, Self.signedRequestObjectFlag] {
            try check(flag)
        }
        if hasCode { _ = try required(.token, isMutualTLS: isMutualTLS) }
        if isPushed { _ = try required(.pushedAuthorization, isMutualTLS: isMutualTLS) }
        if verifiesByKeySet { _ = try requiredKeySetURL() }
        if !registersAlgorithms { try check(MetadataDocument.idTokenSigningAlgorithms) }
        return endpoint
    }

    /// The URL of the provider's keys.
    package func requiredKeySetURL() throws(ProviderMetadataError) -> AbsoluteURL {
        try required(keySetURL, "jwks_uri")
    }

    /// The URL of an endpoint like ``endpoint(_:isMutualTLS:)``.
    /// - Throws: The reason why it cannot be used.
    package func required(
        _ endpoint: MutualTLSEndpoint, isMutualTLS: Bool
    ) throws(ProviderMetadataError) -> AbsoluteURL {
        if isMutualTLS {
            try check(MutualTLSEndpoint.aliases)
            try check(endpoint.alias)
            if let alias = mutualTLSAliases[endpoint.rawValue] { return alias }
        }
        return try required(self.endpoint(endpoint, isMutualTLS: false), endpoint.rawValue)
    }

    /// Throws the reason why the list of client authentication methods of an endpoint cannot be used, if there is one.
    package func checkAuthenticationMethods(of endpoint: MutualTLSEndpoint) throws(ProviderMetadataError) {
        try check(endpoint == .revocation ? Self.revocationMethods : Self.authenticationMethods)
    }

    /// Throws the reason why the list of algorithms of signed UserInfo cannot be used, if there is one.
    package func checkUserInfoAlgorithms() throws(ProviderMetadataError) { try check(Self.userInfoSigningAlgorithms) }

    /// Throws the reason why the list of algorithms of signed authorization responses cannot be used, if there is one.
    package func checkResponseAlgorithms() throws(ProviderMetadataError) { try check(Self.responseSigningAlgorithms) }

    private func check(_ member: String) throws(ProviderMetadataError) {
        if let problem = problems[member] { throw problem }
    }

    private func required(_ url: AbsoluteURL?, _ member: String) throws(ProviderMetadataError) -> AbsoluteURL {
        try check(member)
        guard let url else { throw .missing(member) }
        return url
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
