// SPDX-License-Identifier: Apache-2.0

extension ConformanceModule {
    // The Form Post plans have the modules of the plans that they are named after.
    private static let basic: [ConformancePlan] = [.basic, .formPostBasic]
    private static let implicit: [ConformancePlan] = [.implicit, .formPostImplicit]
    private static let hybrid: [ConformancePlan] = [.hybrid, .formPostHybrid]
    private static let allThree = basic + implicit + hybrid

    // swift-format-ignore
    /// The entry of the module in the table.
    package var entry: Entry {
        switch self {
        case .client: Entry(.none, .accepted, Self.allThree)
        case .invalidIssuer: Entry(.wrongIssuer, .rejected, Self.allThree)
        case .missingSubject: Entry(.missingSubject, .rejected, Self.allThree)
        case .invalidAudience: Entry(.wrongAudience, .rejected, Self.allThree)
        case .missingAudience: Entry(.missingAudience, .rejected, [.comprehensive])
        case .missingIssuedAt: Entry(.missingIssuedAt, .rejected, Self.allThree)
        case .keyIDAbsentSingleKey: Entry(.keyIDAbsentSingleKey, .accepted, Self.allThree)
        case .keyIDAbsentManyKeys: Entry(.keyIDAbsentManyKeys, .accepted, Self.allThree)
        case .signedByRS256: Entry(.none, .accepted, Self.allThree)
        case .notSigned: Entry(.algorithmNone, .rejected, Self.basic + [.config])
        case .invalidSignatureRS256: Entry(.wrongSignature, .rejected, Self.allThree)
        case .invalidSignatureES256: Entry(.wrongSignature, .rejected, [.comprehensive], .signedByES256)
        case .invalidSignatureHS256: Entry(.wrongSignature, .rejected, [.comprehensive], .signedByHS256)
        case .invalidCodeHash: Entry(.wrongCodeHash, .rejected, Self.hybrid)
        case .missingCodeHash: Entry(.missingCodeHash, .rejected, Self.hybrid)
        case .invalidAccessTokenHash: Entry(.wrongAtHash, .rejected, [.comprehensive])
        case .nonceUnlessCode: Entry(.none, .accepted, Self.implicit + Self.hybrid)
        case .invalidNonce: Entry(.wrongNonce, .rejected, Self.allThree)
        case .userInfoInvalidSubject: Entry(.userInfoWrongSubject, .rejected, Self.basic + Self.hybrid)
        case .userInfoBearerHeader: Entry(.none, .accepted, [.comprehensive])
        case .userInfoSigned: Entry(.none, .accepted, [.comprehensive], .signedUserInfo)
        case .scopeClaims: Entry(.none, .accepted, Self.allThree)
        case .clientSecretBasic: Entry(.none, .accepted, Self.basic + Self.hybrid)
        case .mutualTLSAliases: Entry(.none, .accepted, [.comprehensive], .mutualTLS)
        case .formPostError: Entry(.none, .rejected, [.formPostBasic], .nobodySignedIn)
        case .discovery: Entry(.none, .accepted, [.config])
        case .discoveryKeySetURL: Entry(.keySetAtRandomPath, .accepted, [.config])
        case .discoveryIssuerMismatch: Entry(.issuerMismatch, .rejected, [.config])
        case .keyRotation: Entry(.none, .accepted, [.config], .keysRotatedBetween)
        case .keyRotationJustBeforeSigning: Entry(.rotatedJustBeforeSigning, .accepted, [.config])
        case .refreshToken: Entry(.none, .accepted, [.refresh], .refreshed)
        case .refreshTokenInvalidIssuer: Entry(.refreshedWrongIssuer, .rejected, [.refresh], .refreshed)
        case .refreshTokenInvalidSubject: Entry(.refreshedWrongSubject, .rejected, [.refresh], .refreshed)
        case .fapi2HappyPath: Entry(.none, .accepted, [.fapi2])
        case .fapi2DiscoveryIssuerMismatch: Entry(.issuerMismatch, .rejected, [.fapi2])
        case .fapi2InvalidResponseIssuer: Entry(.wrongIssuerInAuthorizationResponse, .rejected, [.fapi2])
        case .fapi2MissingResponseIssuer: Entry(.omitsIssuer, .rejected, [.fapi2])
        case .fapi2InvalidState: Entry(.wrongStateInAuthorizationResponse, .rejected, [.fapi2])
        case .fapi2MissingState: Entry(.omitsState, .rejected, [.fapi2])
        case .fapi2InvalidIssuer: Entry(.wrongIssuer, .rejected, [.fapi2])
        case .fapi2MissingIssuer: Entry(.missingIssuer, .rejected, [.fapi2])
        case .fapi2InvalidAudience: Entry(.wrongAudience, .rejected, [.fapi2])
        case .fapi2MissingAudience: Entry(.missingAudience, .rejected, [.fapi2])
        case .fapi2SecondaryAudience: Entry(.multipleAudiencesNoAzp, .rejected, [.fapi2])
        case .fapi2AudienceAsArray: Entry(.audienceAsArray, .accepted, [.fapi2])
        case .fapi2MissingExpiry: Entry(.missingExpiry, .rejected, [.fapi2])
        case .fapi2Expired: Entry(.expired, .rejected, [.fapi2])
        case .fapi2InvalidNonce: Entry(.wrongNonce, .rejected, [.fapi2])
        case .fapi2MissingNonce: Entry(.missingNonce, .rejected, [.fapi2])
        case .fapi2NotSigned: Entry(.algorithmNone, .rejected, [.fapi2])
        case .fapi2AlternateAlgorithm: Entry(.alternateAlgorithm, .rejected, [.fapi2])
        case .fapi2TokenTypeCase: Entry(.oddTokenTypeCase, .accepted, [.fapi2])
        case .fapi2WithoutExpiresIn: Entry(.omitsExpiresIn, .accepted, [.fapi2])
        case .fapi2RefreshToken: Entry(.accessTokensAgeFast, .accepted, [.fapi2], .refreshedUntilAccepted)
        }
    }
}
