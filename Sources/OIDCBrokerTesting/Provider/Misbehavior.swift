// SPDX-License-Identifier: Apache-2.0

/// A single error or oddity of an ``OpenIDProvider``. Everything else about the provider remains correct.
///
/// If the OpenID conformance suite has a module for it, the module is named, without its prefix `oidcc-client-test` or
/// `fapi2-security-profile-final-client-test`; "the suite" changes the same value in the same way. "Odd" marks behavior
/// that is allowed and that a client must accept; a client must refuse everything else. To add a misbehavior, add a
/// case here and a line where it takes effect.
public enum Misbehavior: String, Sendable, CaseIterable {
    /// No misbehavior. `oidcc-client-test`.
    case none

    // MARK: Metadata

    /// The metadata endpoint responds with 503.
    case discoveryUnavailable
    /// The issuer in the metadata ends in an additional `INVALID`. `-discovery-issuer-mismatch`.
    case issuerMismatch
    /// The metadata endpoint responds with 302 to another path, which would return valid metadata.
    case redirectFromDiscovery
    /// The metadata endpoint responds with 200 and an HTML page.
    case discoveryIsHTML
    /// The metadata is valid and 512 KB long.
    case oversizedDiscovery
    /// The metadata contains `issuer` twice, with the right value both times.
    case duplicateMetadataMember
    /// The metadata begins with a byte order mark, which RFC 8259 section 8.1 forbids.
    case metadataWithByteOrderMark
    /// The metadata has no `token_endpoint`.
    case missingTokenEndpoint
    /// `token_endpoint` is an http URL on another host than loopback.
    case plainHTTPTokenEndpoint
    /// Odd: the metadata does not announce PKCE. A client uses it anyway (RFC 9700 section 2.1.1).
    case omitsCodeChallengeMethods

    // MARK: Key set

    /// The key set endpoint responds with 503.
    case keySetUnavailable
    /// Odd: for each token, the keys are replaced between the client's fetch of the key set and the signing.
    /// `-signing-key-rotation-just-before-signing`.
    case rotatedJustBeforeSigning
    /// Odd: `jwks_uri` has another path each time a provider starts. `-discovery-jwks-uri-keys`.
    case keySetAtRandomPath
    /// Odd: neither the token nor the only key has a `kid`. `-kid-absent-single-jwks`.
    case keyIDAbsentSingleKey
    /// Odd: the token has no `kid`; three keys each of RSA, P-256, secp256k1 and Ed25519 have neither `kid` nor `alg`.
    /// `-kid-absent-multiple-jwks`.
    case keyIDAbsentManyKeys
    /// Odd: in addition to the key there are a symmetric key with the same `kid`, a key with its private half, one of
    /// an unknown type, one of 1024 bits, one with an exponent of 1, one with an even modulus, one that is not
    /// base64url, and a number.
    case oddKeys
    /// The key set has 101 keys.
    case tooManyKeys
    /// The key set is valid and longer than 512 KB.
    case oversizedKeySet

    // MARK: Authorization response

    /// `iss` is absent although the metadata announces it (RFC 9207 section 2.4).
    /// `-remove-authorization-response-iss`.
    case omitsIssuer
    /// `iss` ends in an additional `1`. `-invalid-authorization-response-iss`.
    case wrongIssuerInAuthorizationResponse
    /// `state` has another value. `-ensure-authorization-response-with-invalid-state-fails`.
    case wrongStateInAuthorizationResponse
    /// `state` is absent. `-ensure-authorization-response-with-invalid-missing-state-fails`.
    case omitsState
    /// `code` occurs twice.
    case duplicateCode
    /// `code` is empty.
    case emptyCode
    /// `code` has 4,097 characters.
    case oversizedCode
    /// There is an `error` in addition to the code. The response is an error.
    case errorBesideCode
    /// The response has another response mode than the requested one.
    case otherResponseMode
    /// Odd: there are an ID token and an access token in addition to the code, neither requested and both invalid. A
    /// client ignores them (RFC 9700 section 4.6). Has no effect if an ID token was requested.
    case tokensBesideCode

    /// The response is a signed JWT, which was not asked for.
    case unrequestedSignedResponse

    // MARK: Signed authorization responses (JARM); all take effect if one was asked for

    /// The response is not a JWT.
    case unsignedResponse
    /// The response is a JWT without a signature. `-ensure-jarm-signature-is-not-none`.
    case responseAlgorithmNone
    /// Every byte of the signature is XORed with 0x5A. `-ensure-jarm-with-invalid-sig-fails`.
    case responseWrongSignature
    /// `iss` in the JWT ends in an additional `1`. `-ensure-jarm-with-invalid-iss-fails`.
    case responseWrongIssuer
    /// `iss` is absent in the JWT. `-ensure-jarm-without-iss-fails`.
    case responseMissingIssuer
    /// `aud` ends in an additional `1`. `-ensure-jarm-with-invalid-aud-fails`.
    case responseWrongAudience
    /// `aud` is absent. `-ensure-jarm-without-aud-fails`.
    case responseMissingAudience
    /// `exp` was 6 minutes ago. `-ensure-jarm-with-expired-exp-fails`.
    case responseExpired
    /// `exp` is absent. `-ensure-jarm-without-exp-fails`.
    case responseMissingExpiry

    // MARK: Pushed authorization requests

    /// The endpoint responds with 503.
    case pushedAuthorizationUnavailable
    /// The endpoint responds with 400 and `invalid_request`.
    case pushedAuthorizationRefused
    /// The endpoint responds with 200 instead of the 201 that RFC 9126 section 2.2 requires.
    case pushedAuthorizationStatusOK

    // MARK: Token endpoint

    /// The token endpoint responds with 503.
    case tokenEndpointUnavailable
    /// The token endpoint responds with 429 and `Retry-After: 7`.
    case tooManyTokenRequests
    /// The token endpoint responds with 400 and `invalid_grant`.
    case errorFromTokenEndpoint
    /// The token response is valid, but also contains `error`.
    case errorBesideTokens
    /// The token endpoint responds with 307 to another path, which would return a valid response.
    case redirectFromTokenEndpoint
    /// The token response is compressed, although the client did not accept that.
    case contentEncodingGzip
    /// The token response is valid and 512 KB long.
    case oversizedTokenResponse
    /// The token response contains `id_token` twice, with the same value.
    case duplicateTokenMember
    /// The token response has no `id_token`.
    case missingIDToken
    /// `id_token` is null.
    case nullIDToken
    /// `token_type` is absent.
    case omitsTokenType
    /// `token_type` is unknown.
    case unknownTokenType
    /// Odd: `token_type` is `bEARER`. `-token-type-case-insensitivity`.
    case oddTokenTypeCase
    /// The type of an access token that is bound to the key of a proof is `Bearer`.
    case bearerDespiteProof
    /// Odd: UserInfo asks for a nonce of its own with a scheme in other letters (RFC 9110 section 11.1).
    /// `-rs-dpop-auth-scheme-case-insensitivity`.
    case oddChallengeCase
    /// Odd: `expires_in` is absent. `-token-endpoint-response-without-expires_in`.
    case omitsExpiresIn
    /// Odd: `scope` is empty: nothing beyond `openid` was granted.
    case emptyScope

    // MARK: ID token, form and signature

    /// Every byte of the signature is XORed with 0x5A, as in the suite. `-invalid-sig-rs256`, `-es256`, `-hs256`.
    case wrongSignature
    /// The token is not signed, `alg` is `none`. `-idtoken-sig-none`, `-invalid-null-alg`.
    case algorithmNone
    /// The token is not signed, `alg` is `nOnE`.
    case algorithmNoneOddCase
    /// The signature is valid, `alg` is absent.
    case missingAlgorithm
    /// The signature is valid, `alg` is null.
    case nullAlgorithm
    /// The signature is valid, `alg` is a number.
    case numericAlgorithm
    /// The signature is empty, `alg` is the right one.
    case emptySignature
    /// Every byte of the signature is zero.
    case zeroSignature
    /// The signature is valid, but in DER instead of the format of JOSE. Only for ES256, otherwise like
    /// ``zeroSignature``.
    case derSignature
    /// The token is signed with an algorithm that the metadata does not announce, by a key in the key set that fits.
    /// `-invalid-alternate-alg`.
    case alternateAlgorithm
    /// HS256, keyed with the bytes of the public key (RFC 8725 section 2.1).
    case hmacKeyedWithPublicKey
    /// HS256, keyed with the client secret, although the client is not registered for that.
    case hmacKeyedWithClientSecret
    /// `kid` names a key that is not in the key set; the signature is by the current key.
    case unknownKeyID
    /// The header contains its own key (`jwk`, `x5c`) and its location (`jku`, `x5u`); the signature is by that key.
    case embeddedKey
    /// `kid` has 2,000 characters.
    case oversizedKeyID
    /// `kid` is a number.
    case numericKeyID
    /// `crit` names an unknown extension.
    case criticalExtension
    /// `b64` is false and critical (RFC 7797).
    case unencodedPayload
    /// The header contains `alg` twice.
    case duplicateHeaderMember
    /// There is a fourth segment.
    case fourSegments
    /// The segments are padded with `=`.
    case paddedSegments
    /// There is a space at the end of the token.
    case trailingSpace
    /// The token is valid and longer than 64 KB.
    case oversizedToken
    /// `typ` is that of an access token (RFC 9068).
    case accessTokenType
    /// The token is also a logout token: it has `events`.
    case logoutTokenEvents

    // MARK: ID token, claims

    /// `iss` ends in an additional `1`. `-invalid-iss`.
    case wrongIssuer
    /// `iss` ends in an additional `/`.
    case issuerWithSlash
    /// `iss` is absent. `-invalid-missing-iss`.
    case missingIssuer
    /// `aud` ends in an additional `1`. `-invalid-aud`.
    case wrongAudience
    /// `aud` is absent. `-missing-aud`, `-invalid-missing-aud`.
    case missingAudience
    /// `aud` is an empty array.
    case emptyAudience
    /// Odd: `aud` is an array that contains only the client. `-valid-aud-as-array`.
    case audienceAsArray
    /// `aud` has a second, unknown audience and there is no `azp`. `-invalid-secondary-aud`.
    case multipleAudiencesNoAzp
    /// `aud` has a second, unknown audience, and `azp` is the client.
    case multipleAudiencesWithAzp
    /// `azp` names another client.
    case wrongAzp
    /// `sub` is absent. `-missing-sub`.
    case missingSubject
    /// `sub` is empty.
    case emptySubject
    /// `sub` has 256 characters.
    case oversizedSubject
    /// `sub` is a number.
    case numericSubject
    /// `sub` is the client ID (RFC 9700 section 4.15).
    case subjectIsClient
    /// `iat` is absent. `-missing-iat`.
    case missingIssuedAt
    /// `iat` is 11 minutes in the future.
    case issuedInFuture
    /// `iat` was a week ago.
    case issuedAWeekAgo
    /// `iat` is -1.
    case negativeIssuedAt
    /// `nbf` is 11 minutes in the future.
    case notYetValid
    /// `exp` is absent. `-invalid-missing-exp`.
    case missingExpiry
    /// `exp` was 6 minutes ago. `-invalid-expired-exp`.
    case expired
    /// `exp` is a string.
    case expiryAsText
    /// `exp` is 1e300.
    case expiryOutOfRange
    /// Odd: `exp` has a fraction (RFC 7519 section 2).
    case expiryWithFraction
    /// `nonce` ends in an additional `1`. `-nonce-invalid`, `-invalid-nonce`.
    case wrongNonce
    /// `nonce` is absent although one was sent. `-invalid-missing-nonce`.
    case missingNonce
    /// `nonce` is an array that contains the right value.
    case nonceAsArray
    /// `at_hash` is that of another access token. `-invalid-athash`, which uses it in the front channel.
    case wrongAtHash
    /// `at_hash` is the whole hash, not its left half.
    case wholeAtHash
    /// `c_hash` is that of another code. `-invalid-chash`. Takes effect if there is an ID token in addition to the
    /// code.
    case wrongCodeHash
    /// `c_hash` is absent. `-missing-chash`.
    case missingCodeHash
    /// `s_hash` is that of another state.
    case wrongStateHash
    /// `auth_time` was a day before the sign-in.
    case staleAuthenticationTime
    /// `auth_time` is absent, even if `max_age` was sent.
    case missingAuthenticationTime
    /// `acr` is not one of the requested values.
    case wrongAuthenticationContext
    /// The claims contain `iss` twice, with the right value both times.
    case duplicateClaim
    /// The claims contain arrays that are nested 10,000 deep.
    case deepClaims
    /// A claim is a string that is not UTF-8.
    case claimsNotUTF8

    // MARK: The second ID token of `code id_token`

    /// The ID token of the token endpoint is that of another user.
    case secondTokenWrongSubject
    /// The `iss` in the ID token of the token endpoint ends in an additional `1`.
    case secondTokenWrongIssuer
    /// The ID token of the token endpoint has a wrong signature.
    case secondTokenWrongSignature

    // MARK: Encrypted ID tokens; they bite where the client registered a key for encryption

    /// The encrypted content is a token without a signature.
    case encryptedUnsigned
    /// The encrypted content is the claims without a token.
    case encryptedClaims
    /// The header has `zip`.
    case encryptedCompressed
    /// `alg` is `RSA1_5`.
    case encryptedRSA15
    /// `alg` is `PBES2-HS256+A128KW`, with the largest possible number of iterations.
    case encryptedPBES2
    /// The authentication tag is changed.
    case encryptedWrongTag

    // MARK: UserInfo

    /// The `sub` of UserInfo ends in an additional `invalid`. `-userinfo-invalid-sub`.
    case userInfoWrongSubject
    /// UserInfo has no `sub`.
    case userInfoMissingSubject
    /// UserInfo is an HTML page.
    case userInfoIsHTML
    /// UserInfo has a wrong signature. Like the next three, takes effect if the client is registered for signed
    /// UserInfo.
    case userInfoWrongSignature
    /// UserInfo is a token without a signature.
    case userInfoAlgorithmNone
    /// The `iss` of UserInfo ends in an additional `1`.
    case userInfoWrongIssuer
    /// The `aud` of UserInfo ends in an additional `1`.
    case userInfoWrongAudience

    // MARK: Refresh and revocation

    /// The `iss` of a refreshed ID token ends in an additional `1`. `-refresh-token-invalid-issuer`.
    case refreshedWrongIssuer
    /// A refreshed ID token is that of another user. `-refresh-token-invalid-sub`.
    case refreshedWrongSubject
    /// Odd: UserInfo accepts an access token only after two refreshes.
    /// `fapi2-security-profile-final-client-refresh-token-test`.
    case accessTokensAgeFast
    /// The revocation endpoint responds with 503 and `Retry-After: 7`.
    case revocationUnavailable
}
