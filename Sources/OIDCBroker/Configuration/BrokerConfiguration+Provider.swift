// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration {
    /// One identity provider: the keys under `auth.provider.<name>.`.
    public struct Provider: Sendable, Hashable {
        /// The name in the configuration; `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// `kind`: which profile of the protocol the provider speaks.
        public var kind: ProviderKind
        /// `id`: what apps and tokens call the provider.
        public var id: String
        /// `issuer`: compared exactly with the provider's metadata and ID tokens.
        public var issuer: String
        /// `client-id`: what the provider calls the broker.
        public var clientID: String
        /// `client-secret`; `nil` if the client proves itself otherwise, or not at all.
        public var clientSecret: Secret?
        /// `client-authentication`; nil: the strongest that the provider's metadata names and the client can do.
        public var clientAuthentication: ClientAuthenticationMethod?
        /// The contents of the PEM file `certificate-authorities`: trusted instead of the system's; nil: the system's.
        public var certificateAuthorities: [UInt8]?
        /// `insecure-loopback-issuer`: whether an http issuer on a loopback host is taken.
        public var allowsInsecureLoopbackIssuer: Bool
        /// `callback-path`: the path of a callback URL of its own; nil: the shared one.
        public var callbackPath: String?
        /// `response-type`.
        public var responseType: ResponseType
        /// `response-mode`; never `query` where the response has an ID token.
        public var responseMode: ResponseMode
        /// `user-info`: whether the UserInfo endpoint is asked as well.
        public var userInfo: Bool
        /// `app-parameters`: the authorization parameters an app may pass on.
        public var appParameters: [String]
        /// `app-scopes`: the scopes an app may ask for beyond ``scopes``.
        public var appScopes: [String]
        /// `scopes`: always asked for; contains `openid`, which for ``ProviderKind/apple`` goes without saying.
        public var scopes: [String]
        /// `authorization-parameters`: always sent.
        public var authorizationParameters: [AuthorizationParameter]
        /// `clock-skew-seconds`: how far the provider's clock may be off; 0..<300.
        public var clockSkewSeconds: Int
        /// `client-signing-key`: the PEM text of the private key of `private_key_jwt`.
        public var clientSigningKey: Secret?
        /// `client-signing-algorithm`: that key's algorithm; nil: the usual one of its kind.
        public var clientSigningAlgorithm: String?
        /// The contents of the PEM file `client-certificate`: the chain of `tls_client_auth` and
        /// `self_signed_tls_client_auth`, the client's own certificate first.
        public var clientCertificate: [UInt8]?
        /// `client-certificate-key`: the PEM text of the certificate's private key.
        public var clientCertificateKey: Secret?
        /// `id-token-algorithms`: registered for the client's ID tokens; nil: what the provider's metadata announces,
        /// without HMAC.
        public var idTokenAlgorithms: [String]?
        /// `decryption-keys`: the PEM texts of private keys that ID tokens may be encrypted to.
        public var decryptionKeys: [Secret]
        /// `pushed-authorization`: whether authorization requests are pushed (RFC 9126) though nobody demands it.
        public var pushedAuthorization: Bool
        /// `tenants`: who may sign in where the provider's issuer is a template with `{tenantid}`.
        public var tenants: [String]
        /// `trusted-audiences`: audiences that may stand in an ID token beside the client.
        public var trustedAudiences: [String]
        /// `required-acr-values`: one of which the ID token's `acr` must be; empty: not validated.
        public var requiredACRValues: [String]
        /// `claims`: the `claims` parameter (OpenID Connect Core 1.0 section 5.5), JSON text.
        public var claims: String?
        /// `resources`: the `resource` parameters (RFC 8707), absolute URIs.
        public var resources: [String]
        /// `proxy`: the HTTP proxy through which the provider is reached.
        public var proxy: Proxy?
        /// What only a provider of kind apple has; `nil` if all of it is absent.
        var appleMembers: SharedAppleMembers?

        /// A provider; what is left out has the key's default.
        public init(
            name: String,
            kind: ProviderKind = .oidc,
            id: String? = nil,
            issuer: String,
            clientID: String,
            clientSecret: Secret?,
            clientAuthentication: ClientAuthenticationMethod? = nil,
            certificateAuthorities: [UInt8]? = nil,
            allowsInsecureLoopbackIssuer: Bool = false,
            callbackPath: String? = nil,
            responseType: ResponseType = .code,
            responseMode: ResponseMode? = nil,
            userInfo: Bool = false,
            appParameters: [String] = BrokerConfiguration.defaultAppParameters,
            appScopes: [String] = [],
            scopes: [String] = ["openid"],
            authorizationParameters: [AuthorizationParameter] = [],
            clockSkewSeconds: Int = 60,
            clientSigningKey: Secret? = nil,
            clientSigningAlgorithm: String? = nil,
            clientCertificate: [UInt8]? = nil,
            clientCertificateKey: Secret? = nil,
            idTokenAlgorithms: [String]? = nil,
            decryptionKeys: [Secret] = [],
            pushedAuthorization: Bool = false,
            tenants: [String] = [],
            trustedAudiences: [String] = [],
            requiredACRValues: [String] = [],
            claims: String? = nil,
            resources: [String] = [],
            proxy: Proxy? = nil
        ) {
            self.name = name
            self.kind = kind
            self.id = id ?? kind.defaultID(name: name)
            self.issuer = issuer
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.clientAuthentication = clientAuthentication
            self.certificateAuthorities = certificateAuthorities
            self.allowsInsecureLoopbackIssuer = allowsInsecureLoopbackIssuer
            self.callbackPath = callbackPath
            self.responseType = responseType
            self.responseMode = responseMode ?? (responseType.hasIDToken ? .formPost : .query)
            self.userInfo = userInfo
            self.appParameters = appParameters
            self.appScopes = appScopes
            self.scopes = scopes
            self.authorizationParameters = authorizationParameters
            self.clockSkewSeconds = clockSkewSeconds
            self.clientSigningKey = clientSigningKey
            self.clientSigningAlgorithm = clientSigningAlgorithm
            self.clientCertificate = clientCertificate
            self.clientCertificateKey = clientCertificateKey
            self.idTokenAlgorithms = idTokenAlgorithms
            self.decryptionKeys = decryptionKeys
            self.pushedAuthorization = pushedAuthorization
            self.tenants = tenants
            self.trustedAudiences = trustedAudiences
            self.requiredACRValues = requiredACRValues
            self.claims = claims
            self.resources = resources
            self.proxy = proxy
        }

        /// The default of ``responseMode``: `query` for a code; `form_post`, which needs no script, for an ID token,
        /// and wherever Apple takes no other.
        var defaultResponseMode: ResponseMode {
            let isFormPost =
                responseType.hasIDToken
                || (kind == .apple && AppleAuthorization.requiresFormPost(scopes: scopes + appScopes))
            return isFormPost ? .formPost : .query
        }
    }
}
