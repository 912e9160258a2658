// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDRelyingParty

/// Where a sign-in by code ends with one misbehavior of the provider.
struct MisbehaviorRejection: Sendable, CustomStringConvertible {
    let misbehavior: Misbehavior
    let step: RelyingPartyError.Step
    /// The last path that was asked of the provider.
    let last: String
    /// The check of the ID token that noticed.
    var check: String?
    var isTemporary = false

    var description: String { misbehavior.rawValue }

    static let all: [MisbehaviorRejection] =
        discovery + authorization + token + keySet + unreadable + unsigned + findings + userInfo

    private static let discovery: [MisbehaviorRejection] =
        [temporary(.discoveryUnavailable, .discovery, "/.well-known/openid-configuration")]
        + each(
            [
                .issuerMismatch, .redirectFromDiscovery, .discoveryIsHTML, .oversizedDiscovery,
                .duplicateMetadataMember, .metadataWithByteOrderMark, .missingTokenEndpoint, .plainHTTPTokenEndpoint,
            ], .discovery, "/.well-known/openid-configuration")

    private static let authorization = each(
        [
            .omitsIssuer, .wrongIssuerInAuthorizationResponse, .wrongStateInAuthorizationResponse, .omitsState,
            .duplicateCode, .emptyCode, .oversizedCode, .errorBesideCode, .unrequestedSignedResponse,
        ], .authorization, "/authorize")

    private static let token: [MisbehaviorRejection] =
        [
            temporary(.tokenEndpointUnavailable, .token, "/token"),
            temporary(.tooManyTokenRequests, .token, "/token"),
        ]
        + each(
            [
                .errorFromTokenEndpoint, .errorBesideTokens, .redirectFromTokenEndpoint, .contentEncodingGzip,
                .oversizedTokenResponse, .duplicateTokenMember, .missingIDToken, .nullIDToken, .omitsTokenType,
                .unknownTokenType,
            ], .token, "/token")

    private static let keySet: [MisbehaviorRejection] =
        [temporary(.keySetUnavailable, .keySet, "/jwks")] + each([.tooManyKeys, .oversizedKeySet], .keySet, "/jwks")

    /// Refused by their form, before any key is asked for.
    private static let unreadable = each(
        [
            .algorithmNone, .algorithmNoneOddCase, .missingAlgorithm, .nullAlgorithm, .numericAlgorithm,
            .emptySignature, .alternateAlgorithm, .hmacKeyedWithPublicKey, .hmacKeyedWithClientSecret, .oversizedKeyID,
            .numericKeyID, .criticalExtension, .unencodedPayload, .duplicateHeaderMember, .fourSegments,
            .paddedSegments, .trailingSpace, .oversizedToken,
        ], .idToken, "/token")

    /// Refused by their signature, or by what stands under it.
    private static let unsigned = each(
        [
            .wrongSignature, .zeroSignature, .derSignature, .embeddedKey, .unknownKeyID, .duplicateClaim, .deepClaims,
            .claimsNotUTF8,
        ], .idToken, "/jwks")

    static let findings: [MisbehaviorRejection] = [
        finding(.wrongIssuer, "issuer"), finding(.issuerWithSlash, "issuer"), finding(.missingIssuer, "issuer"),
        finding(.wrongAudience, "audience"), finding(.missingAudience, "audience"), finding(.emptyAudience, "audience"),
        finding(.multipleAudiencesNoAzp, "audience"), finding(.multipleAudiencesWithAzp, "audience"),
        finding(.wrongAzp, "authorized party"), finding(.missingSubject, "subject"), finding(.emptySubject, "subject"),
        finding(.oversizedSubject, "subject"), finding(.numericSubject, "subject"),
        finding(.subjectIsClient, "subject"), finding(.missingIssuedAt, "issued at"),
        finding(.issuedInFuture, "issued at"), finding(.issuedAWeekAgo, "issued at"),
        finding(.negativeIssuedAt, "issued at"), finding(.notYetValid, "not before"), finding(.missingExpiry, "expiry"),
        finding(.expired, "expiry"), finding(.expiryAsText, "expiry"), finding(.expiryOutOfRange, "expiry"),
        finding(.wrongNonce, "nonce"), finding(.missingNonce, "nonce"), finding(.nonceAsArray, "nonce"),
        finding(.wrongAtHash, "access token hash"), finding(.wholeAtHash, "access token hash"),
        finding(.accessTokenType, "token kind"), finding(.logoutTokenEvents, "token kind"),
    ]

    private static let userInfo = each(
        [.userInfoWrongSubject, .userInfoMissingSubject, .userInfoIsHTML], .userInfo, "/userinfo")

    /// What a client must bear.
    static let odd: [Misbehavior] = [
        .none, .omitsCodeChallengeMethods, .rotatedJustBeforeSigning, .keySetAtRandomPath, .keyIDAbsentSingleKey,
        .keyIDAbsentManyKeys, .oddKeys, .tokensBesideCode, .oddTokenTypeCase, .omitsExpiresIn, .emptyScope,
        .audienceAsArray, .expiryWithFraction,
    ]

    /// What a signed response must not be. It is refused by its form, or by what is in it.
    static let signedResponse: [MisbehaviorRejection] =
        each([.unsignedResponse, .responseAlgorithmNone], .authorization, "/authorize")
        + each(
            [
                .responseWrongSignature, .responseWrongIssuer, .responseMissingIssuer, .responseWrongAudience,
                .responseMissingAudience, .responseExpired, .responseMissingExpiry,
            ], .authorization, "/jwks")

    /// What bites elsewhere: with another response type or mode, `max_age`, required contexts, encryption, signed
    /// UserInfo, DPoP, pushed requests, refresh or revocation.
    static let elsewhere: [Misbehavior] =
        signedResponse.map(\.misbehavior) + [
            .bearerDespiteProof, .oddChallengeCase,
            .otherResponseMode, .wrongCodeHash, .missingCodeHash, .wrongStateHash, .staleAuthenticationTime,
            .missingAuthenticationTime, .wrongAuthenticationContext, .secondTokenWrongSubject, .secondTokenWrongIssuer,
            .secondTokenWrongSignature, .encryptedUnsigned, .encryptedClaims, .encryptedCompressed, .encryptedRSA15,
            .encryptedPBES2, .encryptedWrongTag, .userInfoWrongSignature, .userInfoAlgorithmNone, .userInfoWrongIssuer,
            .userInfoWrongAudience, .pushedAuthorizationUnavailable, .pushedAuthorizationRefused,
            .pushedAuthorizationStatusOK, .refreshedWrongIssuer, .refreshedWrongSubject, .accessTokensAgeFast,
            .revocationUnavailable,
        ]

    private static func each(
        _ misbehaviors: [Misbehavior], _ step: RelyingPartyError.Step, _ last: String
    ) -> [MisbehaviorRejection] {
        misbehaviors.map { MisbehaviorRejection(misbehavior: $0, step: step, last: last) }
    }

    private static func temporary(
        _ misbehavior: Misbehavior, _ step: RelyingPartyError.Step, _ last: String
    ) -> MisbehaviorRejection {
        MisbehaviorRejection(misbehavior: misbehavior, step: step, last: last, isTemporary: true)
    }

    private static func finding(_ misbehavior: Misbehavior, _ check: String) -> MisbehaviorRejection {
        MisbehaviorRejection(misbehavior: misbehavior, step: .idToken, last: "/jwks", check: check)
    }
}
