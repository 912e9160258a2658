// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What a client adds to a request to prove itself.
package struct ClientAuthentication: Sendable, CustomStringConvertible, CustomReflectable {
    /// The value of the Authorization header, where the method has one.
    package var authorization: String?
    /// Parameters for the form.
    package var parameters: [(String, String)]

    init(authorization: String? = nil, parameters: [(String, String)]) {
        self.authorization = authorization
        self.parameters = parameters
    }

    /// Builds the proof from a secret; for a method without one, the client id alone. ``ClientCredentials`` knows all
    /// methods.
    /// - Parameter clientSecret: nil for a public client, whose method must be ``ClientAuthenticationMethod/none``.
    package init(method: ClientAuthenticationMethod, clientID: String, clientSecret: String?) {
        switch (method, clientSecret) {
        case (.clientSecretBasic, let secret?):
            // Form-encoded before base64: RFC 6749 section 2.3.1, which many forget.
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

    package var description: String { "ClientAuthentication" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
