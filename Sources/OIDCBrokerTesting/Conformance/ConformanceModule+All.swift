// SPDX-License-Identifier: Apache-2.0

extension ConformanceModule {
    /// The modules that are run: those of OpenID Connect Core in the order of the suite's plans, then those of the FAPI
    /// 2.0 Security Profile. More may be added.
    public static let all: [ConformanceModule] = openIDConnect + fapi2SecurityProfile

    // The Form Post plans have the modules of the plans that they are named after.
    private static let basic: [ConformancePlan] = [.basic, .formPostBasic]
    private static let implicit: [ConformancePlan] = [.implicit, .formPostImplicit]
    private static let hybrid: [ConformancePlan] = [.hybrid, .formPostHybrid]
    private static let allThree = basic + implicit + hybrid

    // swift-format-ignore
    private static let openIDConnect: [ConformanceModule] = [
        .init("oidcc-client-test", .none, .accepted, allThree),
        .init("oidcc-client-test-invalid-iss", .wrongIssuer, .rejected, allThree),
        .init("oidcc-client-test-missing-sub", .missingSubject, .rejected, allThree),
        .init("oidcc-client-test-invalid-aud", .wrongAudience, .rejected, allThree),
        .init("oidcc-client-test-missing-aud", .missingAudience, .rejected, [.comprehensive]),
        .init("oidcc-client-test-missing-iat", .missingIssuedAt, .rejected, allThree),
        .init("oidcc-client-test-kid-absent-single-jwks", .keyIDAbsentSingleKey, .accepted, allThree),
        .init("oidcc-client-test-kid-absent-multiple-jwks", .keyIDAbsentManyKeys, .accepted, allThree),
        .init("oidcc-client-test-idtoken-sig-rs256", .none, .accepted, allThree),
        .init("oidcc-client-test-idtoken-sig-none", .algorithmNone, .rejected, basic + [.config]),
        .init("oidcc-client-test-invalid-sig-rs256", .wrongSignature, .rejected, allThree),
        .init("oidcc-client-test-invalid-sig-es256", .wrongSignature, .rejected, [.comprehensive], .signedByES256),
        .init("oidcc-client-test-invalid-sig-hs256", .wrongSignature, .rejected, [.comprehensive], .signedByHS256),
        .init("oidcc-client-test-invalid-chash", .wrongCodeHash, .rejected, hybrid),
        .init("oidcc-client-test-missing-chash", .missingCodeHash, .rejected, hybrid),
        .init("oidcc-client-test-invalid-athash", .wrongAtHash, .rejected, [.comprehensive]),
        .init("oidcc-client-test-nonce-unless-code-flow", .none, .accepted, implicit + hybrid),
        .init("oidcc-client-test-nonce-invalid", .wrongNonce, .rejected, allThree),
        .init("oidcc-client-test-userinfo-invalid-sub", .userInfoWrongSubject, .rejected, basic + hybrid),
        .init("oidcc-client-test-userinfo-bearer-header", .none, .accepted, [.comprehensive]),
        .init("oidcc-client-test-userinfo-signed", .none, .accepted, [.comprehensive], .signedUserInfo),
        .init("oidcc-client-test-scope-userinfo-claims", .none, .accepted, allThree),
        .init("oidcc-client-test-client-secret-basic", .none, .accepted, basic + hybrid),
        .init("oidcc-client-test-mtls-endpoint-aliases", .none, .accepted, [.comprehensive], .mutualTLS),
        .init("oidcc-client-test-form-post-error", .none, .rejected, [.formPostBasic], .noSession),
        .init("oidcc-client-test-discovery-openid-config", .none, .accepted, [.config]),
        .init("oidcc-client-test-discovery-jwks-uri-keys", .keySetAtRandomPath, .accepted, [.config]),
        .init("oidcc-client-test-discovery-issuer-mismatch", .issuerMismatch, .rejected, [.config]),
        .init("oidcc-client-test-signing-key-rotation", .none, .accepted, [.config], .keysRotatedBetween),
        .init("oidcc-client-test-signing-key-rotation-just-before-signing", .rotatedJustBeforeSigning, .accepted, [.config]),
        .init("oidcc-client-test-refresh-token", .none, .accepted, [.refresh], .refreshed),
        .init("oidcc-client-test-refresh-token-invalid-issuer", .refreshedWrongIssuer, .rejected, [.refresh], .refreshed),
        .init("oidcc-client-test-refresh-token-invalid-sub", .refreshedWrongSubject, .rejected, [.refresh], .refreshed),
    ]

    // swift-format-ignore
    private static let fapi2SecurityProfile: [ConformanceModule] = [
        .init("fapi2-security-profile-final-client-test-happy-path", .none, .accepted, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-discovery-issuer-mismatch", .issuerMismatch, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-authorization-response-iss", .wrongIssuerInAuthorizationResponse, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-remove-authorization-response-iss", .omitsIssuer, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails", .wrongStateInAuthorizationResponse, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails", .omitsState, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-iss", .wrongIssuer, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-iss", .missingIssuer, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-aud", .wrongAudience, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-aud", .missingAudience, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-secondary-aud", .multipleAudiencesNoAzp, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-valid-aud-as-array", .audienceAsArray, .accepted, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-exp", .missingExpiry, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-expired-exp", .expired, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-nonce", .wrongNonce, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-missing-nonce", .missingNonce, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-null-alg", .algorithmNone, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-invalid-alternate-alg", .alternateAlgorithm, .rejected, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-token-type-case-insensitivity", .oddTokenTypeCase, .accepted, [.fapi2]),
        .init("fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in", .omitsExpiresIn, .accepted, [.fapi2]),
        .init("fapi2-security-profile-final-client-refresh-token-test", .accessTokensAgeFast, .accepted, [.fapi2], .refreshedUntilAccepted),
    ]
}
