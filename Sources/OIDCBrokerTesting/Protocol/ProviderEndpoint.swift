// SPDX-License-Identifier: Apache-2.0

/// An endpoint of a provider.
enum ProviderEndpoint: Sendable, CaseIterable {
    case metadata
    /// The target of ``Misbehavior/redirectFromDiscovery``. It responds with valid metadata, so that a client that
    /// follows the redirect continues and is detected.
    case redirectedMetadata
    case keySet
    case pushedAuthorization
    case authorization
    case token
    /// The target of ``Misbehavior/redirectFromTokenEndpoint``. It responds like a valid token endpoint, so that a
    /// client that follows the redirect completes its sign-in and is detected.
    case redirectedToken
    case userInfo
    case revocation
    /// Only with ``OpenIDProvider/Configuration/endsSessions``.
    case endSession

    /// The supported methods.
    var methods: [String] {
        switch self {
        case .metadata, .redirectedMetadata, .keySet: ["GET"]
        case .endSession: ["GET"]
        case .authorization, .userInfo: ["GET", "POST"]
        case .pushedAuthorization, .token, .redirectedToken, .revocation: ["POST"]
        }
    }

    /// Whether requests to the endpoint must not have a query. Only a browser sends one.
    var takesNoQuery: Bool { self != .authorization && self != .endSession }

    /// Whether the endpoint is public and requires no authentication.
    var isDocument: Bool { self == .metadata || self == .redirectedMetadata || self == .keySet }
}

extension ProviderState {
    /// Returns the path of an endpoint.
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
        case .endSession: "/end-session"
        }
    }
}
