// SPDX-License-Identifier: Apache-2.0

extension ConformanceModule {
    /// The modules that are run: those of OpenID Connect Core in the order of the suite's plans, then those of the FAPI
    /// 2.0 Security Profile and of FAPI 2.0 Message Signing. More may be added.
    public static let all: [ConformanceModule] = openIDConnect + fapi2SecurityProfile + fapi2MessageSigning

    // The Form Post plans have the modules of the plans that they are named after.
    private static let basic: [ConformancePlan] = [.basic, .formPostBasic]
    private static let implicit: [ConformancePlan] = [.implicit, .formPostImplicit]
    private static let hybrid: [ConformancePlan] = [.hybrid, .formPostHybrid]
    private static let allThree = basic + implicit + hybrid

    // swift-format-ignore
    private static let openIDConnect: [ConformanceModule] = [
        .init("oidcc-client-test", .none, .accepted, in: allThree),
        .init("oidcc-client-test-invalid-iss", .wrongIssuer, .rejected, in: allThree),
        .init("oidcc-client-test-missing-sub", .missingSubject, .rejected, in: allThree),
        .init("oidcc-client-test-invalid-aud", .wrongAudience, .rejected, in: allThree),
        .init("oidcc-client-test-missing-aud", .missingAudience, .rejected, in: [.comprehensive]),
        .init("oidcc-client-test-missing-iat", .missingIssuedAt, .rejected, in: allThree),
        .init("oidcc-client-test-kid-absent-single-jwks", .keyIDAbsentSingleKey, .accepted, in: allThree),
        .init("oidcc-client-test-kid-absent-multiple-jwks", .keyIDAbsentManyKeys, .accepted, in: allThree),
        .init("oidcc-client-test-idtoken-sig-rs256", .none, .accepted, in: allThree),
        .init("oidcc-client-test-idtoken-sig-none", .algorithmNone, .rejected, in: basic + [.config]),
        .init("oidcc-client-test-invalid-sig-rs256", .wrongSignature, .rejected, in: allThree),
        .init("oidcc-client-test-invalid-sig-es256", .wrongSignature, .rejected, in: [.comprehensive], .signedByES256),
        .init("oidcc-client-test-invalid-sig-hs256", .wrongSignature, .rejected, in: [.comprehensive], .signedByHS256),
        .init("oidcc-client-test-invalid-chash", .wrongCodeHash, .rejected, in: hybrid),
        .init("oidcc-client-test-missing-chash", .missingCodeHash, .rejected, in: hybrid),
        .init("oidcc-client-test-invalid-athash", .wrongAtHash, .rejected, in: [.comprehensive]),
        .init("oidcc-client-test-nonce-unless-code-flow", .none, .accepted, in: implicit + hybrid),
        .init("oidcc-client-test-nonce-invalid", .wrongNonce, .rejected, in: allThree),
        .init("oidcc-client-test-userinfo-invalid-sub", .userInfoWrongSubject, .rejected, in: basic + hybrid),
        .init("oidcc-client-test-userinfo-bearer-header", .none, .accepted, in: [.comprehensive]),
        .init("oidcc-client-test-userinfo-signed", .none, .accepted, in: [.comprehensive], .signedUserInfo),
        .init("oidcc-client-test-scope-userinfo-claims", .none, .accepted, in: allThree),
        .init("oidcc-client-test-client-secret-basic", .none, .accepted, in: basic + hybrid),
        .init("oidcc-client-test-mtls-endpoint-aliases", .none, .accepted, in: [.comprehensive], .mutualTLS),
        .init("oidcc-client-test-form-post-error", .none, .rejected, in: [.formPostBasic], .noSession),
        .init("oidcc-client-test-discovery-openid-config", .none, .accepted, in: [.config]),
        .init("oidcc-client-test-discovery-jwks-uri-keys", .keySetAtRandomPath, .accepted, in: [.config]),
        .init("oidcc-client-test-discovery-issuer-mismatch", .issuerMismatch, .rejected, in: [.config]),
        .init("oidcc-client-test-signing-key-rotation", .none, .accepted, in: [.config], .keysRotatedBetween),
        .init("oidcc-client-test-signing-key-rotation-just-before-signing", .rotatedJustBeforeSigning, .accepted, in: [.config]),
        .init("oidcc-client-test-refresh-token", .none, .accepted, in: [.refresh], .refreshed),
        .init("oidcc-client-test-refresh-token-invalid-issuer", .refreshedWrongIssuer, .rejected, in: [.refresh], .refreshed),
        .init("oidcc-client-test-refresh-token-invalid-sub", .refreshedWrongSubject, .rejected, in: [.refresh], .refreshed),
    ]

    // swift-format-ignore
    private static let fapi2SecurityProfile: [ConformanceModule] = [
        .init("fapi2-security-profile-final-client-test-happy-path", .none, .accepted, in: [.fapi2, .fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-discovery-issuer-mismatch", .issuerMismatch, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-authorization-response-iss", .wrongIssuerInAuthorizationResponse, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-remove-authorization-response-iss", .omitsIssuer, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails", .wrongStateInAuthorizationResponse, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails", .omitsState, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-iss", .wrongIssuer, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-iss", .missingIssuer, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-aud", .wrongAudience, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-aud", .missingAudience, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-secondary-aud", .multipleAudiencesNoAzp, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-valid-aud-as-array", .audienceAsArray, .accepted, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-exp", .missingExpiry, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-expired-exp", .expired, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-nonce", .wrongNonce, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-nonce", .missingNonce, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-null-alg", .algorithmNone, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-alternate-alg", .alternateAlgorithm, .rejected, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-token-type-case-insensitivity", .oddTokenTypeCase, .accepted, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in", .omitsExpiresIn, .accepted, in: [.fapi2]),
        .init("fapi2-security-profile-final-client-test-happy-path-no-dpop-nonce", .none, .accepted, in: [.fapi2], .dpop),
        .init("fapi2-security-profile-final-client-test-rs-dpop-auth-scheme-case-insensitivity", .oddChallengeCase, .accepted, in: [.fapi2], .dpopWithNonces),
        .init("fapi2-security-profile-final-client-refresh-token-test", .accessTokensAgeFast, .accepted, in: [.fapi2], .refreshedUntilAccepted),
    ]

    // swift-format-ignore
    private static let fapi2MessageSigning: [ConformanceModule] = [
        .init("fapi2-security-profile-final-client-test-ensure-jarm-signature-is-not-none", .responseAlgorithmNone, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-with-expired-exp-fails", .responseExpired, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-with-invalid-aud-fails", .responseWrongAudience, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-with-invalid-iss-fails", .responseWrongIssuer, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-with-invalid-sig-fails", .responseWrongSignature, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-without-aud-fails", .responseMissingAudience, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-without-exp-fails", .responseMissingExpiry, .rejected, in: [.fapi2MessageSigning]),
        .init("fapi2-security-profile-final-client-test-ensure-jarm-without-iss-fails", .responseMissingIssuer, .rejected, in: [.fapi2MessageSigning]),
    ]
}
