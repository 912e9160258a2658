// SPDX-License-Identifier: Apache-2.0

/// A single error or oddity of an ``OpenIDProvider``. Everything else about the provider remains correct.
///
/// If the OpenID conformance suite has a module for it, the module is named, without its prefix `oidcc-client-test` or
/// `fapi2-security-profile-final-client-test`; "the suite" changes the same value in the same way. "Odd" marks behavior
/// that is allowed and that a client must accept; a client must refuse everything else. To add a misbehavior, add a
/// case here and a line where it takes effect.
public struct Misbehavior: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        case none, discoveryUnavailable, issuerMismatch, redirectFromDiscovery, discoveryIsHTML, oversizedDiscovery,
            duplicateMetadataMember, metadataWithByteOrderMark, missingTokenEndpoint, plainHTTPTokenEndpoint,
            omitsCodeChallengeMethods, keySetUnavailable, rotatedJustBeforeSigning, keySetAtRandomPath,
            keyIDAbsentSingleKey, keyIDAbsentManyKeys, oddKeys, tooManyKeys, oversizedKeySet, omitsIssuer,
            wrongIssuerInAuthorizationResponse, wrongStateInAuthorizationResponse, omitsState, duplicateCode,
            emptyCode, oversizedCode, errorBesideCode, otherResponseMode, tokensBesideCode,
            pushedAuthorizationUnavailable, pushedAuthorizationRefused, pushedAuthorizationStatusOK,
            tokenEndpointUnavailable, tooManyTokenRequests, errorFromTokenEndpoint, errorBesideTokens,
            redirectFromTokenEndpoint, contentEncodingGzip, oversizedTokenResponse, duplicateTokenMember,
            missingIDToken, nullIDToken, omitsTokenType, unknownTokenType, oddTokenTypeCase, omitsExpiresIn,
            emptyScope, wrongSignature, algorithmNone, algorithmNoneOddCase, missingAlgorithm, nullAlgorithm,
            numericAlgorithm, emptySignature, zeroSignature, derSignature, alternateAlgorithm, hmacKeyedWithPublicKey,
            hmacKeyedWithClientSecret, unknownKeyID, embeddedKey, oversizedKeyID, numericKeyID, criticalExtension,
            unencodedPayload, duplicateHeaderMember, fourSegments, paddedSegments, trailingSpace, oversizedToken,
            accessTokenType, logoutTokenEvents, wrongIssuer, issuerWithSlash, missingIssuer, wrongAudience,
            missingAudience, emptyAudience, audienceAsArray, multipleAudiencesNoAzp, multipleAudiencesWithAzp,
            wrongAzp, missingSubject, emptySubject, oversizedSubject, numericSubject, subjectIsClient,
            missingIssuedAt, issuedInFuture, issuedAWeekAgo, negativeIssuedAt, notYetValid, missingExpiry, expired,
            expiryAsText, expiryOutOfRange, expiryWithFraction, wrongNonce, missingNonce, nonceAsArray, wrongAtHash,
            wholeAtHash, wrongCodeHash, missingCodeHash, wrongStateHash, staleAuthenticationTime,
            missingAuthenticationTime, wrongAuthenticationContext, duplicateClaim, deepClaims, claimsNotUTF8,
            secondTokenWrongSubject, secondTokenWrongIssuer, secondTokenWrongSignature, encryptedUnsigned,
            encryptedClaims, encryptedCompressed, encryptedRSA15, encryptedPBES2, encryptedWrongTag,
            userInfoWrongSubject, userInfoMissingSubject, userInfoIsHTML, userInfoWrongSignature,
            userInfoAlgorithmNone, userInfoWrongIssuer, userInfoWrongAudience, refreshedWrongIssuer,
            refreshedWrongSubject, accessTokensAgeFast, revocationUnavailable
    }

    package let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// Every misbehavior that there is today; a later version may have more.
    public static let all = Kind.allCases.map { Misbehavior($0) }

    public var description: String { kind.rawValue }

    /// No misbehavior. `oidcc-client-test`.
    public static let none = Misbehavior(.none)

    // MARK: Metadata

    /// The metadata endpoint responds with 503.
    public static let discoveryUnavailable = Misbehavior(.discoveryUnavailable)
    /// The issuer in the metadata ends in an additional `INVALID`. `-discovery-issuer-mismatch`.
    public static let issuerMismatch = Misbehavior(.issuerMismatch)
    /// The metadata endpoint responds with 302 to another path, which would return valid metadata.
    public static let redirectFromDiscovery = Misbehavior(.redirectFromDiscovery)
    /// The metadata endpoint responds with 200 and an HTML page.
    public static let discoveryIsHTML = Misbehavior(.discoveryIsHTML)
    /// The metadata is valid and 512 KB long.
    public static let oversizedDiscovery = Misbehavior(.oversizedDiscovery)
    /// The metadata contains `issuer` twice, with the right value both times.
    public static let duplicateMetadataMember = Misbehavior(.duplicateMetadataMember)
    /// The metadata begins with a byte order mark, which RFC 8259 section 8.1 forbids.
    public static let metadataWithByteOrderMark = Misbehavior(.metadataWithByteOrderMark)
    /// The metadata has no `token_endpoint`.
    public static let missingTokenEndpoint = Misbehavior(.missingTokenEndpoint)
    /// `token_endpoint` is an http URL on another host than loopback.
    public static let plainHTTPTokenEndpoint = Misbehavior(.plainHTTPTokenEndpoint)
    /// Odd: the metadata does not announce PKCE. A client uses it anyway (RFC 9700 section 2.1.1).
    public static let omitsCodeChallengeMethods = Misbehavior(.omitsCodeChallengeMethods)

    // MARK: Key set

    /// The key set endpoint responds with 503.
    public static let keySetUnavailable = Misbehavior(.keySetUnavailable)
    /// Odd: for each token, the keys are replaced between the client's fetch of the key set and the signing.
    /// `-signing-key-rotation-just-before-signing`.
    public static let rotatedJustBeforeSigning = Misbehavior(.rotatedJustBeforeSigning)
    /// Odd: `jwks_uri` has another path each time a provider starts. `-discovery-jwks-uri-keys`.
    public static let keySetAtRandomPath = Misbehavior(.keySetAtRandomPath)
    /// Odd: neither the token nor the only key has a `kid`. `-kid-absent-single-jwks`.
    public static let keyIDAbsentSingleKey = Misbehavior(.keyIDAbsentSingleKey)
    /// Odd: the token has no `kid`; three keys each of RSA, P-256, secp256k1 and Ed25519 have neither `kid` nor `alg`.
    /// `-kid-absent-multiple-jwks`.
    public static let keyIDAbsentManyKeys = Misbehavior(.keyIDAbsentManyKeys)
    /// Odd: in addition to the key there are a symmetric key with the same `kid`, a key with its private half, one of
    /// an unknown type, one of 1024 bits, one with an exponent of 1, one with an even modulus, one that is not
    /// base64url, and a number.
    public static let oddKeys = Misbehavior(.oddKeys)
    /// The key set has 101 keys.
    public static let tooManyKeys = Misbehavior(.tooManyKeys)
    /// The key set is valid and longer than 512 KB.
    public static let oversizedKeySet = Misbehavior(.oversizedKeySet)

    // MARK: Authorization response

    /// `iss` is absent although the metadata announces it (RFC 9207 section 2.4).
    /// `-remove-authorization-response-iss`.
    public static let omitsIssuer = Misbehavior(.omitsIssuer)
    /// `iss` ends in an additional `1`. `-invalid-authorization-response-iss`.
    public static let wrongIssuerInAuthorizationResponse = Misbehavior(.wrongIssuerInAuthorizationResponse)
    /// `state` has another value. `-ensure-authorization-response-with-invalid-state-fails`.
    public static let wrongStateInAuthorizationResponse = Misbehavior(.wrongStateInAuthorizationResponse)
    /// `state` is absent. `-ensure-authorization-response-with-invalid-missing-state-fails`.
    public static let omitsState = Misbehavior(.omitsState)
    /// `code` occurs twice.
    public static let duplicateCode = Misbehavior(.duplicateCode)
    /// `code` is empty.
    public static let emptyCode = Misbehavior(.emptyCode)
    /// `code` has 4,097 characters.
    public static let oversizedCode = Misbehavior(.oversizedCode)
    /// There is an `error` in addition to the code. The response is an error.
    public static let errorBesideCode = Misbehavior(.errorBesideCode)
    /// The response has another response mode than the requested one.
    public static let otherResponseMode = Misbehavior(.otherResponseMode)
    /// Odd: there are an ID token and an access token in addition to the code, neither requested and both invalid. A
    /// client ignores them (RFC 9700 section 4.6). Has no effect if an ID token was requested.
    public static let tokensBesideCode = Misbehavior(.tokensBesideCode)

    // MARK: Pushed authorization requests

    /// The endpoint responds with 503.
    public static let pushedAuthorizationUnavailable = Misbehavior(.pushedAuthorizationUnavailable)
    /// The endpoint responds with 400 and `invalid_request`.
    public static let pushedAuthorizationRefused = Misbehavior(.pushedAuthorizationRefused)
    /// The endpoint responds with 200 instead of the 201 that RFC 9126 section 2.2 requires.
    public static let pushedAuthorizationStatusOK = Misbehavior(.pushedAuthorizationStatusOK)

    // MARK: Token endpoint

    /// The token endpoint responds with 503.
    public static let tokenEndpointUnavailable = Misbehavior(.tokenEndpointUnavailable)
    /// The token endpoint responds with 429 and `Retry-After: 7`.
    public static let tooManyTokenRequests = Misbehavior(.tooManyTokenRequests)
    /// The token endpoint responds with 400 and `invalid_grant`.
    public static let errorFromTokenEndpoint = Misbehavior(.errorFromTokenEndpoint)
    /// The token response is valid, but also contains `error`.
    public static let errorBesideTokens = Misbehavior(.errorBesideTokens)
    /// The token endpoint responds with 307 to another path, which would return a valid response.
    public static let redirectFromTokenEndpoint = Misbehavior(.redirectFromTokenEndpoint)
    /// The token response is compressed, although the client did not accept that.
    public static let contentEncodingGzip = Misbehavior(.contentEncodingGzip)
    /// The token response is valid and 512 KB long.
    public static let oversizedTokenResponse = Misbehavior(.oversizedTokenResponse)
    /// The token response contains `id_token` twice, with the same value.
    public static let duplicateTokenMember = Misbehavior(.duplicateTokenMember)
    /// The token response has no `id_token`.
    public static let missingIDToken = Misbehavior(.missingIDToken)
    /// `id_token` is null.
    public static let nullIDToken = Misbehavior(.nullIDToken)
    /// `token_type` is absent.
    public static let omitsTokenType = Misbehavior(.omitsTokenType)
    /// `token_type` is unknown.
    public static let unknownTokenType = Misbehavior(.unknownTokenType)
    /// Odd: `token_type` is `bEARER`. `-token-type-case-insensitivity`.
    public static let oddTokenTypeCase = Misbehavior(.oddTokenTypeCase)
    /// Odd: `expires_in` is absent. `-token-endpoint-response-without-expires_in`.
    public static let omitsExpiresIn = Misbehavior(.omitsExpiresIn)
    /// Odd: `scope` is empty: nothing beyond `openid` was granted.
    public static let emptyScope = Misbehavior(.emptyScope)

    // MARK: ID token, form and signature

    /// Every byte of the signature is XORed with 0x5A, as in the suite. `-invalid-sig-rs256`, `-es256`, `-hs256`.
    public static let wrongSignature = Misbehavior(.wrongSignature)
    /// The token is not signed, `alg` is `none`. `-idtoken-sig-none`, `-invalid-null-alg`.
    public static let algorithmNone = Misbehavior(.algorithmNone)
    /// The token is not signed, `alg` is `nOnE`.
    public static let algorithmNoneOddCase = Misbehavior(.algorithmNoneOddCase)
    /// The signature is valid, `alg` is absent.
    public static let missingAlgorithm = Misbehavior(.missingAlgorithm)
    /// The signature is valid, `alg` is null.
    public static let nullAlgorithm = Misbehavior(.nullAlgorithm)
    /// The signature is valid, `alg` is a number.
    public static let numericAlgorithm = Misbehavior(.numericAlgorithm)
    /// The signature is empty, `alg` is the right one.
    public static let emptySignature = Misbehavior(.emptySignature)
    /// Every byte of the signature is zero.
    public static let zeroSignature = Misbehavior(.zeroSignature)
    /// The signature is valid, but in DER instead of the format of JOSE. Only for ES256, otherwise like
    /// ``zeroSignature``.
    public static let derSignature = Misbehavior(.derSignature)
    /// The token is signed with an algorithm that the metadata does not announce, by a key in the key set that fits.
    /// `-invalid-alternate-alg`.
    public static let alternateAlgorithm = Misbehavior(.alternateAlgorithm)
    /// HS256, keyed with the bytes of the public key (RFC 8725 section 2.1).
    public static let hmacKeyedWithPublicKey = Misbehavior(.hmacKeyedWithPublicKey)
    /// HS256, keyed with the client secret, although the client is not registered for that.
    public static let hmacKeyedWithClientSecret = Misbehavior(.hmacKeyedWithClientSecret)
    /// `kid` names a key that is not in the key set; the signature is by the current key.
    public static let unknownKeyID = Misbehavior(.unknownKeyID)
    /// The header contains its own key (`jwk`, `x5c`) and its location (`jku`, `x5u`); the signature is by that key.
    public static let embeddedKey = Misbehavior(.embeddedKey)
    /// `kid` has 2,000 characters.
    public static let oversizedKeyID = Misbehavior(.oversizedKeyID)
    /// `kid` is a number.
    public static let numericKeyID = Misbehavior(.numericKeyID)
    /// `crit` names an unknown extension.
    public static let criticalExtension = Misbehavior(.criticalExtension)
    /// `b64` is false and critical (RFC 7797).
    public static let unencodedPayload = Misbehavior(.unencodedPayload)
    /// The header contains `alg` twice.
    public static let duplicateHeaderMember = Misbehavior(.duplicateHeaderMember)
    /// There is a fourth segment.
    public static let fourSegments = Misbehavior(.fourSegments)
    /// The segments are padded with `=`.
    public static let paddedSegments = Misbehavior(.paddedSegments)
    /// There is a space at the end of the token.
    public static let trailingSpace = Misbehavior(.trailingSpace)
    /// The token is valid and longer than 64 KB.
    public static let oversizedToken = Misbehavior(.oversizedToken)
    /// `typ` is that of an access token (RFC 9068).
    public static let accessTokenType = Misbehavior(.accessTokenType)
    /// The token is also a logout token: it has `events`.
    public static let logoutTokenEvents = Misbehavior(.logoutTokenEvents)

    // MARK: ID token, claims

    /// `iss` ends in an additional `1`. `-invalid-iss`.
    public static let wrongIssuer = Misbehavior(.wrongIssuer)
    /// `iss` ends in an additional `/`.
    public static let issuerWithSlash = Misbehavior(.issuerWithSlash)
    /// `iss` is absent. `-invalid-missing-iss`.
    public static let missingIssuer = Misbehavior(.missingIssuer)
    /// `aud` ends in an additional `1`. `-invalid-aud`.
    public static let wrongAudience = Misbehavior(.wrongAudience)
    /// `aud` is absent. `-missing-aud`, `-invalid-missing-aud`.
    public static let missingAudience = Misbehavior(.missingAudience)
    /// `aud` is an empty array.
    public static let emptyAudience = Misbehavior(.emptyAudience)
    /// Odd: `aud` is an array that contains only the client. `-valid-aud-as-array`.
    public static let audienceAsArray = Misbehavior(.audienceAsArray)
    /// `aud` has a second, unknown audience and there is no `azp`. `-invalid-secondary-aud`.
    public static let multipleAudiencesNoAzp = Misbehavior(.multipleAudiencesNoAzp)
    /// `aud` has a second, unknown audience, and `azp` is the client.
    public static let multipleAudiencesWithAzp = Misbehavior(.multipleAudiencesWithAzp)
    /// `azp` names another client.
    public static let wrongAzp = Misbehavior(.wrongAzp)
    /// `sub` is absent. `-missing-sub`.
    public static let missingSubject = Misbehavior(.missingSubject)
    /// `sub` is empty.
    public static let emptySubject = Misbehavior(.emptySubject)
    /// `sub` has 256 characters.
    public static let oversizedSubject = Misbehavior(.oversizedSubject)
    /// `sub` is a number.
    public static let numericSubject = Misbehavior(.numericSubject)
    /// `sub` is the client ID (RFC 9700 section 4.15).
    public static let subjectIsClient = Misbehavior(.subjectIsClient)
    /// `iat` is absent. `-missing-iat`.
    public static let missingIssuedAt = Misbehavior(.missingIssuedAt)
    /// `iat` is 11 minutes in the future.
    public static let issuedInFuture = Misbehavior(.issuedInFuture)
    /// `iat` was a week ago.
    public static let issuedAWeekAgo = Misbehavior(.issuedAWeekAgo)
    /// `iat` is -1.
    public static let negativeIssuedAt = Misbehavior(.negativeIssuedAt)
    /// `nbf` is 11 minutes in the future.
    public static let notYetValid = Misbehavior(.notYetValid)
    /// `exp` is absent. `-invalid-missing-exp`.
    public static let missingExpiry = Misbehavior(.missingExpiry)
    /// `exp` was 6 minutes ago. `-invalid-expired-exp`.
    public static let expired = Misbehavior(.expired)
    /// `exp` is a string.
    public static let expiryAsText = Misbehavior(.expiryAsText)
    /// `exp` is 1e300.
    public static let expiryOutOfRange = Misbehavior(.expiryOutOfRange)
    /// Odd: `exp` has a fraction (RFC 7519 section 2).
    public static let expiryWithFraction = Misbehavior(.expiryWithFraction)
    /// `nonce` ends in an additional `1`. `-nonce-invalid`, `-invalid-nonce`.
    public static let wrongNonce = Misbehavior(.wrongNonce)
    /// `nonce` is absent although one was sent. `-invalid-missing-nonce`.
    public static let missingNonce = Misbehavior(.missingNonce)
    /// `nonce` is an array that contains the right value.
    public static let nonceAsArray = Misbehavior(.nonceAsArray)
    /// `at_hash` is that of another access token. `-invalid-athash`, which uses it in the front channel.
    public static let wrongAtHash = Misbehavior(.wrongAtHash)
    /// `at_hash` is the whole hash, not its left half.
    public static let wholeAtHash = Misbehavior(.wholeAtHash)
    /// `c_hash` is that of another code. `-invalid-chash`. Takes effect if there is an ID token in addition to the
    /// code.
    public static let wrongCodeHash = Misbehavior(.wrongCodeHash)
    /// `c_hash` is absent. `-missing-chash`.
    public static let missingCodeHash = Misbehavior(.missingCodeHash)
    /// `s_hash` is that of another state.
    public static let wrongStateHash = Misbehavior(.wrongStateHash)
    /// `auth_time` was a day before the sign-in.
    public static let staleAuthenticationTime = Misbehavior(.staleAuthenticationTime)
    /// `auth_time` is absent, even if `max_age` was sent.
    public static let missingAuthenticationTime = Misbehavior(.missingAuthenticationTime)
    /// `acr` is none of the requested values.
    public static let wrongAuthenticationContext = Misbehavior(.wrongAuthenticationContext)
    /// The claims contain `iss` twice, with the right value both times.
    public static let duplicateClaim = Misbehavior(.duplicateClaim)
    /// The claims contain arrays that are nested 10,000 deep.
    public static let deepClaims = Misbehavior(.deepClaims)
    /// A claim is a string that is not UTF-8.
    public static let claimsNotUTF8 = Misbehavior(.claimsNotUTF8)

    // MARK: The second ID token of `code id_token`

    /// The ID token of the token endpoint is that of another person.
    public static let secondTokenWrongSubject = Misbehavior(.secondTokenWrongSubject)
    /// The `iss` in the ID token of the token endpoint ends in an additional `1`.
    public static let secondTokenWrongIssuer = Misbehavior(.secondTokenWrongIssuer)
    /// The ID token of the token endpoint has a wrong signature.
    public static let secondTokenWrongSignature = Misbehavior(.secondTokenWrongSignature)

    // MARK: Encrypted ID tokens; they bite where the client registered a key for encryption

    /// The encrypted content is a token without a signature.
    public static let encryptedUnsigned = Misbehavior(.encryptedUnsigned)
    /// The encrypted content is the claims without a token.
    public static let encryptedClaims = Misbehavior(.encryptedClaims)
    /// The header has `zip`.
    public static let encryptedCompressed = Misbehavior(.encryptedCompressed)
    /// `alg` is `RSA1_5`.
    public static let encryptedRSA15 = Misbehavior(.encryptedRSA15)
    /// `alg` is `PBES2-HS256+A128KW`, with the largest possible number of iterations.
    public static let encryptedPBES2 = Misbehavior(.encryptedPBES2)
    /// The authentication tag is changed.
    public static let encryptedWrongTag = Misbehavior(.encryptedWrongTag)

    // MARK: UserInfo

    /// The `sub` of UserInfo ends in an additional `invalid`. `-userinfo-invalid-sub`.
    public static let userInfoWrongSubject = Misbehavior(.userInfoWrongSubject)
    /// UserInfo has no `sub`.
    public static let userInfoMissingSubject = Misbehavior(.userInfoMissingSubject)
    /// UserInfo is an HTML page.
    public static let userInfoIsHTML = Misbehavior(.userInfoIsHTML)
    /// UserInfo has a wrong signature. Like the next three, takes effect if the client is registered for signed
    /// UserInfo.
    public static let userInfoWrongSignature = Misbehavior(.userInfoWrongSignature)
    /// UserInfo is a token without a signature.
    public static let userInfoAlgorithmNone = Misbehavior(.userInfoAlgorithmNone)
    /// The `iss` of UserInfo ends in an additional `1`.
    public static let userInfoWrongIssuer = Misbehavior(.userInfoWrongIssuer)
    /// The `aud` of UserInfo ends in an additional `1`.
    public static let userInfoWrongAudience = Misbehavior(.userInfoWrongAudience)

    // MARK: Refresh and revocation

    /// The `iss` of a refreshed ID token ends in an additional `1`. `-refresh-token-invalid-issuer`.
    public static let refreshedWrongIssuer = Misbehavior(.refreshedWrongIssuer)
    /// A refreshed ID token is that of another person. `-refresh-token-invalid-sub`.
    public static let refreshedWrongSubject = Misbehavior(.refreshedWrongSubject)
    /// Odd: UserInfo accepts an access token only after two refreshes.
    /// `fapi2-security-profile-final-client-refresh-token-test`.
    public static let accessTokensAgeFast = Misbehavior(.accessTokensAgeFast)
    /// The revocation endpoint responds with 503 and `Retry-After: 7`.
    public static let revocationUnavailable = Misbehavior(.revocationUnavailable)
}
