// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect

/// What a provider is asked for in a sign-in, by the browser or by the broker.
enum ProviderStep: String, Sendable, Hashable {
    case discovery
    case pushedAuthorization = "pushed authorization"
    case authorization
    case token
    case keys
    case userInfo = "UserInfo"
    /// Anything else.
    case other

    /// The step that a request is.
    init(_ request: OpenIDProvider.RecordedRequest) {
        switch (request.method, request.path) {
        case ("GET", "/.well-known/openid-configuration"): self = .discovery
        case ("POST", "/par"): self = .pushedAuthorization
        case ("GET", "/authorize"): self = .authorization
        case ("POST", "/token"): self = .token
        // A provider may have its keys at a path of its own.
        case ("GET", let path) where path == "/jwks" || path.hasPrefix("/jwks-"): self = .keys
        case ("GET", "/userinfo"): self = .userInfo
        default: self = .other
        }
    }

    /// The steps of a sign-in with nothing cached and an honest provider, in their order. An ID token that comes through
    /// the browser and a signed response are verified, for which the keys are needed, before the code is sent anywhere.
    static func way(_ options: SignInFixture.Options) -> [ProviderStep] {
        let isPushed = options.requiresPushedAuthorization || options.pushedAuthorization
        // The first request of all is refused for the lack of a nonce, and that to UserInfo where it has one of its own.
        let hasNonce = options.dpopNonce != nil
        let pushed: [ProviderStep] = isPushed ? Array(repeating: .pushedAuthorization, count: hasNonce ? 2 : 1) : []
        let start: [ProviderStep] = [.discovery] + pushed + [.authorization]
        // With HMAC the secret is the key.
        let keys: [ProviderStep] = options.hasSymmetricIDTokens ? [] : [.keys]
        let isUserInfoTwice = hasNonce && options.misbehavior == .oddChallengeCase
        let userInfo: [ProviderStep] =
            options.userInfo ? Array(repeating: .userInfo, count: isUserInfoTwice ? 2 : 1) : []
        switch options.responseType {
        case .code where options.responseMode.isSigned: return start + [.keys, .token] + userInfo
        case .idToken: return start + keys
        case .codeIDToken: return start + keys + [.token] + userInfo
        default: return start + [.token] + keys + userInfo
        }
    }
}

extension OpenIDProvider {
    /// The steps that were asked for, in their order.
    var steps: [ProviderStep] { recordedRequests().map { ProviderStep($0) } }
}
