// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty
public import SignInWithApple

extension MockApple {
    /// Returns client secrets for this mock in place of Apple.
    ///
    /// - Parameter key: The developer key; `nil` for a client that only verifies native credentials.
    public func clientSecret(_ key: AppleKey?) -> AppleClientSecret {
        AppleClientSecret(key, audience: issuer)
    }

    /// Returns the `ProviderConfiguration` of Apple with the issuer and the certificate of this mock. There is no
    /// other way to use another issuer.
    public func providerConfiguration(
        clientID: String,
        redirectURI: String,
        clientSecret: AppleClientSecret,
        scopes: [String] = AppleAuthorization.defaultScopes,
        responseType: ResponseType = AppleAuthorization.defaultResponseType
    ) -> ProviderConfiguration {
        .apple(
            issuer: issuer, clientID: clientID, redirectURI: redirectURI, clientSecret: clientSecret, scopes: scopes,
            responseType: responseType, certificateAuthorities: certificatePEM.map { Array($0.utf8) },
            insecureLoopbackIssuer: certificatePEM == nil)
    }
}
