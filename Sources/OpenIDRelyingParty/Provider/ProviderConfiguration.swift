// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// The configuration of an OpenID Provider and of this client of it.
public struct ProviderConfiguration: Sendable {
    /// The issuer, byte for byte as in the provider's metadata and ID tokens.
    public var issuer: String
    /// The client id that the provider assigned to this client.
    public var clientID: String
    /// The client secret; `nil` if this is a public client.
    public var clientSecret: Secret?
    /// The client authentication method; `nil` if it is chosen by the provider's metadata.
    public var clientAuthentication: ClientAuthenticationMethod?
    /// The registered redirect URI of this client.
    public var redirectURI: String
    /// The requested scopes, which include `openid`.
    public var scopes: [String]
    /// The requested response mode.
    public var responseMode: ResponseMode
    /// Parameters that are added to every authorization request. Reserved names are ignored.
    public var authorizationParameters: [(name: String, value: String)]
    /// The certificate authorities to trust instead of the system's, as PEM bytes.
    public var certificateAuthorities: [UInt8]?
    /// Whether http is accepted if the issuer's host is a loopback one. It is never accepted for any other host.
    public var allowsInsecureLoopbackIssuer: Bool
    /// Whether UserInfo is fetched after the ID token was validated.
    public var fetchesUserInfo: Bool
    /// The tolerated difference of the provider's clock in seconds, less than five minutes.
    public var clockSkew: Int64
    /// The deviations of this kind of provider from the standard.
    public var profile: ProviderProfile
    /// The requested response type. Any other than `code` delivers an ID token in the authorization response, and needs
    /// the ``responseMode`` `form_post` or `fragment`.
    public var responseType: ResponseType
    /// The private key for `private_key_jwt`, PEM. Its public key is registered at the provider.
    public var clientSigningKey: Secret?
    /// The algorithm of that key: `ES256`, `RS256`, `PS256`, `EdDSA` or `Ed25519`; `nil` if it follows from the kind of
    /// key (`RS256` for RSA).
    public var clientSigningAlgorithm: String?
    /// The certificate for `tls_client_auth` and `self_signed_tls_client_auth`.
    public var clientCertificate: ClientCertificate?
    /// The algorithms registered for this client's ID tokens; `nil` if those in the metadata apply. `HS256`, `HS384`
    /// and `HS512` are accepted only if they are listed here.
    public var idTokenAlgorithms: [String]?
    /// Private keys (PEM, RSA or P-256) for which ID tokens may be encrypted. An ID token that is only signed is
    /// accepted as well.
    public var decryptionKeys: [Secret]
    /// Whether authorization requests are pushed (RFC 9126) even if the provider does not require it.
    public var pushesAuthorization: Bool
    /// The tenants that may sign in, if the provider's issuer is a template with `{tenantid}`, as that of Microsoft
    /// Entra.
    public var issuerTenants: [String]
    /// Audiences that an ID token may have in addition to this client. Its `azp` must then be this client.
    public var trustedAudiences: [String]
    /// The accepted authentication context classes, one of which must be the ID token's `acr`. They are sent as
    /// `acr_values`.
    public var requiredACRs: [String]
    /// The `claims` parameter (OpenID Connect Core 1.0 section 5.5), as JSON text.
    public var claimsRequest: String?
    /// The `resource` parameters (RFC 8707), which are absolute URIs.
    public var resources: [String]
    /// The HTTP proxy through which the provider is reached.
    ///
    /// The connected address is then the proxy's and is not validated: the proxy decides whether a name may lead to a
    /// private address. A host that is itself private, such as an address literal or `localhost`, is still refused.
    public var proxy: Proxy?
    /// The source of client secrets, for a provider whose secrets are short-lived. It takes precedence over
    /// ``clientSecret``.
    package var clientSecretSource: (any ClientSecretSource)?

    /// Creates a configuration. The defaults are the scope `openid`, response type `code`, response mode `query`, 60 s
    /// of clock skew, the system's certificate authorities, and no proxy.
    public init(
        issuer: String,
        clientID: String,
        clientSecret: Secret?,
        redirectURI: String,
        scopes: [String] = ["openid"],
        clientAuthentication: ClientAuthenticationMethod? = nil,
        responseMode: ResponseMode = .query,
        authorizationParameters: [(name: String, value: String)] = [],
        certificateAuthorities: [UInt8]? = nil,
        allowsInsecureLoopbackIssuer: Bool = false,
        fetchesUserInfo: Bool = false,
        clockSkew: Int64 = 60,
        profile: ProviderProfile = .openIDConnect,
        responseType: ResponseType = .code,
        clientSigningKey: Secret? = nil,
        clientSigningAlgorithm: String? = nil,
        clientCertificate: ClientCertificate? = nil,
        idTokenAlgorithms: [String]? = nil,
        decryptionKeys: [Secret] = [],
        pushesAuthorization: Bool = false,
        issuerTenants: [String] = [],
        trustedAudiences: [String] = [],
        requiredACRs: [String] = [],
        claimsRequest: String? = nil,
        resources: [String] = [],
        proxy: Proxy? = nil
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.clientAuthentication = clientAuthentication
        self.responseMode = responseMode
        self.authorizationParameters = authorizationParameters
        self.certificateAuthorities = certificateAuthorities
        self.allowsInsecureLoopbackIssuer = allowsInsecureLoopbackIssuer
        self.fetchesUserInfo = fetchesUserInfo
        self.clockSkew = min(max(0, clockSkew), 299)
        self.profile = profile
        self.responseType = responseType
        self.clientSigningKey = clientSigningKey
        self.clientSigningAlgorithm = clientSigningAlgorithm
        self.clientCertificate = clientCertificate
        self.idTokenAlgorithms = idTokenAlgorithms
        self.decryptionKeys = decryptionKeys
        self.pushesAuthorization = pushesAuthorization
        self.issuerTenants = issuerTenants
        self.trustedAudiences = trustedAudiences
        self.requiredACRs = requiredACRs
        self.claimsRequest = claimsRequest
        self.resources = resources
        self.proxy = proxy
    }
}
