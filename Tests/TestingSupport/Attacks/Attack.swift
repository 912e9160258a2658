// SPDX-License-Identifier: Apache-2.0

/// What an attacker, a misbehaving provider or bad luck does, and a test is about; named in a test by ``AttackTrait``.
///
/// Each stands in a row of one of ``AttackPart/all``, which says what it is, what must come of it and where it is
/// described. `Documentation/Reports/Conformance.md` lists them with the suites that have tests of them.
public enum Attack: String, CaseIterable, Sendable {
    // Authorization responses and their parameters.
    case missingOrDuplicateState
    case duplicateResponseParameter
    case codeBesideError
    case impossibleCode
    case hostileProviderError
    case silentLoginLoop
    case ambiguousEncoding
    case oversizedForm
    case wrongFormContentType
    case responseModeDowngrade
    case forgedSignedResponse
    case parametersInQueryAndBody
    case otherMethodOnCallback
    case prefetchedCallback
    case nearlyTheCallbackPath
    case spoofedHost

    // Logins, their state and their cookies.
    case replayedCallback
    case loginCSRF
    case expiredState
    case interleavedLogins
    case cookieBomb
    case cookieTossing
    case loginCookieOfAnotherProvider
    case sessionFixation
    case stateFixation
    case crossSiteFormPost
    case withheldCookie
    case tamperedState
    case callbackAtAnotherReplica
    case clockThatGoesBack
    case thirdPartyStart
    case stateOracle
    case parallelCallbacks

    // Between broker, provider and browser.
    case redirectURIPattern
    case codeInReferer
    case forcedErrorWithCode
    case tokenInBrowserHistory
    case mixUp
    case mixUpByCallbackPath
    case strippedIssuer
    case codeInjection
    case accessTokenInjection
    case pkceDowngrade
    case unboundAccessToken
    case openRedirection
    case redirectThatRepeatsThePost
    case forgedProxyFields
    case stolenRefreshToken
    case clientAsPerson
    case clickjacking
    case windowMessages
    case openerAccess
    case cacheDeception

    // Redirect URIs and the hand-off to the app.
    case nearlyARedirectURI
    case hostSuffix
    case hostileScheme
    case stolenAppCode
    case markupInClaims
    case splitHeaderFields

    // Signatures, keys and the form of tokens.
    case unsignedToken
    case algorithmConfusion
    case unregisteredSecretSignature
    case unexpectedAlgorithm
    case keyInHeader
    case hostileKeyID
    case unknownKeyFlood
    case publishedPrivateKey
    case hostileKeySet
    case degenerateECDSASignature
    case wrongKeyForAlgorithm
    case decoyKeys
    case unknownCriticalHeader
    case duplicateJSONMember
    case malformedCompactForm
    case hostileJSON
    case unsignedTokenInsideEncrypted
    case compressedToken
    case expensiveKeyDerivation
    case paddingOracle

    // Claims of ID tokens.
    case impossibleTimes
    case missingOrOldTimes
    case expiredToken
    case wrongAudience
    case nearlyTheIssuer
    case foreignTenant
    case replayedNonce
    case impossibleSubject
    case tokenOfAnotherKind
    case tokenOfAnotherClient
    case wrongTokenHash

    // Providers that misbehave, and the way to them.
    case hostileDiscovery
    case hostileTokenResponse
    case codeSentTwice
    case staleProviderDocuments
    case providerDownAtStart
    case secretsInLogs
    case proxyInTheWay
    case untrustedCertificate
    case providerClockSkew
    case wrongMediaType

    // Sign in with Apple.
    case appleClientSecret
    case applePrivateKey
    case unsignedAppleUser
    case textualAppleBooleans
    case missingAppleNonce
    case appleAudienceSwap
    case appleCancellation
    case forgedAppleNotification
    case foreignAppleRevocation
    case appleTransfer
    case appleRealUserStatus
    case appleDomainAssociation
    case appleScopesInQuery
    case appleFrontChannelToken

    /// What is done, in a sentence without its period.
    public var title: String { row.title }

    /// What must come of it.
    public var expected: String { row.expected }

    /// Where it is described: sections of standards, public advisories.
    public var reference: String { row.reference }

    private var row: AttackRow {
        Self.rows[self] ?? AttackRow(self, "", expected: "", reference: "")
    }

    private static let rows = Dictionary(
        AttackPart.all.flatMap(\.rows).map { ($0.attack, $0) }, uniquingKeysWith: { first, _ in first })
}
