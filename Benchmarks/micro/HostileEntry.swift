// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OpenIDConnect

/// An entry point for text of clients or providers, where the cost of comparisons must be linear in its length.
enum HostileEntry: String, CaseIterable {
    case pathOfRequest = "path"
    case authority
    case contentType = "content-type"
    case cookieName = "cookie-name"
    case cookieValue = "cookie-value"
    case fetchSite = "sec-fetch-site"
    case origin
    case basic
    case authorizeName = "authorize-name"
    case authorizeClientID = "authorize-client_id"
    case authorizeRedirectURI = "authorize-redirect_uri"
    case authorizeResponseType = "authorize-response_type"
    case authorizeResponseMode = "authorize-response_mode"
    case authorizeProvider = "authorize-provider"
    case authorizePrompt = "authorize-prompt"
    case authorizeScope = "authorize-scope"
    case authorizeMethod = "authorize-code_challenge_method"
    case handlerState = "handler-state"
    case handlerName = "handler-name"
    case handlerForm = "handler-form"
    case choose
    case proceed = "continue"
    case tokenName = "token-name"
    case tokenClientID = "token-client_id"
    case tokenGrantType = "token-grant_type"
    case tokenCode = "token-code"
    case tokenRedirectURI = "token-redirect_uri"
    case credentialProvider = "credential-provider"
    case credentialAlgorithm = "credential-alg"
    case revokeProvider = "revoke-provider"
    case revokeAlgorithm = "revoke-alg"
    case revokeKeyID = "revoke-kid"
    case revokeType = "revoke-typ"
    case revokeHeaderName = "revoke-header-name"
    case revokeHint = "revoke-token_type_hint"
    case metadataIssuer = "metadata-issuer"
    case metadataAlgorithms = "metadata-algorithms"
    case metadataMethods = "metadata-auth-methods"
    case metadataEndpoint = "metadata-endpoint"
    case metadataName = "metadata-name"
    case keyType = "jwks-kty"
    case keyCurve = "jwks-crv"
    case keyAlgorithm = "jwks-alg"
    case keyUse = "jwks-use"
    case keyOperations = "jwks-key_ops"
    case keyID = "jwks-kid"
    case tokenResponseType = "token-response-token_type"
    case tokenResponseScope = "token-response-scope"
    case tokenResponseError = "token-response-error"
    case providerEncoding = "provider-content-encoding"
    case providerType = "provider-content-type"
    case providerFreshness = "provider-cache-control"
    case providerPause = "provider-retry-after"
    case providerIdleness = "provider-keep-alive"
    case providerLength = "provider-content-length"

    /// The length of the text in bytes, the longest that the entry accepts. Percent-encoding triples it.
    var byteCount: Int {
        switch self {
        case .pathOfRequest, .authority, .contentType, .cookieName, .cookieValue, .fetchSite, .origin, .basic: 16_000
        case .authorizeName, .authorizeClientID, .authorizeRedirectURI, .authorizeResponseType, .authorizeResponseMode,
            .authorizeProvider, .authorizePrompt, .authorizeScope, .authorizeMethod, .handlerState, .handlerName:
            10_000
        case .handlerForm, .choose, .proceed, .tokenName, .tokenClientID, .tokenGrantType, .tokenCode,
            .tokenRedirectURI,
            .credentialProvider, .revokeProvider, .revokeHint:
            21_000
        case .credentialAlgorithm, .revokeAlgorithm, .revokeKeyID, .revokeType, .revokeHeaderName: 48_000
        case .metadataIssuer, .metadataAlgorithms, .metadataMethods, .metadataEndpoint, .metadataName: 260_000
        case .keyType, .keyCurve, .keyAlgorithm, .keyUse, .keyOperations, .keyID: 520_000
        case .tokenResponseType, .tokenResponseScope, .tokenResponseError: 260_000
        // The maximum length of a header field.
        case .providerEncoding, .providerType, .providerFreshness, .providerPause, .providerIdleness, .providerLength:
            16_000
        }
    }
}
