// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The destination of an authorization response, which has been checked to belong to the client.
struct ResponseTarget: Sendable {
    let clientID: String
    let redirectURI: String
    let responseMode: ResponseMode
    let state: String?
}

/// The reason why an authorization request is refused.
enum AuthorizationRefusal: Error {
    /// The client or its redirect URI is doubtful: the user sees a page, and the browser is not redirected.
    case page(String)
    /// The error is returned to the client (RFC 6749 section 4.1.2.1, OpenID Connect Core 1.0 section 3.1.2.6).
    case redirect(ResponseTarget, error: String, description: String)

    /// The text of the reason.
    var reason: String {
        switch self {
        case .page(let message): message
        case .redirect(_, let error, let description): "\(error): \(description)"
        }
    }
}

/// A valid authorization request (OpenID Connect Core 1.0 sections 3.1.2.1, 3.2.2.1 and 3.3.2.1, RFC 7636 section 4.3).
struct RequestedAuthorization: Sendable {
    let clientID: String
    let target: ResponseTarget
    let responseType: ResponseType
    let scopes: [String]
    let nonce: String?
    let codeChallenge: String?
    /// The `dpop_jkt` (RFC 9449 section 10).
    let dpopThumbprint: String?
    let authenticationContext: String?
    /// The `max_age`, in seconds; `nil` if it is not requested.
    let maximumAge: Int64?
    let forbidsPages: Bool
    let loginHint: String?
    /// The request as a query, which the login page carries and which is validated again.
    let text: String

    /// Validates a request.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the request itself, or of the pushed one.
    ///   - configuration: The configuration with the clients and the response types.
    ///   - text: The query of the browser, which the login page carries.
    init(
        _ parameters: Parameters,
        _ configuration: OpenIDProvider.Configuration,
        text: String
    ) throws(AuthorizationRefusal) {
        func only(_ name: String) -> String? {
            let found = parameters.strings.filter { $0.name == name && !$0.value.isEmpty }
            return found.count == 1 ? found[0].value : nil
        }
        guard let clientID = only("client_id"),
            let client = configuration.clients.first(where: { $0.id.hasSameBytes(as: clientID) })
        else { throw .page("The app that sent you here is not known to this provider.") }
        guard let redirectURI = only("redirect_uri"),
            client.redirectURIs.contains(where: { $0.hasSameBytes(as: redirectURI) })
        else { throw .page("The app that sent you here asked for an address that is not registered for it.") }
        let named = only("response_type").flatMap { ResponseType(name: $0) }
        let mode = only("response_mode")
        let target = ResponseTarget(
            clientID: clientID, redirectURI: redirectURI,
            responseMode: mode.flatMap { ResponseMode(name: $0) } ?? named?.defaultMode ?? .query,
            state: only("state"))
        func refuse(_ error: String, _ description: String) -> AuthorizationRefusal {
            .redirect(target, error: error, description: description)
        }
        var names: Set<String> = []
        // `resource` is the only parameter that may occur more than once (RFC 8707 section 2).
        for pair in parameters.strings where pair.name != "resource" && !names.insert(pair.name).inserted {
            throw refuse("invalid_request", "a parameter stands there twice")
        }
        if let mode, ResponseMode(name: mode) == nil { throw refuse("invalid_request", "unknown response_mode") }
        guard only("request") == nil else { throw refuse("request_not_supported", "request") }
        guard only("request_uri") == nil else { throw refuse("request_uri_not_supported", "request_uri") }
        guard only("response_type") != nil else { throw refuse("invalid_request", "response_type is missing") }
        guard let type = named, configuration.responseTypes.contains(type) else {
            throw refuse("unsupported_response_type", "this response_type is not supported")
        }
        guard client.responseTypes?.contains(type) ?? true else {
            throw refuse("unauthorized_client", "this response_type is not the client's")
        }
        // A token must not be in a query (OAuth 2.0 Multiple Response Type Encoding Practices section 5).
        guard !type.hasIDToken || target.responseMode.carrier != .query else {
            throw refuse("invalid_request", "response_mode query with an ID token")
        }
        let scopes = (only("scope") ?? "").split(separator: " ").map(String.init)
        guard scopes.contains("openid") else { throw refuse("invalid_scope", "scope must contain openid") }
        guard !type.hasIDToken || only("nonce") != nil else { throw refuse("invalid_request", "nonce is missing") }
        codeChallenge = try Self.codeChallenge(only, isNeeded: type.hasCode, refuse)
        try Self.validateWishes(parameters, only, refuse)
        let prompts = (only("prompt") ?? "").split(separator: " ")
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw refuse("invalid_request", "prompt=none stands alone")
        }
        self.clientID = clientID
        self.target = target
        self.scopes = scopes
        responseType = type
        nonce = only("nonce")
        dpopThumbprint = only("dpop_jkt")
        authenticationContext = only("acr_values")?.split(separator: " ").first.map(String.init)
        maximumAge = only("max_age").flatMap { Int64($0) }
        forbidsPages = prompts.contains("none")
        loginHint = only("login_hint")
        self.text = text
    }

    private typealias Refuse = (_ error: String, _ description: String) -> AuthorizationRefusal

    /// Validates PKCE: S256 is required whenever a code is requested (RFC 7636 section 4.3, RFC 9700 section 2.1.1).
    private static func codeChallenge(
        _ only: (String) -> String?, isNeeded: Bool, _ refuse: Refuse
    ) throws(AuthorizationRefusal) -> String? {
        guard let challenge = only("code_challenge") else {
            guard !isNeeded, only("code_challenge_method") == nil else {
                throw refuse("invalid_request", "code_challenge is missing")
            }
            return nil
        }
        guard only("code_challenge_method") == "S256" else {
            throw refuse("invalid_request", "code_challenge_method must be S256")
        }
        // A verifier and an S256 challenge use the same characters; a challenge always has 43.
        guard challenge.utf8.count == 43, CodeVerifier(challenge) != nil else {
            throw refuse("invalid_request", "code_challenge is not that of S256")
        }
        return challenge
    }

    /// Validates the form of optional parameters.
    private static func validateWishes(
        _ parameters: Parameters, _ only: (String) -> String?, _ refuse: Refuse
    ) throws(AuthorizationRefusal) {
        if let age = only("max_age"), Int64(age).map({ $0 >= 0 }) != true {
            throw refuse("invalid_request", "max_age is not a number of seconds")
        }
        if let claims = only("claims") {
            let object = try? JSONParser.object(Array(claims.utf8), limits: JSONLimits(maximumBytes: 16384))
            guard let object, object.members.allSatisfy({ $0.value.objectValue != nil }) else {
                throw refuse("invalid_request", "claims is not a claims request")
            }
        }
        for pair in parameters.strings where pair.name == "resource" {
            guard AbsoluteURL(pair.value) != nil else {
                throw refuse("invalid_target", "resource is not an absolute URL")
            }
        }
    }
}
