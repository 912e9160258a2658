// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect

/// The reason why an authorization request is refused. Apple shows it to the user and does not redirect.
struct AppleRefusal: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A valid authorization request.
struct AppleAuthorizationRequest: Sendable {
    let client: MockApple.Client
    let redirectURI: String
    let responseType: ResponseType
    let responseMode: ResponseMode
    let scopes: [String]
    let state: String?
    let nonce: String?
    let codeChallenge: String?
    let loginHint: String?
    /// The request as a query, which the pages carry and which is validated again.
    let text: String

    init(_ parameters: Parameters, clients: [MockApple.Client]) throws(AppleRefusal) {
        func only(_ name: String) throws(AppleRefusal) -> String? {
            do {
                return try parameters.nonEmptyValue(name)?.makeString()
            } catch {
                throw AppleRefusal("invalid_request: \(error)")
            }
        }
        let clientID = try only("client_id")
        guard let client = clients.first(where: { clientID?.hasSameBytes(as: $0.id) == true }),
            let redirectURIs = client.redirectURIs
        else { throw AppleRefusal("invalid_client") }
        guard let redirectURI = try only("redirect_uri"),
            redirectURIs.contains(where: { $0.hasSameBytes(as: redirectURI) })
        else { throw AppleRefusal("invalid_request: Invalid web redirect url.") }
        guard let responseType = try only("response_type").flatMap({ ResponseType(name: $0) }) else {
            throw AppleRefusal("unsupported_response_type")
        }
        let scopes = (try only("scope") ?? "").split(separator: " ").map(String.init)
        guard scopes.allSatisfy({ ["openid", "name", "email"].contains($0) }) else {
            throw AppleRefusal("invalid_scope")
        }
        let mode = try only("response_mode").map { ResponseMode(name: $0) } ?? responseType.defaultMode
        guard let mode, !mode.isSigned else { throw AppleRefusal("invalid_request: unknown response_mode") }
        if scopes.contains("name") || scopes.contains("email") {
            guard mode == .formPost else {
                throw AppleRefusal(
                    "invalid_request: response_mode must be form_post when name or email scope is requested.")
            }
        }
        guard mode != .query || !responseType.hasIDToken else {
            throw AppleRefusal("invalid_request: response_mode must not be query when id_token is requested.")
        }
        let challenge = try only("code_challenge")
        if challenge != nil {
            guard try only("code_challenge_method") == "S256" else {
                throw AppleRefusal("invalid_request: code_challenge_method")
            }
        }
        self.client = client
        self.redirectURI = redirectURI
        self.responseType = responseType
        self.responseMode = mode
        self.scopes = scopes
        state = try only("state")
        nonce = try only("nonce")
        codeChallenge = challenge
        loginHint = try only("login_hint")
        text = FormURLEncoding.encode(parameters.strings.map { ($0.name, $0.value) })
    }

    /// Returns a response in the requested mode, with `state` first, as Apple does.
    func answer(_ parameters: [(String, String)]) -> SentResponse {
        .authorization(
            to: redirectURI, (state.map { [("state", $0)] } ?? []) + parameters, in: responseMode)
    }
}
