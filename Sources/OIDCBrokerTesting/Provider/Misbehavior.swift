// SPDX-License-Identifier: Apache-2.0

/// What an ``OpenIDProvider`` does wrong, or oddly. One thing at a time, everything else stays honest.
///
/// Where the OpenID conformance suite has a module for it, the module is named, without its prefix `oidcc-client-test`
/// or `fapi2-security-profile-final-client-test`; "the suite" changes the same value in the same way. "Odd" is what a
/// provider may do and a client must bear; everything else a client must refuse. To add one, add a case here and one
/// line where it bites.
public enum Misbehavior: String, Sendable, Hashable, CaseIterable {
    /// Nothing: the provider is honest. `oidcc-client-test`.
    case none

    // MARK: Metadata

    /// Discovery answers 503.
    case discoveryUnavailable
    /// The issuer in the metadata has `INVALID` at its end. `-discovery-issuer-mismatch`.
    case issuerMismatch
    /// Discovery answers 302 to another path, which would answer honestly.
    case redirectFromDiscovery
    /// Discovery answers 200 with a page for people.
    case discoveryIsHTML
    /// The metadata are correct and 512 KB long.
    case oversizedDiscovery
    /// The metadata have `issuer` twice, both times the right one.
    case duplicateMetadataMember
    /// The metadata begin with a byte order mark (RFC 8259 section 8.1 forbids it).
    case metadataWithByteOrderMark
    /// The metadata have no `token_endpoint`.
    case missingTokenEndpoint
    /// `token_endpoint` is http, and not of this machine.
    case plainHTTPTokenEndpoint
    /// Odd: the metadata do not announce PKCE. A client uses it all the same (RFC 9700 section 2.1.1).
    case omitsCodeChallengeMethods

    // MARK: Key set

    /// The key set answers 503.
    case keySetUnavailable
    /// Odd: the keys are replaced between the client's fetch of the key set and the signing of this token, at every
    /// token that is signed. `-signing-key-rotation-just-before-signing`.
    case rotatedJustBeforeSigning
    /// Odd: `jwks_uri` is another path each time a provider starts. `-discovery-jwks-uri-keys`.
    case keySetAtRandomPath
    /// Odd: the token has no `kid`, nor has the only key. `-kid-absent-single-jwks`.
    case keyIDAbsentSingleKey
    /// Odd: the token has no `kid`; three keys each of RSA, P-256, secp256k1 and Ed25519 have neither `kid` nor `alg`.
    /// `-kid-absent-multiple-jwks`.
    case keyIDAbsentManyKeys
    /// Odd: beside the key stand a symmetric one of the same `kid`, one with its private part, one of an unknown type,
    /// one of 1024 bits, one with an exponent of 1, one with an even modulus, one that is not base64url, and a number.
    case oddKeys
    /// The key set has 101 keys.
    case tooManyKeys
    /// The key set is correct and more than 512 KB long.
    case oversizedKeySet

    // MARK: Authorization response

    /// `iss` is absent although the metadata announces it (RFC 9207 section 2.4).
    /// `-remove-authorization-response-iss`.
    case omitsIssuer
    /// `iss` has a `1` at its end. `-invalid-authorization-response-iss`.
    case wrongIssuerInAuthorizationResponse
    /// `state` is another. `-ensure-authorization-response-with-invalid-state-fails`.
    case wrongStateInAuthorizationResponse
    /// `state` is absent. `-ensure-authorization-response-with-invalid-missing-state-fails`.
    case omitsState
    /// `code` stands there twice.
    case duplicateCode
    /// `code` is there and empty.
    case emptyCode
    /// `code` has 4,097 characters.
    case oversizedCode
    /// `error` stands beside the code: it is an error.
    case errorBesideCode
    /// The answer comes in another response mode than the one that was asked for.
    case otherResponseMode
    /// Odd: an ID token and an access token stand beside the code, neither asked for and both wrong. A client ignores
    /// them (RFC 9700 section 4.6). Does nothing where an ID token was asked for.
    case tokensBesideCode

    // MARK: Pushed authorization requests

    /// The endpoint answers 503.
    case pushedAuthorizationUnavailable
    /// The endpoint answers 400 with `invalid_request`.
    case pushedAuthorizationRefused
    /// The endpoint answers 200, where RFC 9126 section 2.2 says 201.
    case pushedAuthorizationStatusOK

    // MARK: Token endpoint

    /// The token endpoint answers 503.
    case tokenEndpointUnavailable
    /// The token endpoint answers 429 with `Retry-After: 7`.
    case tooManyTokenRequests
    /// The token endpoint answers 400 with `invalid_grant`.
    case errorFromTokenEndpoint
    /// The token response is correct, and has `error` as well.
    case errorBesideTokens
    /// The token endpoint answers 307 to another path, which would answer honestly.
    case redirectFromTokenEndpoint
    /// The token response is compressed, though nobody asked for it.
    case contentEncodingGzip
    /// The token response is correct and 512 KB long.
    case oversizedTokenResponse
    /// The token response has `id_token` twice, both times the same.
    case duplicateTokenMember
    /// The token response has no `id_token`.
    case missingIDToken
    /// `id_token` is null.
    case nullIDToken
    /// `token_type` is absent.
    case omitsTokenType
    /// `token_type` is one that no client here knows.
    case unknownTokenType
    /// Odd: `token_type` is `bEARER`. `-token-type-case-insensitivity`.
    case oddTokenTypeCase
    /// Odd: `expires_in` is absent. `-token-endpoint-response-without-expires_in`.
    case omitsExpiresIn
    /// Odd: `scope` is there and empty: nothing beyond `openid` was granted.
    case emptyScope

    // MARK: ID token, form and signature

    /// Every byte of the signature is changed, as the suite does it: XOR 0x5A. `-invalid-sig-rs256`, `-es256`, `-hs256`.
    case wrongSignature
    /// The token is not signed, `alg` is `none`. `-idtoken-sig-none`, `-invalid-null-alg`.
    case algorithmNone
    /// The token is not signed, `alg` is `nOnE`.
    case algorithmNoneOddCase
    /// The signature is good, `alg` is absent.
    case missingAlgorithm
    /// The signature is good, `alg` is null.
    case nullAlgorithm
    /// The signature is good, `alg` is a number.
    case numericAlgorithm
    /// The signature is empty, `alg` is the right one.
    case emptySignature
    /// Every byte of the signature is zero.
    case zeroSignature
    /// The signature is right and in DER, where JOSE has the bare numbers; of ES256 only, else like ``zeroSignature``.
    case derSignature
    /// Signed with an algorithm that the metadata do not announce, by a key that is in the key set and fits.
    /// `-invalid-alternate-alg`.
    case alternateAlgorithm
    /// HS256, keyed with the bytes of the public key (RFC 8725 section 2.1).
    case hmacKeyedWithPublicKey
    /// HS256, keyed with the client secret, although the client is not registered for that.
    case hmacKeyedWithClientSecret
    /// `kid` names a key that no key set has; the signature is the current key's.
    case unknownKeyID
    /// The header brings its own key (`jwk`, `x5c`) and says where it is (`jku`, `x5u`); the signature is that key's.
    case embeddedKey
    /// `kid` has 2,000 characters.
    case oversizedKeyID
    /// `kid` is a number.
    case numericKeyID
    /// `crit` names an extension that nobody knows.
    case criticalExtension
    /// `b64` is false and critical (RFC 7797).
    case unencodedPayload
    /// The header has `alg` twice.
    case duplicateHeaderMember
    /// There is a fourth segment.
    case fourSegments
    /// The segments are padded with `=`.
    case paddedSegments
    /// There is a space at the end of the token.
    case trailingSpace
    /// The token is correct and longer than 64 KB.
    case oversizedToken
    /// `typ` is an access token's (RFC 9068).
    case accessTokenType
    /// The token is a logout token as well: `events` is there.
    case logoutTokenEvents

    // MARK: ID token, claims

    /// `iss` has a `1` at its end. `-invalid-iss`.
    case wrongIssuer
    /// `iss` has a `/` at its end.
    case issuerWithSlash
    /// `iss` is absent. `-invalid-missing-iss`.
    case missingIssuer
    /// `aud` has a `1` at its end. `-invalid-aud`.
    case wrongAudience
    /// `aud` is absent. `-missing-aud`, `-invalid-missing-aud`.
    case missingAudience
    /// `aud` is an empty list.
    case emptyAudience
    /// Odd: `aud` is a list of the client alone. `-valid-aud-as-array`.
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
    /// `sub` is the client's own id (RFC 9700 section 4.15).
    case subjectIsClient
    /// `iat` is absent. `-missing-iat`.
    case missingIssuedAt
    /// `iat` is in 11 minutes.
    case issuedInFuture
    /// `iat` was a week ago.
    case issuedAWeekAgo
    /// `iat` is -1.
    case negativeIssuedAt
    /// `nbf` is in 11 minutes.
    case notYetValid
    /// `exp` is absent. `-invalid-missing-exp`.
    case missingExpiry
    /// `exp` was 6 minutes ago. `-invalid-expired-exp`.
    case expired
    /// `exp` is a text.
    case expiryAsText
    /// `exp` is 1e300.
    case expiryOutOfRange
    /// Odd: `exp` has a fraction (RFC 7519 section 2).
    case expiryWithFraction
    /// `nonce` has a `1` at its end. `-nonce-invalid`, `-invalid-nonce`.
    case wrongNonce
    /// `nonce` is absent although one was sent. `-invalid-missing-nonce`.
    case missingNonce
    /// `nonce` is a list of the right one.
    case nonceAsArray
    /// `at_hash` is another access token's. `-invalid-athash`, there in the front channel.
    case wrongAtHash
    /// `at_hash` is the whole hash, not its left half.
    case wholeAtHash
    /// `c_hash` is another code's. `-invalid-chash`. Bites where an ID token stands beside the code.
    case wrongCodeHash
    /// `c_hash` is absent. `-missing-chash`.
    case missingCodeHash
    /// `s_hash` is another state's.
    case wrongStateHash
    /// `auth_time` was a day before the sign-in.
    case staleAuthenticationTime
    /// `auth_time` is absent, also where `max_age` was sent.
    case missingAuthenticationTime
    /// `acr` is none of those that were asked for.
    case wrongAuthenticationContext
    /// The claims have `iss` twice, both times the right one.
    case duplicateClaim
    /// The claims hold a list in a list in a list, 10,000 deep.
    case deepClaims
    /// A claim is text that is not UTF-8.
    case claimsNotUTF8

    // MARK: The second ID token of `code id_token`

    /// The token endpoint's ID token is another person's.
    case secondTokenWrongSubject
    /// The token endpoint's ID token has a `1` at the end of `iss`.
    case secondTokenWrongIssuer
    /// The token endpoint's ID token has a wrong signature.
    case secondTokenWrongSignature

    // MARK: Encrypted ID tokens; they bite where the client registered a key for encryption

    /// What is encrypted is a token that is not signed.
    case encryptedUnsigned
    /// What is encrypted are the claims, without any token around them.
    case encryptedClaims
    /// `zip` is there.
    case encryptedCompressed
    /// `alg` says `RSA1_5`.
    case encryptedRSA15
    /// `alg` says `PBES2-HS256+A128KW`, with as many rounds as a number can say.
    case encryptedPBES2
    /// The authentication tag is changed.
    case encryptedWrongTag

    // MARK: UserInfo

    /// `sub` of UserInfo has `invalid` at its end. `-userinfo-invalid-sub`.
    case userInfoWrongSubject
    /// UserInfo has no `sub`.
    case userInfoMissingSubject
    /// UserInfo is a page for people.
    case userInfoIsHTML
    /// UserInfo is signed, wrongly. Bites where the client is registered for signed UserInfo, like the next three.
    case userInfoWrongSignature
    /// UserInfo is a token that is not signed.
    case userInfoAlgorithmNone
    /// `iss` of UserInfo has a `1` at its end.
    case userInfoWrongIssuer
    /// `aud` of UserInfo has a `1` at its end.
    case userInfoWrongAudience

    // MARK: Refresh and revocation

    /// `iss` of a refreshed ID token has a `1` at its end. `-refresh-token-invalid-issuer`.
    case refreshedWrongIssuer
    /// A refreshed ID token is another person's. `-refresh-token-invalid-sub`.
    case refreshedWrongSubject
    /// Odd: UserInfo takes an access token only after two refreshes.
    /// `fapi2-security-profile-final-client-refresh-token-test`.
    case accessTokensAgeFast
    /// The revocation endpoint answers 503 with `Retry-After: 7`.
    case revocationUnavailable
}
