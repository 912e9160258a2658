// SPDX-License-Identifier: Apache-2.0

/// What an ``OpenIDProvider`` does wrong. One thing at a time, everything else stays honest.
///
/// Where the OpenID conformance suite has a module for it, the module is named; "the suite" changes the same value in
/// the same way. To add a misbehaviour, add a case here and one line where it bites.
public enum Misbehaviour: String, Sendable, Hashable, CaseIterable {
    /// Nothing: the provider is honest. `oidcc-client-test`.
    case none

    // MARK: Metadata and keys

    /// Discovery answers 503.
    case discoveryUnavailable
    /// The issuer in the metadata has `INVALID` at its end. `oidcc-client-test-discovery-issuer-mismatch`.
    case issuerMismatch
    /// The key set answers 503.
    case keySetUnavailable
    /// The keys are replaced between the client's fetch of the key set and the signing of this token, at every token
    /// request. An honest client fetches the key set again and goes on.
    /// `oidcc-client-test-signing-key-rotation-just-before-signing`.
    case rotatedJustBeforeSigning

    // MARK: Authorization response

    /// `iss` is absent although the metadata announces it (RFC 9207 section 2.4).
    /// `fapi2-security-profile-final-client-test-remove-authorization-response-iss`.
    case omitsIssuer
    /// `iss` has a `1` at its end.
    /// `fapi2-security-profile-final-client-test-invalid-authorization-response-iss`.
    case wrongIssuerInAuthorizationResponse

    // MARK: Token endpoint

    /// The token endpoint answers 503.
    case tokenEndpointUnavailable
    /// The token endpoint answers 400 with `invalid_grant`.
    case errorFromTokenEndpoint
    /// The token endpoint answers 307 to another path, which would answer honestly.
    case redirectFromTokenEndpoint
    /// The token answer is compressed, though nobody asked for it.
    case contentEncodingGzip
    /// The token answer is correct and 512 KB long.
    case oversizedTokenAnswer
    /// The token answer has no `id_token`.
    case missingIDToken

    // MARK: ID token, signature

    /// Every byte of the signature is changed. `oidcc-client-test-invalid-sig-rs256` and `-es256`.
    case wrongSignature
    /// The token is not signed, `alg` is `none`. `oidcc-client-test-idtoken-sig-none`.
    case algorithmNone
    /// `kid` names a key that no key set has; the signature is the current key's.
    case unknownKeyID

    // MARK: ID token, claims

    /// `iss` has a `1` at its end. `oidcc-client-test-invalid-iss`.
    case wrongIssuer
    /// `aud` has a `1` at its end. `oidcc-client-test-invalid-aud`.
    case wrongAudience
    /// `aud` is absent. `oidcc-client-test-missing-aud`.
    case missingAudience
    /// `aud` has a second, unknown audience and there is no `azp`.
    /// `fapi2-security-profile-final-client-test-invalid-secondary-aud`.
    case multipleAudiencesNoAzp
    /// `azp` names another client.
    case wrongAzp
    /// `sub` is absent. `oidcc-client-test-missing-sub`.
    case missingSubject
    /// `iat` is absent. `oidcc-client-test-missing-iat`.
    case missingIssuedAt
    /// `exp` is absent. `fapi2-security-profile-final-client-test-invalid-missing-exp`.
    case missingExpiry
    /// `exp` was 6 minutes ago. `fapi2-security-profile-final-client-test-invalid-expired-exp`.
    case expired
    /// `nonce` has a `1` at its end. `oidcc-client-test-nonce-invalid`.
    case wrongNonce
    /// `nonce` is absent although one was sent. `fapi2-security-profile-final-client-test-invalid-missing-nonce`.
    case missingNonce
    /// `at_hash` is another access token's. `oidcc-client-test-invalid-athash`, there in the front channel.
    case wrongAtHash

    // MARK: UserInfo

    /// `sub` of UserInfo has `invalid` at its end. `oidcc-client-test-userinfo-invalid-sub`.
    case userInfoWrongSubject
}
