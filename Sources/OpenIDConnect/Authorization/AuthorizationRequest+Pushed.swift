// SPDX-License-Identifier: Apache-2.0

/// Pushed authorization requests (RFC 9126): the ``AuthorizationRequest/pairs`` go to the provider directly, the
/// browser carries a reference to them.
extension AuthorizationRequest {
    /// The URL to send the browser to once the request was pushed: nothing but the client and the reference stand in it
    /// (RFC 9126 section 4).
    /// - Parameter requestURI: ``PushedAuthorizationResponse/requestURI``.
    package static func url(endpoint: AbsoluteURL, clientID: String, requestURI: String) -> String {
        url(endpoint, adding: [("client_id", clientID), ("request_uri", requestURI)])
    }
}
