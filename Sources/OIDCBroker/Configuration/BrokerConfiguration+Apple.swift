// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty
public import SignInWithApple

extension BrokerConfiguration {
    /// The default of ``Provider/scopes`` for ``ProviderKind/apple``.
    public static let defaultAppleScopes = ["name", "email"]
}

extension BrokerConfiguration.Provider {
    /// Apple; what is left out has the key's default.
    ///
    /// - Parameters:
    ///   - clientID: the Services ID. Empty where only native credentials are taken.
    ///   - teamID: the developer team; nil, as `keyID` and `privateKey`, where native credentials are only verified.
    ///   - keyID: the id of the key.
    ///   - privateKey: the text of the `.p8` file.
    public static func apple(
        name: String = "apple",
        id: String? = nil,
        clientID: String,
        teamID: String?,
        keyID: String?,
        privateKey: Secret?,
        callbackPath: String? = nil,
        responseType: ResponseType = AppleAuthorization.defaultResponseType,
        responseMode: ResponseMode? = nil,
        appParameters: [String] = BrokerConfiguration.defaultAppParameters,
        appScopes: [String] = [],
        scopes: [String] = BrokerConfiguration.defaultAppleScopes,
        authorizationParameters: [BrokerConfiguration.AuthorizationParameter] = [],
        clockSkewSeconds: Int = 60,
        proxy: Proxy? = nil
    ) -> BrokerConfiguration.Provider {
        var provider = BrokerConfiguration.Provider(
            name: name, kind: .apple, id: id, issuer: AppleIssuer.issuer, clientID: clientID, clientSecret: nil,
            callbackPath: callbackPath, responseType: responseType,
            responseMode: responseMode
                ?? AppleAuthorization.responseMode(scopes: scopes + appScopes, responseType: responseType),
            appParameters: appParameters, appScopes: appScopes, scopes: scopes,
            authorizationParameters: authorizationParameters, clockSkewSeconds: clockSkewSeconds, proxy: proxy)
        provider.teamID = teamID
        provider.keyID = keyID
        provider.privateKey = privateKey
        return provider
    }

    /// What is asked for: with `openid`, which ``scopes`` of Apple need not name.
    var askedScopes: [String] {
        kind == .apple && !scopes.contains("openid") ? ["openid"] + scopes : scopes
    }

    /// Apple's key; `nil` if none is configured.
    /// - Throws: what is wrong with it.
    func appleKey() throws(AppleKeyError) -> AppleKey? {
        guard let teamID, let keyID, let privateKey else { return nil }
        return try AppleKey(teamID: teamID, keyID: keyID, privateKey: privateKey)
    }

    /// Whether this is that provider, with Apple's key possibly replaced by another: whoever asks with the key need not
    /// be made anew.
    func isSame(but other: BrokerConfiguration.Provider) -> Bool {
        // With and without a key it is not the same: a key is replaced, never taken away.
        guard (privateKey == nil) == (other.privateKey == nil) else { return false }
        var own = self
        own.teamID = other.teamID
        own.keyID = other.keyID
        own.privateKey = other.privateKey
        own.keyIDFile = other.keyIDFile
        own.privateKeyFile = other.privateKeyFile
        return own == other
    }
}
