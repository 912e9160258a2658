// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty

extension ProviderConfiguration {
    /// Creates the configuration for Apple.
    ///
    /// - Parameters:
    ///   - clientID: The Services ID. It is empty if only native credentials are verified.
    ///   - redirectURI: The https callback URL that is registered for the Services ID.
    ///   - clientSecret: The source of client secrets, made from the key.
    ///   - scopes: The scopes: `openid` and, if they are needed, `name` and `email`.
    ///   - responseType: The response type: `code id_token`, or `code` if this callback URL is used for Apple only.
    public static func apple(
        clientID: String,
        redirectURI: String,
        clientSecret: AppleClientSecret,
        scopes: [String] = AppleAuthorization.defaultScopes,
        responseType: ResponseType = AppleAuthorization.defaultResponseType
    ) -> ProviderConfiguration {
        apple(
            issuer: AppleIssuer.issuer, clientID: clientID, redirectURI: redirectURI, clientSecret: clientSecret,
            scopes: scopes, responseType: responseType)
    }

    /// Creates the configuration for a mock of Apple with another issuer, for `OIDCBrokerTesting`.
    package static func apple(
        issuer: String,
        clientID: String,
        redirectURI: String,
        clientSecret: AppleClientSecret,
        scopes: [String],
        responseType: ResponseType,
        certificateAuthorities: [UInt8]? = nil,
        insecureLoopbackIssuer: Bool = false
    ) -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            issuer: issuer, clientID: clientID, clientSecret: nil, redirectURI: redirectURI)
        configuration.scopes = scopes
        configuration.clientAuthentication = .clientSecretPost
        configuration.responseType = responseType
        configuration.responseMode = AppleAuthorization.responseMode(scopes: scopes, responseType: responseType)
        configuration.certificateAuthorities = certificateAuthorities
        configuration.insecureLoopbackIssuer = insecureLoopbackIssuer
        configuration.profile = .apple
        configuration.clientSecretSource = clientSecret
        return configuration
    }
}
