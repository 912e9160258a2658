// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect

/// How a sign-in with a misbehaving provider ends, and the last thing the provider is asked for on the way.
struct ExpectedEnd: Sendable {
    /// The recipient of the result, and the result.
    enum Told: Sendable, Hashable {
        /// The app: here is the code.
        case signedIn
        /// The app: an error.
        case error(String)
        /// The user: a page. The app is not told, because the callback's login is unknown or contradictory.
        case page
    }

    /// The conditions under which the misbehavior takes effect.
    enum Setting: Sendable {
        /// Response type `code` by `query`, with UserInfo.
        case code
        /// `code id_token` by `form_post`.
        case hybrid
        /// The response is signed, in the query.
        case signedResponse
        /// Requests are pushed.
        case pushed
        /// `max_age` is sent.
        case maximumAge
        /// An authentication context is required.
        case authenticationContext
        /// ID tokens are encrypted.
        case encrypted
        /// UserInfo is signed.
        case signedUserInfo
    }

    let told: Told
    let last: ProviderStep
    let setting: Setting

    private init(_ told: Told, after last: ProviderStep, _ setting: Setting = .code) {
        self.told = told
        self.last = last
        self.setting = setting
    }

    /// What the app adds to its request.
    var parameters: [(String, String)] { setting == .maximumAge ? [("max_age", "3600")] : [] }

    /// Whether the browser never gets to the provider.
    var endsAtStart: Bool { last == .discovery || last == .pushedAuthorization }

    /// What is to be set up.
    func options(_ misbehavior: Misbehavior) -> SignInFixture.Options {
        var options = SignInFixture.Options()
        options.misbehavior = misbehavior
        options.userInfo = true
        options.sharesKeys = true
        switch setting {
        case .code, .maximumAge: break
        case .hybrid:
            options.responseType = .codeIDToken
            options.responseMode = .formPost
        case .signedResponse: options.responseMode = .queryJWT
        case .pushed: options.requiresPushedAuthorization = true
        case .authenticationContext: options.requiredACRValues = ["urn:example:strong"]
        case .encrypted:
            options.encryption = SignInFixture.Encryption(keyManagement: "ECDH-ES", contentEncryption: "A128GCM")
        case .signedUserInfo: options.signsUserInfo = true
        }
        return options
    }

    // `server_error`: what the provider says is wrong. `temporarily_unavailable`: it does not say it.
    private static let signedIn = Self(.signedIn, after: .userInfo)
    private static let noDiscovery = Self(.error("temporarily_unavailable"), after: .discovery)

    private static func down(after last: ProviderStep, _ setting: Setting = .code) -> Self {
        Self(.error("temporarily_unavailable"), after: last, setting)
    }

    private static func wrong(after last: ProviderStep, _ setting: Setting = .code) -> Self {
        Self(.error("server_error"), after: last, setting)
    }

    /// The end of a sign-in with this misbehavior: one line each.
    init(_ misbehavior: Misbehavior) {
        self = Self.expected(misbehavior)
    }

    // swift-format-ignore
    private static func expected(_ misbehavior: Misbehavior) -> Self {
        switch misbehavior {
        case .none: signedIn
        case .discoveryUnavailable: noDiscovery
        case .issuerMismatch: noDiscovery
        case .redirectFromDiscovery: noDiscovery
        case .discoveryIsHTML: noDiscovery
        case .oversizedDiscovery: noDiscovery
        case .duplicateMetadataMember: noDiscovery
        case .metadataWithByteOrderMark: noDiscovery
        case .missingTokenEndpoint: noDiscovery
        case .plainHTTPTokenEndpoint: noDiscovery
        case .omitsCodeChallengeMethods: signedIn
        case .keySetUnavailable: down(after: .keys)
        case .rotatedJustBeforeSigning: signedIn
        case .keySetAtRandomPath: signedIn
        case .keyIDAbsentSingleKey: signedIn
        case .keyIDAbsentManyKeys: signedIn
        case .oddKeys: signedIn
        case .tooManyKeys: wrong(after: .keys)
        case .oversizedKeySet: wrong(after: .keys)
        case .omitsIssuer: wrong(after: .authorization)
        case .wrongIssuerInAuthorizationResponse: wrong(after: .authorization)
        case .wrongStateInAuthorizationResponse: Self(.page, after: .authorization)
        case .omitsState: Self(.page, after: .authorization)
        case .duplicateCode: Self(.page, after: .authorization)
        case .emptyCode: Self(.page, after: .authorization)
        case .oversizedCode: Self(.page, after: .authorization)
        case .errorBesideCode: wrong(after: .authorization)
        case .otherResponseMode: Self(.page, after: .authorization)
        case .tokensBesideCode: signedIn
        case .unrequestedSignedResponse: Self(.page, after: .authorization)
        case .unsignedResponse: Self(.page, after: .authorization, .signedResponse)
        case .responseAlgorithmNone: wrong(after: .authorization, .signedResponse)
        case .responseWrongSignature: wrong(after: .keys, .signedResponse)
        case .responseWrongIssuer: wrong(after: .keys, .signedResponse)
        case .responseMissingIssuer: wrong(after: .keys, .signedResponse)
        case .responseWrongAudience: wrong(after: .keys, .signedResponse)
        case .responseMissingAudience: wrong(after: .keys, .signedResponse)
        case .responseExpired: wrong(after: .keys, .signedResponse)
        case .responseMissingExpiry: wrong(after: .keys, .signedResponse)
        case .pushedAuthorizationUnavailable: down(after: .pushedAuthorization, .pushed)
        case .pushedAuthorizationRefused: wrong(after: .pushedAuthorization, .pushed)
        case .pushedAuthorizationStatusOK: wrong(after: .pushedAuthorization, .pushed)
        case .tokenEndpointUnavailable: down(after: .token)
        case .tooManyTokenRequests: down(after: .token)
        case .errorFromTokenEndpoint: wrong(after: .token)
        case .errorBesideTokens: wrong(after: .token)
        case .redirectFromTokenEndpoint: wrong(after: .token)
        case .contentEncodingGzip: wrong(after: .token)
        case .oversizedTokenResponse: wrong(after: .token)
        case .duplicateTokenMember: wrong(after: .token)
        case .missingIDToken: wrong(after: .token)
        case .nullIDToken: wrong(after: .token)
        case .omitsTokenType: wrong(after: .token)
        case .unknownTokenType: wrong(after: .token)
        case .oddTokenTypeCase: signedIn
        case .bearerDespiteProof: signedIn
        case .oddChallengeCase: signedIn
        case .omitsExpiresIn: signedIn
        case .emptyScope: signedIn
        case .wrongSignature: wrong(after: .keys)
        case .algorithmNone: wrong(after: .token)
        case .algorithmNoneOddCase: wrong(after: .token)
        case .missingAlgorithm: wrong(after: .token)
        case .nullAlgorithm: wrong(after: .token)
        case .numericAlgorithm: wrong(after: .token)
        case .emptySignature: wrong(after: .token)
        case .zeroSignature: wrong(after: .keys)
        case .derSignature: wrong(after: .keys)
        case .alternateAlgorithm: wrong(after: .token)
        case .hmacKeyedWithPublicKey: wrong(after: .token)
        case .hmacKeyedWithClientSecret: wrong(after: .token)
        case .unknownKeyID: wrong(after: .keys)
        case .embeddedKey: wrong(after: .keys)
        case .oversizedKeyID: wrong(after: .token)
        case .numericKeyID: wrong(after: .token)
        case .criticalExtension: wrong(after: .token)
        case .unencodedPayload: wrong(after: .token)
        case .duplicateHeaderMember: wrong(after: .token)
        case .fourSegments: wrong(after: .token)
        case .paddedSegments: wrong(after: .token)
        case .trailingSpace: wrong(after: .token)
        case .oversizedToken: wrong(after: .token)
        case .accessTokenType: wrong(after: .keys)
        case .logoutTokenEvents: wrong(after: .keys)
        case .wrongIssuer: wrong(after: .keys)
        case .issuerWithSlash: wrong(after: .keys)
        case .missingIssuer: wrong(after: .keys)
        case .wrongAudience: wrong(after: .keys)
        case .missingAudience: wrong(after: .keys)
        case .emptyAudience: wrong(after: .keys)
        case .audienceAsArray: signedIn
        case .multipleAudiencesNoAzp: wrong(after: .keys)
        case .multipleAudiencesWithAzp: wrong(after: .keys)
        case .wrongAzp: wrong(after: .keys)
        case .missingSubject: wrong(after: .keys)
        case .emptySubject: wrong(after: .keys)
        case .oversizedSubject: wrong(after: .keys)
        case .numericSubject: wrong(after: .keys)
        case .subjectIsClient: wrong(after: .keys)
        case .missingIssuedAt: wrong(after: .keys)
        case .issuedInFuture: wrong(after: .keys)
        case .issuedAWeekAgo: wrong(after: .keys)
        case .negativeIssuedAt: wrong(after: .keys)
        case .notYetValid: wrong(after: .keys)
        case .missingExpiry: wrong(after: .keys)
        case .expired: wrong(after: .keys)
        case .expiryAsText: wrong(after: .keys)
        case .expiryOutOfRange: wrong(after: .keys)
        case .expiryWithFraction: signedIn
        case .wrongNonce: wrong(after: .keys)
        case .missingNonce: wrong(after: .keys)
        case .nonceAsArray: wrong(after: .keys)
        case .wrongAtHash: wrong(after: .keys)
        case .wholeAtHash: wrong(after: .keys)
        case .wrongCodeHash: wrong(after: .keys, .hybrid)
        case .missingCodeHash: wrong(after: .keys, .hybrid)
        case .wrongStateHash: wrong(after: .keys, .hybrid)
        case .staleAuthenticationTime: wrong(after: .keys, .maximumAge)
        case .missingAuthenticationTime: wrong(after: .keys, .maximumAge)
        case .wrongAuthenticationContext: wrong(after: .keys, .authenticationContext)
        case .duplicateClaim: wrong(after: .keys)
        case .deepClaims: wrong(after: .keys)
        case .claimsNotUTF8: wrong(after: .keys)
        case .secondTokenWrongSubject: wrong(after: .token, .hybrid)
        case .secondTokenWrongIssuer: wrong(after: .token, .hybrid)
        case .secondTokenWrongSignature: wrong(after: .token, .hybrid)
        case .encryptedUnsigned: wrong(after: .token, .encrypted)
        case .encryptedClaims: wrong(after: .token, .encrypted)
        case .encryptedCompressed: wrong(after: .token, .encrypted)
        case .encryptedRSA15: wrong(after: .token, .encrypted)
        case .encryptedPBES2: wrong(after: .token, .encrypted)
        case .encryptedWrongTag: wrong(after: .token, .encrypted)
        case .userInfoWrongSubject: wrong(after: .userInfo)
        case .userInfoMissingSubject: wrong(after: .userInfo)
        case .userInfoIsHTML: wrong(after: .userInfo)
        case .userInfoWrongSignature: wrong(after: .userInfo, .signedUserInfo)
        case .userInfoAlgorithmNone: wrong(after: .userInfo, .signedUserInfo)
        case .userInfoWrongIssuer: wrong(after: .userInfo, .signedUserInfo)
        case .userInfoWrongAudience: wrong(after: .userInfo, .signedUserInfo)
        // These bite after a sign-in: `ConformanceRefresh` and `RevocationTests`.
        case .refreshedWrongIssuer: signedIn
        case .refreshedWrongSubject: signedIn
        case .accessTokensAgeFast: wrong(after: .userInfo)
        case .revocationUnavailable: signedIn
        }
    }
}
