// SPDX-License-Identifier: Apache-2.0

/// Pushed authorization requests (RFC 9126): the client sends the ``AuthorizationRequest/pairs`` to the provider
/// directly, and the browser carries only a reference to them.
extension AuthorizationRequest {
    /// Returns the authorization URL of a pushed request. It contains only the client ID and the reference (RFC 9126
    /// section 4).
    /// - Parameter requestURI: The ``PushedAuthorizationResponse/requestURI``.
    package static func url(endpoint: AbsoluteURL, clientID: String, requestURI: String) -> String {
        url(endpoint, adding: [("client_id", clientID), ("request_uri", requestURI)])
    }
}
