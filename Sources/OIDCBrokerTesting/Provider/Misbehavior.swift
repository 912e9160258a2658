// SPDX-License-Identifier: Apache-2.0

/// What an ``OpenIDProvider`` does wrong, or oddly. One thing at a time, everything else stays honest.
///
/// Where the OpenID conformance suite has a module for it, the module is named, without its prefix `oidcc-client-test`
/// or `fapi2-security-profile-final-client-test`; "the suite" changes the same value in the same way. "Odd" is what a
/// provider may do and a client must bear; everything else a client must refuse. To add one, add a case here and one
/// line where it bites.
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

    /// Every misbehavior that there is today.
    package static let all = Kind.allCases.map { Misbehavior($0) }

    public var description: String { kind.rawValue }

    /// Nothing: the provider is honest. `oidcc-client-test`.
    public static let none = Misbehavior(.none)

    // MARK: Metadata

    /// Discovery answers 503.
    public static let discoveryUnavailable = Misbehavior(.discoveryUnavailable)
    /// The issuer in the metadata has `INVALID` at its end. `-discovery-issuer-mismatch`.
    public static let issuerMismatch = Misbehavior(.issuerMismatch)
    /// Discovery answers 302 to another path, which would answer honestly.
    public static let redirectFromDiscovery = Misbehavior(.redirectFromDiscovery)
    /// Discovery answers 200 with a page for people.
    public static let discoveryIsHTML = Misbehavior(.discoveryIsHTML)
    /// The metadata are correct and 512 KB long.
    public static let oversizedDiscovery = Misbehavior(.oversizedDiscovery)
    /// The metadata have `issuer` twice, both times the right one.
    public static let duplicateMetadataMember = Misbehavior(.duplicateMetadataMember)
    /// The metadata begin with a byte order mark (RFC 8259 section 8.1 forbids it).
    public static let metadataWithByteOrderMark = Misbehavior(.metadataWithByteOrderMark)
    /// The metadata have no `token_endpoint`.
    public static let missingTokenEndpoint = Misbehavior(.missingTokenEndpoint)
    /// `token_endpoint` is http, and not of this machine.
    public static let plainHTTPTokenEndpoint = Misbehavior(.plainHTTPTokenEndpoint)
    /// Odd: the metadata do not announce PKCE. A client uses it all the same (RFC 9700 section 2.1.1).
    public static let omitsCodeChallengeMethods = Misbehavior(.omitsCodeChallengeMethods)

    // MARK: Key set

    /// The key set answers 503.
    public static let keySetUnavailable = Misbehavior(.keySetUnavailable)
    /// Odd: the keys are replaced between the client's fetch of the key set and the signing of this token, at every
    /// token that is signed. `-signing-key-rotation-just-before-signing`.
    public static let rotatedJustBeforeSigning = Misbehavior(.rotatedJustBeforeSigning)
    /// Odd: `jwks_uri` is another path each time a provider starts. `-discovery-jwks-uri-keys`.
    public static let keySetAtRandomPath = Misbehavior(.keySetAtRandomPath)
    /// Odd: the token has no `kid`, nor has the only key. `-kid-absent-single-jwks`.
    public static let keyIDAbsentSingleKey = Misbehavior(.keyIDAbsentSingleKey)
    /// Odd: the token has no `kid`; three keys each of RSA, P-256, secp256k1 and Ed25519 have neither `kid` nor `alg`.
    /// `-kid-absent-multiple-jwks`.
    public static let keyIDAbsentManyKeys = Misbehavior(.keyIDAbsentManyKeys)
    /// Odd: beside the key stand a symmetric one of the same `kid`, one with its private part, one of an unknown type,
    /// one of 1024 bits, one with an exponent of 1, one with an even modulus, one that is not base64url, and a number.
    public static let oddKeys = Misbehavior(.oddKeys)
    /// The key set has 101 keys.
    public static let tooManyKeys = Misbehavior(.tooManyKeys)
    /// The key set is correct and more than 512 KB long.
    public static let oversizedKeySet = Misbehavior(.oversizedKeySet)

    // MARK: Authorization response

    /// `iss` is absent although the metadata announces it (RFC 9207 section 2.4).
    /// `-remove-authorization-response-iss`.
    public static let omitsIssuer = Misbehavior(.omitsIssuer)
    /// `iss` has a `1` at its end. `-invalid-authorization-response-iss`.
    public static let wrongIssuerInAuthorizationResponse = Misbehavior(.wrongIssuerInAuthorizationResponse)
    /// `state` is another. `-ensure-authorization-response-with-invalid-state-fails`.
    public static let wrongStateInAuthorizationResponse = Misbehavior(.wrongStateInAuthorizationResponse)
    /// `state` is absent. `-ensure-authorization-response-with-invalid-missing-state-fails`.
    public static let omitsState = Misbehavior(.omitsState)
    /// `code` stands there twice.
    public static let duplicateCode = Misbehavior(.duplicateCode)
    /// `code` is there and empty.
    public static let emptyCode = Misbehavior(.emptyCode)
    /// `code` has 4,097 characters.
    public static let oversizedCode = Misbehavior(.oversizedCode)
    /// `error` stands beside the code: it is an error.
    public static let errorBesideCode = Misbehavior(.errorBesideCode)
    /// The answer comes in another response mode than the one that was asked for.
    public static let otherResponseMode = Misbehavior(.otherResponseMode)
    /// Odd: an ID token and an access token stand beside the code, neither asked for and both wrong. A client ignores
    /// them (RFC 9700 section 4.6). Does nothing where an ID token was asked for.
    public static let tokensBesideCode = Misbehavior(.tokensBesideCode)

    // MARK: Pushed authorization requests

    /// The endpoint answers 503.
    public static let pushedAuthorizationUnavailable = Misbehavior(.pushedAuthorizationUnavailable)
    /// The endpoint answers 400 with `invalid_request`.
    public static let pushedAuthorizationRefused = Misbehavior(.pushedAuthorizationRefused)
    /// The endpoint answers 200, where RFC 9126 section 2.2 says 201.
    public static let pushedAuthorizationStatusOK = Misbehavior(.pushedAuthorizationStatusOK)

    // MARK: Token endpoint

    /// The token endpoint answers 503.
    public static let tokenEndpointUnavailable = Misbehavior(.tokenEndpointUnavailable)
    /// The token endpoint answers 429 with `Retry-After: 7`.
    public static let tooManyTokenRequests = Misbehavior(.tooManyTokenRequests)
    /// The token endpoint answers 400 with `invalid_grant`.
    public static let errorFromTokenEndpoint = Misbehavior(.errorFromTokenEndpoint)
    /// The token response is correct, and has `error` as well.
    public static let errorBesideTokens = Misbehavior(.errorBesideTokens)
    /// The token endpoint answers 307 to another path, which would answer honestly.
    public static let redirectFromTokenEndpoint = Misbehavior(.redirectFromTokenEndpoint)
    /// The token response is compressed, though nobody asked for it.
    public static let contentEncodingGzip = Misbehavior(.contentEncodingGzip)
    /// The token response is correct and 512 KB long.
    public static let oversizedTokenResponse = Misbehavior(.oversizedTokenResponse)
    /// The token response has `id_token` twice, both times the same.
    public static let duplicateTokenMember = Misbehavior(.duplicateTokenMember)
    /// The token response has no `id_token`.
    public static let missingIDToken = Misbehavior(.missingIDToken)
    /// `id_token` is null.
    public static let nullIDToken = Misbehavior(.nullIDToken)
    /// `token_type` is absent.
    public static let omitsTokenType = Misbehavior(.omitsTokenType)
    /// `token_type` is one that no client here knows.
    public static let unknownTokenType = Misbehavior(.unknownTokenType)
    /// Odd: `token_type` is `bEARER`. `-token-type-case-insensitivity`.
    public static let oddTokenTypeCase = Misbehavior(.oddTokenTypeCase)
    /// Odd: `expires_in` is absent. `-token-endpoint-response-without-expires_in`.
    public static let omitsExpiresIn = Misbehavior(.omitsExpiresIn)
    /// Odd: `scope` is there and empty: nothing beyond `openid` was granted.
    public static let emptyScope = Misbehavior(.emptyScope)

    // MARK: ID token, form and signature

    /// Every byte of the signature is changed, as the suite does it: XOR 0x5A. `-invalid-sig-rs256`, `-es256`, `-hs256`.
    public static let wrongSignature = Misbehavior(.wrongSignature)
    /// The token is not signed, `alg` is `none`. `-idtoken-sig-none`, `-invalid-null-alg`.
    public static let algorithmNone = Misbehavior(.algorithmNone)
    /// The token is not signed, `alg` is `nOnE`.
    public static let algorithmNoneOddCase = Misbehavior(.algorithmNoneOddCase)
    /// The signature is good, `alg` is absent.
    public static let missingAlgorithm = Misbehavior(.missingAlgorithm)
    /// The signature is good, `alg` is null.
    public static let nullAlgorithm = Misbehavior(.nullAlgorithm)
    /// The signature is good, `alg` is a number.
    public static let numericAlgorithm = Misbehavior(.numericAlgorithm)
    /// The signature is empty, `alg` is the right one.
    public static let emptySignature = Misbehavior(.emptySignature)
    /// Every byte of the signature is zero.
    public static let zeroSignature = Misbehavior(.zeroSignature)
    /// The signature is right and in DER, where JOSE has the bare numbers; of ES256 only, else like ``zeroSignature``.
    public static let derSignature = Misbehavior(.derSignature)
    /// Signed with an algorithm that the metadata do not announce, by a key that is in the key set and fits.
    /// `-invalid-alternate-alg`.
    public static let alternateAlgorithm = Misbehavior(.alternateAlgorithm)
    /// HS256, keyed with the bytes of the public key (RFC 8725 section 2.1).
    public static let hmacKeyedWithPublicKey = Misbehavior(.hmacKeyedWithPublicKey)
    /// HS256, keyed with the client secret, although the client is not registered for that.
    public static let hmacKeyedWithClientSecret = Misbehavior(.hmacKeyedWithClientSecret)
    /// `kid` names a key that no key set has; the signature is the current key's.
    public static let unknownKeyID = Misbehavior(.unknownKeyID)
    /// The header brings its own key (`jwk`, `x5c`) and says where it is (`jku`, `x5u`); the signature is that key's.
    public static let embeddedKey = Misbehavior(.embeddedKey)
    /// `kid` has 2,000 characters.
    public static let oversizedKeyID = Misbehavior(.oversizedKeyID)
    /// `kid` is a number.
    public static let numericKeyID = Misbehavior(.numericKeyID)
    /// `crit` names an extension that nobody knows.
    public static let criticalExtension = Misbehavior(.criticalExtension)
    /// `b64` is false and critical (RFC 7797).
    public static let unencodedPayload = Misbehavior(.unencodedPayload)
    /// The header has `alg` twice.
    public static let duplicateHeaderMember = Misbehavior(.duplicateHeaderMember)
    /// There is a fourth segment.
    public static let fourSegments = Misbehavior(.fourSegments)
    /// The segments are padded with `=`.
    public static let paddedSegments = Misbehavior(.paddedSegments)
    /// There is a space at the end of the token.
    public static let trailingSpace = Misbehavior(.trailingSpace)
    /// The token is correct and longer than 64 KB.
    public static let oversizedToken = Misbehavior(.oversizedToken)
    /// `typ` is an access token's (RFC 9068).
    public static let accessTokenType = Misbehavior(.accessTokenType)
    /// The token is a logout token as well: `events` is there.
    public static let logoutTokenEvents = Misbehavior(.logoutTokenEvents)

    // MARK: ID token, claims

    /// `iss` has a `1` at its end. `-invalid-iss`.
    public static let wrongIssuer = Misbehavior(.wrongIssuer)
    /// `iss` has a `/` at its end.
    public static let issuerWithSlash = Misbehavior(.issuerWithSlash)
    /// `iss` is absent. `-invalid-missing-iss`.
    public static let missingIssuer = Misbehavior(.missingIssuer)
    /// `aud` has a `1` at its end. `-invalid-aud`.
    public static let wrongAudience = Misbehavior(.wrongAudience)
    /// `aud` is absent. `-missing-aud`, `-invalid-missing-aud`.
    public static let missingAudience = Misbehavior(.missingAudience)
    /// `aud` is an empty list.
    public static let emptyAudience = Misbehavior(.emptyAudience)
    /// Odd: `aud` is a list of the client alone. `-valid-aud-as-array`.
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
    /// `sub` is the client's own id (RFC 9700 section 4.15).
    public static let subjectIsClient = Misbehavior(.subjectIsClient)
    /// `iat` is absent. `-missing-iat`.
    public static let missingIssuedAt = Misbehavior(.missingIssuedAt)
    /// `iat` is in 11 minutes.
    public static let issuedInFuture = Misbehavior(.issuedInFuture)
    /// `iat` was a week ago.
    public static let issuedAWeekAgo = Misbehavior(.issuedAWeekAgo)
    /// `iat` is -1.
    public static let negativeIssuedAt = Misbehavior(.negativeIssuedAt)
    /// `nbf` is in 11 minutes.
    public static let notYetValid = Misbehavior(.notYetValid)
    /// `exp` is absent. `-invalid-missing-exp`.
    public static let missingExpiry = Misbehavior(.missingExpiry)
    /// `exp` was 6 minutes ago. `-invalid-expired-exp`.
    public static let expired = Misbehavior(.expired)
    /// `exp` is a text.
    public static let expiryAsText = Misbehavior(.expiryAsText)
    /// `exp` is 1e300.
    public static let expiryOutOfRange = Misbehavior(.expiryOutOfRange)
    /// Odd: `exp` has a fraction (RFC 7519 section 2).
    public static let expiryWithFraction = Misbehavior(.expiryWithFraction)
    /// `nonce` has a `1` at its end. `-nonce-invalid`, `-invalid-nonce`.
    public static let wrongNonce = Misbehavior(.wrongNonce)
    /// `nonce` is absent although one was sent. `-invalid-missing-nonce`.
    public static let missingNonce = Misbehavior(.missingNonce)
    /// `nonce` is a list of the right one.
    public static let nonceAsArray = Misbehavior(.nonceAsArray)
    /// `at_hash` is another access token's. `-invalid-athash`, there in the front channel.
    public static let wrongAtHash = Misbehavior(.wrongAtHash)
    /// `at_hash` is the whole hash, not its left half.
    public static let wholeAtHash = Misbehavior(.wholeAtHash)
    /// `c_hash` is another code's. `-invalid-chash`. Bites where an ID token stands beside the code.
    public static let wrongCodeHash = Misbehavior(.wrongCodeHash)
    /// `c_hash` is absent. `-missing-chash`.
    public static let missingCodeHash = Misbehavior(.missingCodeHash)
    /// `s_hash` is another state's.
    public static let wrongStateHash = Misbehavior(.wrongStateHash)
    /// `auth_time` was a day before the sign-in.
    public static let staleAuthenticationTime = Misbehavior(.staleAuthenticationTime)
    /// `auth_time` is absent, also where `max_age` was sent.
    public static let missingAuthenticationTime = Misbehavior(.missingAuthenticationTime)
    /// `acr` is none of those that were asked for.
    public static let wrongAuthenticationContext = Misbehavior(.wrongAuthenticationContext)
    /// The claims have `iss` twice, both times the right one.
    public static let duplicateClaim = Misbehavior(.duplicateClaim)
    /// The claims hold a list in a list in a list, 10,000 deep.
    public static let deepClaims = Misbehavior(.deepClaims)
    /// A claim is text that is not UTF-8.
    public static let claimsNotUTF8 = Misbehavior(.claimsNotUTF8)

    // MARK: The second ID token of `code id_token`

    /// The token endpoint's ID token is another person's.
    public static let secondTokenWrongSubject = Misbehavior(.secondTokenWrongSubject)
    /// The token endpoint's ID token has a `1` at the end of `iss`.
    public static let secondTokenWrongIssuer = Misbehavior(.secondTokenWrongIssuer)
    /// The token endpoint's ID token has a wrong signature.
    public static let secondTokenWrongSignature = Misbehavior(.secondTokenWrongSignature)

    // MARK: Encrypted ID tokens; they bite where the client registered a key for encryption

    /// What is encrypted is a token that is not signed.
    public static let encryptedUnsigned = Misbehavior(.encryptedUnsigned)
    /// What is encrypted are the claims, without any token around them.
    public static let encryptedClaims = Misbehavior(.encryptedClaims)
    /// `zip` is there.
    public static let encryptedCompressed = Misbehavior(.encryptedCompressed)
    /// `alg` says `RSA1_5`.
    public static let encryptedRSA15 = Misbehavior(.encryptedRSA15)
    /// `alg` says `PBES2-HS256+A128KW`, with as many rounds as a number can say.
    public static let encryptedPBES2 = Misbehavior(.encryptedPBES2)
    /// The authentication tag is changed.
    public static let encryptedWrongTag = Misbehavior(.encryptedWrongTag)

    // MARK: UserInfo

    /// `sub` of UserInfo has `invalid` at its end. `-userinfo-invalid-sub`.
    public static let userInfoWrongSubject = Misbehavior(.userInfoWrongSubject)
    /// UserInfo has no `sub`.
    public static let userInfoMissingSubject = Misbehavior(.userInfoMissingSubject)
    /// UserInfo is a page for people.
    public static let userInfoIsHTML = Misbehavior(.userInfoIsHTML)
    /// UserInfo is signed, wrongly. Bites where the client is registered for signed UserInfo, like the next three.
    public static let userInfoWrongSignature = Misbehavior(.userInfoWrongSignature)
    /// UserInfo is a token that is not signed.
    public static let userInfoAlgorithmNone = Misbehavior(.userInfoAlgorithmNone)
    /// `iss` of UserInfo has a `1` at its end.
    public static let userInfoWrongIssuer = Misbehavior(.userInfoWrongIssuer)
    /// `aud` of UserInfo has a `1` at its end.
    public static let userInfoWrongAudience = Misbehavior(.userInfoWrongAudience)

    // MARK: Refresh and revocation

    /// `iss` of a refreshed ID token has a `1` at its end. `-refresh-token-invalid-issuer`.
    public static let refreshedWrongIssuer = Misbehavior(.refreshedWrongIssuer)
    /// A refreshed ID token is another person's. `-refresh-token-invalid-sub`.
    public static let refreshedWrongSubject = Misbehavior(.refreshedWrongSubject)
    /// Odd: UserInfo takes an access token only after two refreshes.
    /// `fapi2-security-profile-final-client-refresh-token-test`.
    public static let accessTokensAgeFast = Misbehavior(.accessTokensAgeFast)
    /// The revocation endpoint answers 503 with `Retry-After: 7`.
    public static let revocationUnavailable = Misbehavior(.revocationUnavailable)
}
