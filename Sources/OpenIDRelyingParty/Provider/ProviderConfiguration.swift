// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// One OpenID Provider as this client knows it.
public struct ProviderConfiguration: Sendable {
    /// The issuer, byte for byte as the provider's discovery document and ID tokens spell it.
    public var issuer: String
    /// This client's id there.
    public var clientID: String
    /// This client's secret there; nil for a public client.
    public var clientSecret: Secret?
    /// How the client proves itself; nil chooses by the provider's metadata.
    public var clientAuthentication: ClientAuthenticationMethod?
    /// This client's registered redirect URI.
    public var redirectURI: String
    /// What is asked for; contains `openid`.
    public var scopes: [String]
    /// How the provider shall answer.
    public var responseMode: ResponseMode
    /// Parameters added to every authorization request; reserved names are ignored.
    public var authorizationParameters: [(name: String, value: String)]
    /// Certificate authorities to trust instead of the system's, PEM bytes.
    public var certificateAuthorities: [UInt8]?
    /// Whether http is accepted where the issuer's host is a loopback one. Never elsewhere.
    public var allowsInsecureLoopbackIssuer: Bool
    /// Whether UserInfo is fetched after the ID token passed.
    public var fetchesUserInfo: Bool
    /// Seconds the provider's clock may be off; under five minutes.
    public var clockSkew: Int64
    /// What this kind of provider does otherwise.
    public var profile: ProviderProfile
    /// What the provider answers with at the authorization endpoint. Anything but `code` brings tokens through the
    /// browser, and needs ``responseMode`` `form_post` or `fragment`.
    public var responseType: ResponseType
    /// The key of `private_key_jwt`, PEM; its public half is registered at the provider.
    public var clientSigningKey: Secret?
    /// The algorithm of that key: `ES256`, `RS256`, `PS256`, `EdDSA` or `Ed25519`; nil takes the key kind's own (RSA: `RS256`).
    public var clientSigningAlgorithm: String?
    /// The certificate of `tls_client_auth` and `self_signed_tls_client_auth`.
    public var clientCertificate: ClientCertificate?
    /// The algorithms registered for this client's ID tokens; nil takes what the metadata announces. `HS256`, `HS384`
    /// and `HS512` are accepted only where they are listed here.
    public var idTokenAlgorithms: [String]?
    /// Private keys (PEM: RSA or P-256) to which ID tokens may be encrypted; a signed one is accepted as well.
    public var decryptionKeys: [Secret]
    /// Whether authorization requests are pushed (RFC 9126) though the provider does not require it.
    public var pushesAuthorization: Bool
    /// Where the provider's issuer is a template with `{tenantid}`, as Microsoft Entra's: the tenants that may sign in.
    public var issuerTenants: [String]
    /// Audiences that may stand in an ID token beside this client, whose `azp` must be this client then.
    public var trustedAudiences: [String]
    /// The authentication context classes one of which the ID token's `acr` must be; sent as `acr_values`.
    public var requiredACRs: [String]
    /// The `claims` parameter (OpenID Connect Core 1.0 section 5.5), JSON text.
    public var claimsRequest: String?
    /// The `resource` parameters (RFC 8707), absolute URIs.
    public var resources: [String]
    /// The HTTP proxy through which the provider is reached.
    ///
    /// The connected address is the proxy's then, and is not validated: whether a name leads to a private address is the
    /// proxy's to decide. A host that says so itself, an address literal or `localhost`, is refused all the same.
    public var proxy: Proxy?
    /// Makes the client secret for each request, for a provider whose secrets do not last; wins over ``clientSecret``.
    package var clientSecretSource: (any ClientSecretSource)?

    /// A provider with the defaults: `openid`, response type `code`, response mode `query`, 60 s of clock skew, the
    /// system's trust, no proxy.
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
