// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The requests to the wire of accounts, with the bodies that the Firebase SDK for Apple's systems writes.
package struct AccountWire: Sendable, Hashable {
    /// A request, which is always a POST of JSON.
    package struct Request: Sendable, Hashable {
        /// The path and the query.
        package let target: String
        /// The body.
        package let body: String
    }

    private let apiKey: String
    private let providerID: String

    /// Creates the requests of an app.
    ///
    /// - Parameters:
    ///   - apiKey: The API key of the app.
    ///   - providerID: The ID of the provider as clients see it.
    package init(apiKey: String, providerID: String) {
        self.apiKey = apiKey
        self.providerID = providerID
    }

    /// A sign-in with a native ID token.
    package func signIn(idToken: String, rawNonce: String) -> Request {
        // That SDK does not percent-encode it.
        let postBody = "providerId=\(providerID)&id_token=\(idToken)&nonce=\(rawNonce)"
        return request(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
            [
                "postBody": .string(postBody), "requestUri": "http://localhost", "returnIdpCredential": true,
                "returnSecureToken": true, "autoCreate": true,
            ])
    }

    /// A sign-in with the ticket of a login at the handler page.
    package func signIn(ticketURL: String, sessionID: String) -> Request {
        request(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
            [
                "requestUri": .string(ticketURL), "sessionId": .string(sessionID), "returnSecureToken": true,
                "returnIdpCredential": true,
            ])
    }

    /// A lookup of the account of an ID token.
    package func lookup(idToken: String) -> Request {
        request("/identitytoolkit.googleapis.com/v1/accounts:lookup", ["idToken": .string(idToken)])
    }

    /// A refresh.
    package func refresh(refreshToken: String) -> Request {
        request(
            "/securetoken.googleapis.com/v1/token",
            ["grantType": "refresh_token", "refreshToken": .string(refreshToken)])
    }

    private func request(_ path: String, _ body: JSONObject) -> Request {
        Request(
            target: "\(path)?key=\(URLText.percentEncoded(apiKey))",
            body: String(decoding: body.serialized(), as: UTF8.self))
    }
}
