// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// Where the answer to an authorization request goes, known to belong to the client.
struct ReturnTarget: Sendable {
    let redirectURI: String
    let responseMode: ResponseMode
    let state: String?
}

/// Why an authorization request is refused.
enum AuthorizationRefusal: Error {
    /// The client or its redirect URI is in doubt: the person is told, and the browser goes nowhere.
    case page(String)
    /// The client is told (RFC 6749 section 4.1.2.1, OpenID Connect Core 1.0 section 3.1.2.6).
    case redirect(ReturnTarget, error: String, description: String)
}

/// An authorization request that was found in order (OpenID Connect Core 1.0 section 3.1.2.1, RFC 7636 section 4.3).
struct RequestedAuthorization: Sendable {
    let clientID: String
    let target: ReturnTarget
    let scopes: [String]
    let nonce: String?
    let codeChallenge: String?
    let asksMaximumAge: Bool
    let forbidsPages: Bool
    let loginHint: String?
    /// The request as a query, to be carried through the login page and judged again.
    let text: String

    init(_ parameters: Parameters, clients: [OpenIDProvider.Client]) throws(AuthorizationRefusal) {
        func only(_ name: String) -> String? {
            let found = parameters.all.filter { $0.name == name && !$0.value.isEmpty }
            return found.count == 1 ? found[0].value : nil
        }
        guard let clientID = only("client_id"), let client = clients.first(where: { $0.id == clientID }) else {
            throw .page("The app that sent you here is not known to this provider.")
        }
        guard let redirectURI = only("redirect_uri"),
            client.redirectURIs.contains(where: { $0.utf8.elementsEqual(redirectURI.utf8) })
        else { throw .page("The app that sent you here asked for an address that is not registered for it.") }
        let mode = only("response_mode")
        let target = ReturnTarget(
            redirectURI: redirectURI,
            responseMode: mode.flatMap { ResponseMode(name: $0) } ?? .query,
            state: only("state"))
        func refuse(_ error: String, _ description: String) -> AuthorizationRefusal {
            .redirect(target, error: error, description: description)
        }
        var names: Set<String> = []
        for pair in parameters.all where !names.insert(pair.name).inserted {
            throw refuse("invalid_request", "a parameter stands there twice")
        }
        if let mode, ResponseMode(name: mode) == nil { throw refuse("invalid_request", "unknown response_mode") }
        guard only("request") == nil else { throw refuse("request_not_supported", "request") }
        guard only("request_uri") == nil else { throw refuse("request_uri_not_supported", "request_uri") }
        guard let responseType = only("response_type") else {
            throw refuse("invalid_request", "response_type is missing")
        }
        guard responseType == "code" else { throw refuse("unsupported_response_type", "only code is supported") }
        let scopes = (only("scope") ?? "").split(separator: " ").map(String.init)
        guard scopes.contains("openid") else { throw refuse("invalid_scope", "scope must contain openid") }
        let challenge = only("code_challenge")
        if let challenge {
            guard only("code_challenge_method") == "S256" else {
                throw refuse("invalid_request", "code_challenge_method must be S256")
            }
            // A verifier and an S256 challenge are written in the same characters; a challenge has always 43.
            guard challenge.utf8.count == 43, CodeVerifier(challenge) != nil else {
                throw refuse("invalid_request", "code_challenge is not that of S256")
            }
        } else {
            guard only("code_challenge_method") == nil else {
                throw refuse("invalid_request", "code_challenge is missing")
            }
            guard client.secret != nil else { throw refuse("invalid_request", "a public client must use PKCE") }
        }
        let maximumAge = only("max_age")
        if let maximumAge, Int64(maximumAge).map({ $0 >= 0 }) != true {
            throw refuse("invalid_request", "max_age is not a number of seconds")
        }
        let prompts = (only("prompt") ?? "").split(separator: " ")
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw refuse("invalid_request", "prompt=none stands alone")
        }
        self.clientID = clientID
        self.target = target
        self.scopes = scopes
        nonce = only("nonce")
        codeChallenge = challenge
        asksMaximumAge = maximumAge != nil
        forbidsPages = prompts.contains("none")
        loginHint = only("login_hint")
        text = FormURLEncoding.encode(parameters.all.map { ($0.name, $0.value) })
    }
}
