// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty

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
        /// `client-secret`.
        public var clientSecret: Secret?
        /// `client-authentication`; nil: what the provider's metadata says.
        public var clientAuthentication: ClientAuthenticationMethod?
        /// The contents of the PEM file `certificate-authorities`: trusted instead of the system's; nil: the system's.
        public var certificateAuthorities: [UInt8]?
        /// `insecure-loopback-issuer`: whether an http issuer on a loopback host is taken.
        public var allowsInsecureLoopbackIssuer: Bool
        /// `return-path`: the path of a return URL of its own; nil: the shared one.
        public var returnPath: String?
        /// `response-type`; only `code` for now.
        public var responseType: String
        /// `response-mode`.
        public var responseMode: ResponseMode
        /// `user-info`: whether the UserInfo endpoint is asked as well.
        public var userInfo: Bool
        /// `app-parameters`: the authorization parameters an app may pass on.
        public var appParameters: [String]
        /// `app-scopes`: the scopes an app may ask for beyond ``scopes``.
        public var appScopes: [String]
        /// `scopes`: always asked for; contains `openid`.
        public var scopes: [String]
        /// `authorization-parameters`: always sent.
        public var authorizationParameters: [AuthorizationParameter]
        /// `clock-skew-seconds`: how far the provider's clock may be off; 0..<300.
        public var clockSkewSeconds: Int

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
            returnPath: String? = nil,
            responseType: String = "code",
            responseMode: ResponseMode = .query,
            userInfo: Bool = false,
            appParameters: [String] = BrokerConfiguration.defaultAppParameters,
            appScopes: [String] = [],
            scopes: [String] = ["openid"],
            authorizationParameters: [AuthorizationParameter] = [],
            clockSkewSeconds: Int = 60
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
            self.returnPath = returnPath
            self.responseType = responseType
            self.responseMode = responseMode
            self.userInfo = userInfo
            self.appParameters = appParameters
            self.appScopes = appScopes
            self.scopes = scopes
            self.authorizationParameters = authorizationParameters
            self.clockSkewSeconds = clockSkewSeconds
        }
    }
}
