// SPDX-License-Identifier: Apache-2.0

/// The endpoints of the broker, by their paths after the prefix.
package enum EndpointPath: String, CaseIterable, Sendable {
    /// The authorization endpoint for apps.
    case authorize = "/authorize"
    /// The form of the page on which a user chooses a provider.
    case choose = "/choose"
    /// The shared callback; providers may have callback paths of their own.
    case callback = "/handler"
    /// The form of the page on which a user continues to an app.
    case `continue` = "/continue"
    /// The token endpoint for apps.
    case token = "/token"
    /// The UserInfo endpoint for apps.
    case userInfo = "/userinfo"
    /// The end session endpoint for apps.
    case logout = "/logout"
    /// The form of the page on which a user confirms a logout.
    case confirmLogout = "/logout/confirm"
    /// The URL to which a provider sends the user agent after a logout.
    case loggedOut = "/logout/done"
    /// The broker's metadata as an OpenID Provider.
    case discovery = "/.well-known/openid-configuration"
    /// The broker's key set.
    case keySet = "/jwks"
    /// The endpoint for native credentials.
    case credential = "/credential"
    /// The revocation endpoint.
    case revoke = "/revoke"
    /// The introspection endpoint.
    case introspect = "/introspect"
}
