// SPDX-License-Identifier: Apache-2.0

/// The request with which a browser is sent to the provider (OpenID Connect Core 1.0 section 3.1.2.1), with PKCE S256,
/// `state` and `nonce` always.
package struct AuthorizationRequest: Sendable {
    package var clientID: String
    package var redirectURI: String
    package var scopes: [String]
    package var state: String
    package var nonce: String
    package var codeChallenge: String
    package var responseMode: ResponseMode
    /// What the configuration and the app add; none of ``reservedNames``.
    package var parameters: [(name: String, value: String)]

    package init(
        clientID: String,
        redirectURI: String,
        scopes: [String],
        state: String,
        nonce: String,
        codeChallenge: String,
        responseMode: ResponseMode = .query,
        parameters: [(name: String, value: String)] = []
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
        self.responseMode = responseMode
        self.parameters = parameters
    }

    /// Names that carry the protocol: neither the configuration nor an app may set them.
    package static let reservedNames: Set<String> = [
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "registration", "client_secret", "client_assertion",
        "client_assertion_type", "code_verifier", "id_token_hint", "claims",
    ]

    /// Whether a name is reserved; anything that begins with `client_assertion` or `code_challenge` is.
    package static func isReserved(_ name: String) -> Bool {
        reservedNames.contains(name) || name.hasPrefix("client_assertion") || name.hasPrefix("code_challenge")
    }

    /// The URL to send the browser to.
    package func url(endpoint: AbsoluteURL) -> String {
        var pairs: [(String, String)] = [
            ("response_type", "code"),
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("scope", scopes.joined(separator: " ")),
            ("state", state),
            ("nonce", nonce),
            ("code_challenge", codeChallenge),
            ("code_challenge_method", "S256"),
        ]
        if responseMode != .query { pairs.append(("response_mode", responseMode.name)) }
        for parameter in parameters where !Self.isReserved(parameter.name) {
            pairs.append((parameter.name, parameter.value))
        }
        let separator = endpoint.query == nil ? "?" : (endpoint.query?.isEmpty == true ? "" : "&")
        return FormURLEncoding.encode(pairs, behind: endpoint.text + separator)
    }
}
