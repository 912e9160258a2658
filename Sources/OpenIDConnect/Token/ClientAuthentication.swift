// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What a client adds to a request to prove itself.
package struct ClientAuthentication: Sendable {
    /// The value of the Authorization header, where the method has one.
    package var authorization: String?
    /// Parameters for the form.
    package var parameters: [(String, String)]

    /// Builds the proof.
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

    /// Chooses the method: the configured one, else the first of basic and post that the provider announces, else none
    /// for a client without a secret. Nil where the two sides have nothing in common.
    package static func method(
        configured: ClientAuthenticationMethod?,
        announced: [String],
        hasSecret: Bool
    ) -> ClientAuthenticationMethod? {
        if let configured { return configured }
        guard hasSecret else { return ClientAuthenticationMethod.none }
        let supported: [ClientAuthenticationMethod] = [.clientSecretBasic, .clientSecretPost]
        return supported.first { announced.contains($0.name) }
    }
}
