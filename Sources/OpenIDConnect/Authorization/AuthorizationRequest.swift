// SPDX-License-Identifier: Apache-2.0

/// An authentication request (OpenID Connect Core 1.0 sections 3.1.2.1, 3.2.2.1 and 3.3.2.1). It always has `state` and
/// `nonce`, and PKCE with S256 if a code is requested.
package struct AuthorizationRequest: Sendable {
    /// The `client_id`.
    package var clientID: String
    /// The `redirect_uri`.
    package var redirectURI: String
    /// The values of `scope`.
    package var scopes: [String]
    /// The `state`.
    package var state: String
    /// The `nonce`, in the form that the provider gets.
    package var nonce: String
    /// The S256 `code_challenge` (RFC 7636 section 4.2). It is not sent if no code is requested.
    package var codeChallenge: String
    /// The `dpop_jkt` (RFC 9449 section 10): the thumbprint of the key to which the code is bound; `nil` without DPoP.
    package var dpopThumbprint: String?
    /// The `response_mode`.
    package var responseMode: ResponseMode
    /// Whether `response_mode` is included even if it is the default mode of the response type.
    package var includesDefaultResponseMode = false
    /// Additional parameters of the configuration and the app. They are not ``reservedNames``.
    package var parameters: [(name: String, value: String)]
    /// The response type of the request.
    package var responseType: ResponseType
    /// The `claims` parameter (Core section 5.5), as JSON text. Set only by the configuration, never by an app.
    package var claims: String?
    /// The `resource` parameters (RFC 8707 section 2), each an absolute URI. Set only by the configuration, never by an
    /// app.
    package var resource: [String]

    /// Creates a request from its parameters.
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

    /// The names of the protocol's own parameters, which neither the configuration nor an app may set.
    package static let reservedNames: Set<String> = [
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "registration", "client_secret", "client_assertion",
        "client_assertion_type", "code_verifier", "id_token_hint", "claims", "resource", "dpop_jkt",
    ]

    /// The maximum length of a reserved name, in bytes. It bounds the names that are looked up.
    package static let longestReservedName = 64

    /// Whether a name is reserved. All names that begin with `client_assertion` or `code_challenge` are.
    package static func isReserved(_ name: String) -> Bool {
        reservedNames.contains(name) || name.hasPrefix("client_assertion") || name.hasPrefix("code_challenge")
    }

    /// The parameters in order. The default mode of the response type is not included unless that is asked for.
    package var pairs: [(String, String)] {
        commonPairs
            + Self.ownPairs(
                state: state, nonce: nonce, codeChallenge: responseType.hasCode ? codeChallenge : nil,
                dpopThumbprint: dpopThumbprint)
    }

    /// The parameters that belong to one login. Only a code is bound to a key.
    private static func ownPairs(
        state: String, nonce: String, codeChallenge: String?, dpopThumbprint: String?
    ) -> [(String, String)] {
        guard let codeChallenge else { return [("state", state), ("nonce", nonce)] }
        let pairs = [("state", state), ("nonce", nonce), ("code_challenge", codeChallenge)]
        return dpopThumbprint.map { pairs + [("dpop_jkt", $0)] } ?? pairs
    }

    /// The parameters that all logins with the same request have in common.
    private var commonPairs: [(String, String)] {
        var pairs: [(String, String)] = []
        pairs.reserveCapacity(8 + resource.count + parameters.count)
        pairs.append(("response_type", responseType.name))
        pairs.append(("client_id", clientID))
        pairs.append(("redirect_uri", redirectURI))
        pairs.append(("scope", scopes.joined(separator: " ")))
        if responseType.hasCode { pairs.append(("code_challenge_method", "S256")) }
        if includesDefaultResponseMode || responseMode != responseType.defaultMode {
            pairs.append(("response_mode", responseMode.name))
        }
        if let claims { pairs.append(("claims", claims)) }
        for uri in resource { pairs.append(("resource", uri)) }
        for parameter in parameters where !Self.isReserved(parameter.name) {
            pairs.append((parameter.name, parameter.value))
        }
        return pairs
    }

    /// Returns the authorization URL.
    package func url(endpoint: AbsoluteURL) -> String {
        Self.url(
            behind: urlPrefix(endpoint: endpoint), state: state, nonce: nonce,
            codeChallenge: responseType.hasCode ? codeChallenge : nil, dpopThumbprint: dpopThumbprint)
    }

    /// Returns the beginning of the authorization URL, which all logins with the same request have in common.
    package func urlPrefix(endpoint: AbsoluteURL) -> String {
        Self.url(endpoint, adding: commonPairs) + "&"
    }

    /// Returns the authorization URL of one login, from the common beginning.
    package static func url(
        behind prefix: String, state: String, nonce: String, codeChallenge: String?, dpopThumbprint: String? = nil
    ) -> String {
        FormURLEncoding.encode(
            ownPairs(state: state, nonce: nonce, codeChallenge: codeChallenge, dpopThumbprint: dpopThumbprint),
            behind: prefix)
    }

    /// Returns the URL of an endpoint with further parameters in its query.
    package static func url(_ endpoint: AbsoluteURL, adding pairs: [(String, String)]) -> String {
        let separator = endpoint.query == nil ? "?" : (endpoint.query?.isEmpty == true ? "" : "&")
        return FormURLEncoding.encode(pairs, behind: endpoint.text + separator)
    }
}
