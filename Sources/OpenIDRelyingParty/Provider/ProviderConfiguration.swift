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

    /// A provider with the defaults: `openid`, response mode `query`, 60 s of clock skew, the system's trust.
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
        profile: ProviderProfile = .openIDConnect
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
    }
}
