// SPDX-License-Identifier: Apache-2.0

/// The endpoints of the broker, by their paths after the prefix.
enum EndpointPath: String, CaseIterable, Sendable {
    /// The authorization endpoint for apps.
    case authorize = "/authorize"
    /// The form of the page on which a person chooses a provider.
    case choose = "/choose"
    /// The shared callback; providers may have callback paths of their own.
    case callback = "/handler"
    /// The form of the page on which a person continues to an app.
    case `continue` = "/continue"
    /// The token endpoint for apps.
    case token = "/token"
    /// The broker's metadata as an OpenID Provider.
    case discovery = "/.well-known/openid-configuration"
    /// The broker's key set.
    case keySet = "/jwks"
    /// The endpoint for native credentials.
    case credential = "/credential"
    /// The revocation endpoint.
    case revoke = "/revoke"
}
