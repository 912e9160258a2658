// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDRelyingParty

/// Where a sign-in by code ends with one misbehaviour of the provider.
struct MisbehaviourRejection: Sendable, CustomStringConvertible {
    let misbehaviour: Misbehaviour
    let step: RelyingPartyError.Step
    /// The last path that was asked of the provider.
    let last: String
    /// The check of the ID token that noticed.
    var check: String?
    var isTemporary = false

    var description: String { misbehaviour.rawValue }

    static let all: [MisbehaviourRejection] =
        discovery + authorization + token + keySet + unreadable + unsigned + findings + userInfo

    private static let discovery: [MisbehaviourRejection] =
        [temporary(.discoveryUnavailable, .discovery, "/.well-known/openid-configuration")]
        + each(
            [
                .issuerMismatch, .redirectFromDiscovery, .discoveryIsHTML, .oversizedDiscovery, .doubledMetadataMember,
                .metadataWithByteOrderMark, .missingTokenEndpoint, .plainHTTPTokenEndpoint,
            ], .discovery, "/.well-known/openid-configuration")

    private static let authorization = each(
        [
            .omitsIssuer, .wrongIssuerInAuthorizationResponse, .wrongStateInAuthorizationResponse, .omitsState,
            .doubledCode, .emptyCode, .oversizedCode, .errorBesideCode,
        ], .authorization, "/authorize")

    private static let token: [MisbehaviourRejection] =
        [
            temporary(.tokenEndpointUnavailable, .token, "/token"),
            temporary(.tooManyTokenRequests, .token, "/token"),
        ]
        + each(
            [
                .errorFromTokenEndpoint, .errorBesideTokens, .redirectFromTokenEndpoint, .contentEncodingGzip,
                .oversizedTokenAnswer, .doubledTokenMember, .missingIDToken, .nullIDToken, .omitsTokenType,
                .unknownTokenType,
            ], .token, "/token")

    private static let keySet: [MisbehaviourRejection] =
        [temporary(.keySetUnavailable, .keySet, "/jwks")] + each([.tooManyKeys, .oversizedKeySet], .keySet, "/jwks")

    /// Refused by their form, before any key is asked for.
    private static let unreadable = each(
        [
            .algorithmNone, .algorithmNoneOddCase, .missingAlgorithm, .nullAlgorithm, .numericAlgorithm,
            .emptySignature, .alternateAlgorithm, .hmacKeyedWithPublicKey, .hmacKeyedWithClientSecret, .oversizedKeyID,
            .numericKeyID, .criticalExtension, .unencodedPayload, .doubledHeaderMember, .fourSegments, .paddedSegments,
            .trailingSpace, .oversizedToken,
        ], .idToken, "/token")

    /// Refused by their signature, or by what stands under it.
    private static let unsigned = each(
        [
            .wrongSignature, .zeroSignature, .derSignature, .embeddedKey, .unknownKeyID, .doubledClaim, .deepClaims,
            .claimsNotUTF8,
        ], .idToken, "/jwks")

    static let findings: [MisbehaviourRejection] = [
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
    static let odd: [Misbehaviour] = [
        .none, .omitsCodeChallengeMethods, .rotatedJustBeforeSigning, .keySetAtRandomPath, .keyIDAbsentSingleKey,
        .keyIDAbsentManyKeys, .oddKeys, .tokensBesideCode, .oddTokenTypeCase, .omitsExpiresIn, .emptyScope,
        .audienceAsArray, .expiryWithFraction,
    ]

    /// What bites elsewhere: with another response type or mode, `max_age`, required contexts, encryption, signed
    /// UserInfo, pushed requests, refresh or revocation.
    static let elsewhere: [Misbehaviour] = [
        .otherResponseMode, .wrongCodeHash, .missingCodeHash, .wrongStateHash, .staleAuthenticationTime,
        .missingAuthenticationTime, .wrongAuthenticationContext, .secondTokenWrongSubject, .secondTokenWrongIssuer,
        .secondTokenWrongSignature, .encryptedUnsigned, .encryptedClaims, .encryptedCompressed, .encryptedRSA15,
        .encryptedPBES2, .encryptedWrongTag, .userInfoWrongSignature, .userInfoAlgorithmNone, .userInfoWrongIssuer,
        .userInfoWrongAudience, .pushedAuthorizationUnavailable, .pushedAuthorizationRefused,
        .pushedAuthorizationStatusOK, .refreshedWrongIssuer, .refreshedWrongSubject, .accessTokensAgeFast,
        .revocationUnavailable,
    ]

    private static func each(
        _ misbehaviours: [Misbehaviour], _ step: RelyingPartyError.Step, _ last: String
    ) -> [MisbehaviourRejection] {
        misbehaviours.map { MisbehaviourRejection(misbehaviour: $0, step: step, last: last) }
    }

    private static func temporary(
        _ misbehaviour: Misbehaviour, _ step: RelyingPartyError.Step, _ last: String
    ) -> MisbehaviourRejection {
        MisbehaviourRejection(misbehaviour: misbehaviour, step: step, last: last, isTemporary: true)
    }

    private static func finding(_ misbehaviour: Misbehaviour, _ check: String) -> MisbehaviourRejection {
        MisbehaviourRejection(misbehaviour: misbehaviour, step: .idToken, last: "/jwks", check: check)
    }
}
