// SPDX-License-Identifier: Apache-2.0

/// The request with which a browser is sent to the provider (OpenID Connect Core 1.0 sections 3.1.2.1, 3.2.2.1 and
/// 3.3.2.1), with `state` and `nonce` always, and with PKCE S256 wherever a code is asked for.
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
    /// What is asked for.
    package var responseType: ResponseType
    /// `claims` (Core section 5.5), JSON text of the configuration; an app never sets it.
    package var claims: String?
    /// `resource` (RFC 8707 section 2), each an absolute URI of the configuration; an app never sets it.
    package var resource: [String]

    package init(
        clientID: String,
        redirectURI: String,
        scopes: [String],
        state: String,
        nonce: String,
        codeChallenge: String,
        responseMode: ResponseMode = .query,
        parameters: [(name: String, value: String)] = [],
        responseType: ResponseType = .code,
        claims: String? = nil,
        resource: [String] = []
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
        self.responseMode = responseMode
        self.parameters = parameters
        self.responseType = responseType
        self.claims = claims
        self.resource = resource
    }

    /// Names that carry the protocol: neither the configuration nor an app may set them.
    package static let reservedNames: Set<String> = [
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "registration", "client_secret", "client_assertion",
        "client_assertion_type", "code_verifier", "id_token_hint", "claims", "resource",
    ]

    /// Longer names are not reserved, bytes: the bound behind which a name of an app is looked up.
    package static let longestReservedName = 64

    /// Whether a name is reserved; anything that begins with `client_assertion` or `code_challenge` is.
    package static func isReserved(_ name: String) -> Bool {
        reservedNames.contains(name) || name.hasPrefix("client_assertion") || name.hasPrefix("code_challenge")
    }

    /// The parameters in their order. `response_mode` is among them only where it is not the response type's own.
    package var pairs: [(String, String)] {
        commonPairs
            + Self.ownPairs(state: state, nonce: nonce, codeChallenge: responseType.hasCode ? codeChallenge : nil)
    }

    /// The parameters that are one login's own.
    private static func ownPairs(state: String, nonce: String, codeChallenge: String?) -> [(String, String)] {
        guard let codeChallenge else { return [("state", state), ("nonce", nonce)] }
        return [("state", state), ("nonce", nonce), ("code_challenge", codeChallenge)]
    }

    /// The parameters of every login that asks for the same.
    private var commonPairs: [(String, String)] {
        var pairs: [(String, String)] = []
        pairs.reserveCapacity(8 + resource.count + parameters.count)
        pairs.append(("response_type", responseType.name))
        pairs.append(("client_id", clientID))
        pairs.append(("redirect_uri", redirectURI))
        pairs.append(("scope", scopes.joined(separator: " ")))
        if responseType.hasCode { pairs.append(("code_challenge_method", "S256")) }
        if responseMode != responseType.defaultMode { pairs.append(("response_mode", responseMode.name)) }
        if let claims { pairs.append(("claims", claims)) }
        for uri in resource { pairs.append(("resource", uri)) }
        for parameter in parameters where !Self.isReserved(parameter.name) {
            pairs.append((parameter.name, parameter.value))
        }
        return pairs
    }

    /// The URL to send the browser to.
    package func url(endpoint: AbsoluteURL) -> String {
        Self.url(
            behind: urlPrefix(endpoint: endpoint), state: state, nonce: nonce,
            codeChallenge: responseType.hasCode ? codeChallenge : nil)
    }

    /// The beginning of the URL, which is the same for every login that asks for the same.
    package func urlPrefix(endpoint: AbsoluteURL) -> String {
        Self.url(endpoint, adding: commonPairs) + "&"
    }

    /// The URL of one login, behind the beginning that it shares with others.
    package static func url(
        behind prefix: String, state: String, nonce: String, codeChallenge: String?
    ) -> String {
        FormURLEncoding.encode(
            ownPairs(state: state, nonce: nonce, codeChallenge: codeChallenge), behind: prefix)
    }

    static func url(_ endpoint: AbsoluteURL, adding pairs: [(String, String)]) -> String {
        let separator = endpoint.query == nil ? "?" : (endpoint.query?.isEmpty == true ? "" : "&")
        return FormURLEncoding.encode(pairs, behind: endpoint.text + separator)
    }
}
