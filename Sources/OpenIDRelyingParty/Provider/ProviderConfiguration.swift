// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// The configuration of an OpenID Provider and of this client of it.
public struct ProviderConfiguration: Sendable, Hashable {
    /// The issuer, byte for byte as in the provider's metadata and ID tokens.
    public var issuer: String
    /// The client ID that the provider assigned to this client.
    public var clientID: String
    /// The client secret; `nil` if this is a public client.
    public var clientSecret: Secret?
    /// The client authentication method; `nil` if it is chosen by the provider's metadata.
    public var clientAuthentication: ClientAuthenticationMethod?
    /// The registered redirect URI of this client.
    public var redirectURI: String
    /// The requested scopes, which include `openid`.
    public var scopes: [String] = ["openid"]
    /// The requested response mode. With one that ends in `jwt` every response must be a JWT that the provider signed (JARM).
    public var responseMode: ResponseMode = .query
    /// Whether ``responseMode`` is sent even if it is the default mode of the response type.
    public var sendsDefaultResponseMode = false
    /// Parameters that are added to every authorization request. Reserved names are ignored.
    public var authorizationParameters: [AuthorizationParameter] = []
    /// The certificate authorities to trust instead of the system's, as PEM bytes.
    public var certificateAuthorities: [UInt8]?
    /// Whether http is accepted if the issuer's host is a loopback one. It is never accepted for any other host.
    public var insecureLoopbackIssuer: Bool = false
    /// The URL at which this server fetches the metadata, for a provider that it reaches elsewhere than browsers do, as in
    /// one cluster; `nil` for the one below the issuer. The issuer in the metadata is compared as always.
    ///
    /// Exactly this host and port may be private, and endpoints of the metadata there as well. All others that this server
    /// uses stay https at public addresses, and those for browsers https.
    public var metadataURL: String?
    /// Whether ``metadataURL`` may be http, at a private address, and where the client secret is sent then.
    public var metadataNetwork: MetadataNetwork = .encrypted
    /// Whether UserInfo is fetched after the ID token was validated.
    public var userInfo: Bool = false
    /// The tolerated difference of the provider's clock, in whole seconds within ``clockSkewBounds``.
    public var clockSkew: Duration = .seconds(60)
    /// The deviations of this kind of provider from the standard.
    public var profile: ProviderProfile = .openIDConnect
    /// The requested response type. Any other than `code` delivers an ID token in the authorization response, and needs
    /// the ``responseMode`` `form_post`, `fragment`, or one of the two with `.jwt` behind.
    public var responseType: ResponseType = .code
    /// Whether the provider sends `iss` in its responses (RFC 9207) though its metadata do not announce it. A response
    /// without it is then refused, as where it is announced.
    public var sendsIssuer: Bool = false
    /// The private key for `private_key_jwt`, PEM. Its public key is registered at the provider.
    public var clientSigningKey: Secret?
    /// The algorithm of that key: `ES256`, `ES384`, `ES512`, `RS256`, `PS256`, `EdDSA` or `Ed25519`; `nil` if it follows from
    /// the kind of key (`RS256` for RSA).
    public var clientSigningAlgorithm: String?
    /// The `kid` of client assertions.
    public var clientSigningKeyID: ClientSigningKeyID = .thumbprint
    /// The certificate of ``clientSigningKey``, as PEM bytes, for a provider at which a certificate is registered instead of
    /// a key: assertions then have `x5t#S256` and `x5t` (RFC 7515 sections 4.1.7 and 4.1.8).
    public var clientSigningCertificate: [UInt8]?
    /// The certificate for `tls_client_auth` and `self_signed_tls_client_auth`, and for access tokens that are bound to it.
    public var clientCertificate: ClientCertificate?
    /// Whether access tokens are bound to ``clientCertificate`` (RFC 8705 section 3) though the metadata do not announce it.
    /// The certificate is then shown at every endpoint that this client calls, however it authenticates.
    public var certificateBoundAccessTokens: Bool = false
    /// Whether codes and access tokens are bound to a key of each login (DPoP, RFC 9449).
    ///
    /// `nil` is `off`, or what ``securityProfile`` requires.
    public var dpop: DPoPUse?
    /// The profile whose requirements apply; `nil` for none. What contradicts it is an error.
    public var securityProfile: SecurityProfile?
    /// The algorithms registered for this client's ID tokens; `nil` if those in the metadata apply. `HS256`, `HS384`
    /// and `HS512` are accepted only if they are listed here.
    public var idTokenAlgorithms: [String]?
    /// Private keys (PEM; RSA, P-256, P-384, P-521 or X25519) for which ID tokens, logout tokens and UserInfo may be
    /// encrypted. A token that is only signed is accepted as well.
    public var decryptionKeys: [Secret] = []
    /// The algorithm that is registered for ``decryptionKeys``: `RSA-OAEP-256`, `ECDH-ES`, `ECDH-ES+A128KW`, `ECDH-ES+A192KW`
    /// or `ECDH-ES+A256KW`. What is encrypted by another one is refused. `nil` for all that the keys serve; `alg` of the
    /// published keys is then `RSA-OAEP-256` or `ECDH-ES`.
    public var decryptionAlgorithm: String?
    /// Whether authorization requests are pushed (RFC 9126) even if the provider does not require it.
    public var pushedAuthorization: Bool = false
    /// Whether authorization requests are signed with ``clientSigningKey`` (RFC 9101).
    ///
    /// `nil` is `sign` for a provider that requires it, and otherwise `off`.
    public var requestObject: RequestObjectUse?
    /// The tenants that may sign in, if the provider's issuer is a template with `{tenantid}`, as that of Microsoft
    /// Entra.
    public var tenants: [String] = []
    /// Audiences that an ID token may have in addition to this client. Its `azp` must then be this client.
    public var trustedAudiences: [String] = []
    /// The accepted authentication context classes. One of them must be the ID token's `acr`. They are sent as
    /// `acr_values`.
    public var requiredACRValues: [String] = []
    /// The audience of client assertions.
    public var clientAssertionAudience: ClientAssertionAudience = .issuer
    /// The `typ` of client assertions.
    public var clientAssertionTyp: ClientAssertionTyp = .jwt
    /// The `claims` parameter (OpenID Connect Core 1.0 section 5.5), as JSON text.
    public var claimsParameter: String?
    /// The `resource` parameters (RFC 8707), which are absolute URIs.
    public var resources: [String] = []
    /// The HTTP proxy through which the provider is reached.
    ///
    /// The connected address is then the proxy's and is not validated: the proxy decides whether a name may lead to a
    /// private address. A host that is itself private, such as an address literal or `localhost`, is still refused.
    public var proxy: Proxy?
    /// Whether requests to the provider tell it of the span that they belong to, in the fields of W3C Trace Context. It is
    /// for providers that the operator of this server also runs: the fields connect the sign-in of a user at the
    /// provider with everything else in the trace.
    public var traceContext: Bool = false
    /// The source of client secrets, for a provider whose secrets are short-lived. It takes precedence over
    /// ``clientSecret``.
    package var clientSecretSource: (any ClientSecretSource)? {
        get { sharedClientSecretSource?.source }
        set { sharedClientSecretSource = newValue.map { SharedClientSecretSource(source: $0) } }
    }
    private var sharedClientSecretSource: SharedClientSecretSource?

    /// The bounds of ``clockSkew``: from nothing to less than five minutes.
    public static let clockSkewBounds = Duration.zero...Duration.seconds(299)

    /// Creates a configuration. Everything else has its default until it is set: the scope `openid`, response type
    /// `code`, response mode `query`, 60 s of clock skew, the system's certificate authorities, and no proxy.
    public init(issuer: String, clientID: String, clientSecret: Secret?, redirectURI: String) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
    }
}

/// How far the network between this server and a provider's ``ProviderConfiguration/metadataURL`` is trusted.
public enum MetadataNetwork: String, Sendable, Hashable {
    /// Not at all: the URL is https.
    case encrypted
    /// Like the provider's signing key, which any attacker on a network without TLS can replace in the metadata. The
    /// client secret is sent over https to the origin of the issuer alone.
    case trusted
    /// The same, and the client secret is sent to every endpoint of the metadata.
    case trustedWithSecret = "trusted-with-secret"
}

extension ProviderConfiguration {
    /// The URL of the metadata.
    package var discoveryURL: String { metadataURL ?? ProviderMetadata.url(ofIssuer: issuer) }

    /// A description of what is expected of ``metadataURL``; `nil` if it is valid.
    package var metadataURLError: String? {
        guard let metadataURL else {
            return metadataNetwork == .encrypted ? nil : "an http URL with metadata-network"
        }
        guard let url = AbsoluteURL(metadataURL), !ConnectedAddress.isLinkLocalHost(url.host) else {
            return "an https URL, or an http URL with metadata-network, whose address is not link-local"
        }
        guard url.isHTTPS != (metadataNetwork == .encrypted) else { return nil }
        return url.isHTTPS
            ? "an http URL with metadata-network; leave that out for https"
            : "an https URL; http at a private address needs metadata-network trusted"
    }
}

/// The `kid` in the header of a client's assertions at a provider.
public enum ClientSigningKeyID: Sendable, Hashable {
    /// The thumbprint of the key (RFC 7638), as in the key set that is registered.
    case thumbprint
    /// None, for a provider that knows the key by its certificate, or has only one key of the client.
    case none
    /// The text that was chosen when the key was registered.
    case named(String)
}

/// Whether DPoP (RFC 9449) is used at a provider.
public enum DPoPUse: String, Sendable, Hashable {
    /// It is not: access tokens are bearer tokens.
    case off
    /// Each login has a key, and a token that is not bound to it is refused.
    case on
}

/// Whether authorization requests to a provider are request objects (RFC 9101).
public enum RequestObjectUse: String, Sendable, Hashable {
    /// They are not: they have their parameters as they are, even if the provider announces that it requires signed ones.
    case off
    /// They are, signed with the key of the client.
    case sign
}

/// The audience of a client's assertions at a provider.
public enum ClientAssertionAudience: String, Sendable, Hashable {
    /// The issuer of the provider alone, with which no other provider can use the assertion (RFC 10070).
    case issuer
    /// The URL of the token endpoint alone, for providers that accept nothing else (OpenID Connect Core 1.0 section 9).
    case tokenEndpoint = "token-endpoint"
}

/// The `typ` of a client's assertions at a provider.
public enum ClientAssertionTyp: String, Sendable, Hashable {
    /// `JWT`, which every provider takes.
    case jwt = "JWT"
    /// `client-authentication+jwt`, for providers that take it (RFC 10070): no other token can be used as an assertion.
    case clientAuthentication = "client-authentication+jwt"
}

/// A source of client secrets, which is compared by its identity.
private struct SharedClientSecretSource: Sendable, Hashable {
    let source: any ClientSecretSource

    static func == (left: SharedClientSecretSource, right: SharedClientSecretSource) -> Bool {
        left.source === right.source
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }
}
