// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty

extension ProviderConfiguration {
    /// Apple, as this client knows it.
    ///
    /// - Parameters:
    ///   - clientID: the Services ID. Empty where only native credentials are verified.
    ///   - redirectURI: the callback URL that is registered with the Services ID, https.
    ///   - clientSecret: made of the key; see ``AppleClientSecret``.
    ///   - scopes: `openid`, and what of `name` and `email` is wanted.
    ///   - responseType: `code id_token`, or `code` where this callback URL is Apple's alone.
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

    /// The same with another in Apple's place: for `OIDCBrokerTesting` alone.
    package static func apple(
        issuer: String,
        clientID: String,
        redirectURI: String,
        clientSecret: AppleClientSecret,
        scopes: [String],
        responseType: ResponseType,
        certificateAuthorities: [UInt8]? = nil,
        allowsInsecureLoopbackIssuer: Bool = false
    ) -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            issuer: issuer,
            clientID: clientID,
            clientSecret: nil,
            redirectURI: redirectURI,
            scopes: scopes,
            clientAuthentication: .clientSecretPost,
            responseMode: AppleAuthorization.responseMode(scopes: scopes, responseType: responseType),
            certificateAuthorities: certificateAuthorities,
            allowsInsecureLoopbackIssuer: allowsInsecureLoopbackIssuer,
            profile: .apple)
        configuration.responseType = responseType
        configuration.clientSecretSource = clientSecret
        return configuration
    }
}
