// SPDX-License-Identifier: Apache-2.0

/// What a provider has paths for.
enum ProviderEndpoint: Sendable, CaseIterable {
    case metadata
    /// Where ``Misbehavior/redirectFromDiscovery`` points to; answers like honest metadata, so that a client that
    /// follows the redirect goes on and is found out.
    case redirectedMetadata
    case keySet
    case pushedAuthorization
    case authorization
    case token
    /// Where ``Misbehavior/redirectFromTokenEndpoint`` points to; answers like an honest token endpoint, so that a
    /// client that follows the redirect completes its sign-in and is found out.
    case redirectedToken
    case userInfo
    case revocation

    /// The methods it takes.
    var methods: [String] {
        switch self {
        case .metadata, .redirectedMetadata, .keySet: ["GET"]
        case .authorization, .userInfo: ["GET", "POST"]
        case .pushedAuthorization, .token, .redirectedToken, .revocation: ["POST"]
        }
    }

    /// Whether a request there has no query; only a browser brings one, to the authorization endpoint.
    var takesNoQuery: Bool { self != .authorization }

    /// Whether it is public, so that nobody has to prove anything.
    var isDocument: Bool { self == .metadata || self == .redirectedMetadata || self == .keySet }
}

extension ProviderState {
    /// The path of an endpoint.
    func path(of endpoint: ProviderEndpoint) -> String {
        switch endpoint {
        case .metadata: "/.well-known/openid-configuration"
        case .redirectedMetadata: "/.well-known/elsewhere"
        case .keySet: misbehavior == .keySetAtRandomPath ? randomKeySetPath : "/jwks"
        case .pushedAuthorization: "/par"
        case .authorization: "/authorize"
        case .token: "/token"
        case .redirectedToken: "/token/elsewhere"
        case .userInfo: "/userinfo"
        case .revocation: "/revoke"
        }
    }
}
