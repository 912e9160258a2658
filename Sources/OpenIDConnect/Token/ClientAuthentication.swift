// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The header and parameters that authenticate a client in a request.
package struct ClientAuthentication: Sendable, Unprinted {
    /// The value of the Authorization header; `nil` if the method does not use it.
    package var authorization: String?
    /// The parameters in the form.
    package var parameters: [(String, String)]

    init(authorization: String? = nil, parameters: [(String, String)]) {
        self.authorization = authorization
        self.parameters = parameters
    }

    /// Creates the authentication from a secret. For a method without a secret it contains only the client ID.
    /// ``ClientCredentials`` supports all methods.
    /// - Parameter clientSecret: The client secret; `nil` for a public client, whose method must be
    ///   ``ClientAuthenticationMethod/none``.
    package init(method: ClientAuthenticationMethod, clientID: String, clientSecret: String?) {
        switch (method, clientSecret) {
        case (.clientSecretBasic, let secret?):
            // RFC 6749 section 2.3.1 requires form encoding before base64, which many implementations omit.
            let pair = FormURLEncoding.percentEncode(clientID) + ":" + FormURLEncoding.percentEncode(secret)
            authorization = "Basic " + Base64.encode(Array(pair.utf8))
            parameters = []
        case (.clientSecretPost, let secret?):
            authorization = nil
            parameters = [("client_id", clientID), ("client_secret", secret)]
        default:
            authorization = nil
            parameters = [("client_id", clientID)]
        }
    }
}
