// SPDX-License-Identifier: Apache-2.0

/// A test module of the OpenID conformance suite (revision 12f2a4d of 2026-08-20) about the sign-in of a relying party,
/// by its exact name.
///
/// An ``OpenIDProvider`` with the module's ``misbehavior`` and `setting` behaves as the suite does in it. To add a
/// module, add a case here and a line to ``entry``. The modules that are not run are in ``notApplicable``.
package enum ConformanceModule: String, Sendable, Hashable, CaseIterable {
    // MARK: OpenID Connect Core, in the order of the suite's plans

    case client = "oidcc-client-test"
    case invalidIssuer = "oidcc-client-test-invalid-iss"
    case missingSubject = "oidcc-client-test-missing-sub"
    case invalidAudience = "oidcc-client-test-invalid-aud"
    case missingAudience = "oidcc-client-test-missing-aud"
    case missingIssuedAt = "oidcc-client-test-missing-iat"
    case keyIDAbsentSingleKey = "oidcc-client-test-kid-absent-single-jwks"
    case keyIDAbsentManyKeys = "oidcc-client-test-kid-absent-multiple-jwks"
    case signedByRS256 = "oidcc-client-test-idtoken-sig-rs256"
    case notSigned = "oidcc-client-test-idtoken-sig-none"
    case invalidSignatureRS256 = "oidcc-client-test-invalid-sig-rs256"
    case invalidSignatureES256 = "oidcc-client-test-invalid-sig-es256"
    case invalidSignatureHS256 = "oidcc-client-test-invalid-sig-hs256"
    case invalidCodeHash = "oidcc-client-test-invalid-chash"
    case missingCodeHash = "oidcc-client-test-missing-chash"
    case invalidAccessTokenHash = "oidcc-client-test-invalid-athash"
    case nonceUnlessCode = "oidcc-client-test-nonce-unless-code-flow"
    case invalidNonce = "oidcc-client-test-nonce-invalid"
    case userInfoInvalidSubject = "oidcc-client-test-userinfo-invalid-sub"
    case userInfoBearerHeader = "oidcc-client-test-userinfo-bearer-header"
    case userInfoSigned = "oidcc-client-test-userinfo-signed"
    case scopeClaims = "oidcc-client-test-scope-userinfo-claims"
    case clientSecretBasic = "oidcc-client-test-client-secret-basic"
    case mutualTLSAliases = "oidcc-client-test-mtls-endpoint-aliases"
    case formPostError = "oidcc-client-test-form-post-error"
    case discovery = "oidcc-client-test-discovery-openid-config"
    case discoveryKeySetURL = "oidcc-client-test-discovery-jwks-uri-keys"
    case discoveryIssuerMismatch = "oidcc-client-test-discovery-issuer-mismatch"
    case keyRotation = "oidcc-client-test-signing-key-rotation"
    case keyRotationJustBeforeSigning = "oidcc-client-test-signing-key-rotation-just-before-signing"
    case refreshToken = "oidcc-client-test-refresh-token"
    case refreshTokenInvalidIssuer = "oidcc-client-test-refresh-token-invalid-issuer"
    case refreshTokenInvalidSubject = "oidcc-client-test-refresh-token-invalid-sub"

    // MARK: FAPI 2.0 Security Profile

    case fapi2HappyPath = "fapi2-security-profile-final-client-test-happy-path"
    case fapi2DiscoveryIssuerMismatch = "fapi2-security-profile-final-client-test-discovery-issuer-mismatch"
    case fapi2InvalidResponseIssuer = "fapi2-security-profile-final-client-test-invalid-authorization-response-iss"
    case fapi2MissingResponseIssuer = "fapi2-security-profile-final-client-test-remove-authorization-response-iss"
    case fapi2InvalidState =
        "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails"
    case fapi2MissingState =
        "fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails"
    case fapi2InvalidIssuer = "fapi2-security-profile-final-client-test-invalid-iss"
    case fapi2MissingIssuer = "fapi2-security-profile-final-client-test-invalid-missing-iss"
    case fapi2InvalidAudience = "fapi2-security-profile-final-client-test-invalid-aud"
    case fapi2MissingAudience = "fapi2-security-profile-final-client-test-invalid-missing-aud"
    case fapi2SecondaryAudience = "fapi2-security-profile-final-client-test-invalid-secondary-aud"
    case fapi2AudienceAsArray = "fapi2-security-profile-final-client-test-valid-aud-as-array"
    case fapi2MissingExpiry = "fapi2-security-profile-final-client-test-invalid-missing-exp"
    case fapi2Expired = "fapi2-security-profile-final-client-test-invalid-expired-exp"
    case fapi2InvalidNonce = "fapi2-security-profile-final-client-test-invalid-nonce"
    case fapi2MissingNonce = "fapi2-security-profile-final-client-test-invalid-missing-nonce"
    case fapi2NotSigned = "fapi2-security-profile-final-client-test-invalid-null-alg"
    case fapi2AlternateAlgorithm = "fapi2-security-profile-final-client-test-invalid-alternate-alg"
    case fapi2TokenTypeCase = "fapi2-security-profile-final-client-test-token-type-case-insensitivity"
    case fapi2WithoutExpiresIn = "fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in"
    case fapi2RefreshToken = "fapi2-security-profile-final-client-refresh-token-test"

    /// The required result of a module.
    package enum Expectation: String, Sendable, Hashable {
        /// The sign-in or the refresh is completed.
        case accepted
        /// The sign-in ends with an error, and no further request is sent to the provider.
        case rejected
    }

    /// The conditions of a module in addition to the provider's ``Misbehavior``.
    package enum Setting: Sendable, Hashable {
        /// ID tokens are signed by RS256 (FAPI 2.0: PS256), and the client authenticates by `client_secret_basic` (FAPI
        /// 2.0: `tls_client_auth`). There is one sign-in and, if there is an access token, a UserInfo request.
        case standard
        /// ID tokens are signed by ES256.
        case signedByES256
        /// ID tokens are signed with the client secret by HS256, for which the client is registered.
        case signedByHS256
        /// The client is registered for signed UserInfo.
        case signedUserInfo
        /// The client authenticates by `tls_client_auth`, at the endpoints of `mtls_endpoint_aliases`.
        case mutualTLS
        /// There are two sign-ins, and the provider's keys are replaced between them.
        case keysRotatedBetween
        /// The client sends `max_age=0` and `prompt=none`.
        case nobodySignedIn
        /// The refresh token is used after the sign-in.
        case refreshed
        /// After the sign-in, UserInfo is requested and the refresh token used until the UserInfo request succeeds.
        case refreshedUntilAccepted
    }

    /// The description of a module, a line in the table.
    package struct Entry: Sendable, Hashable {
        /// The misbehavior of the provider.
        package let misbehavior: Misbehavior
        /// The required result.
        package let expectation: Expectation
        /// The plans that contain the module.
        package let plans: [ConformancePlan]
        /// The additional conditions.
        package let setting: Setting

        init(
            _ misbehavior: Misbehavior, _ expectation: Expectation, _ plans: [ConformancePlan],
            _ setting: Setting = .standard
        ) {
            self.misbehavior = misbehavior
            self.expectation = expectation
            self.plans = plans
            self.setting = setting
        }
    }

    /// The misbehavior of the provider.
    package var misbehavior: Misbehavior { entry.misbehavior }

    /// The required result.
    package var expectation: Expectation { entry.expectation }
}
