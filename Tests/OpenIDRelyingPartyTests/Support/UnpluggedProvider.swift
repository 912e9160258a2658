// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization
import TestingSupport

/// An OpenID Provider without sockets: a transport that responds as a valid provider would, except for what a test
/// changes, and records its requests.
final class UnpluggedProvider: ProviderTransport {
    /// What a test may change at any time.
    struct Settings: Sendable {
        /// Members of the discovery document, put in or replaced; null takes one out.
        var metadata: JSONObject = [:]
        /// The key that signs.
        var signingKey: SigningKey
        /// The keys that are published.
        var publishedKeys: [SigningKey]
        /// Changes the claims of an ID token, of the front channel (true) or of the token endpoint.
        var claims: @Sendable (inout JSONObject, Bool) -> Void = { _, _ in }
        /// Changes the header of an ID token.
        var header: JSONObject = [:]
        /// Makes of the signed ID token what is handed out.
        var token: @Sendable (String, Bool) throws -> String = { token, _ in token }
        /// Changes the token response.
        var tokenResponse: @Sendable (inout JSONObject) -> Void = { _ in }
        /// Responses that replace the regular ones, by path.
        var responses: [String: Result<ProviderResponse, ProviderTransportError>] = [:]
        /// Responds to every request in place of all else.
        var script: (@Sendable (ProviderRequest) -> Result<ProviderResponse, ProviderTransportError>)?
        /// Changes UserInfo.
        var userInfo: @Sendable (inout JSONObject) -> Void = { _ in }
        /// Whether UserInfo is signed.
        var signsUserInfo = false
    }

    private struct State: Sendable {
        var settings: Settings
        var requests: [ProviderRequest] = []
        var asked = Parameters([])
    }

    static let issuer = "https://issuer.example"
    static let code = "a-code"

    /// As tokens, the metadata and the callback spell it, unless a test says otherwise.
    let issuer: String
    let clock = TestClock()
    private let state: Mutex<State>

    init(_ algorithm: JSONWebAlgorithm = .es256, issuer: String = UnpluggedProvider.issuer) throws {
        self.issuer = issuer
        let key = try SigningKey.generate(algorithm)
        state = Mutex(State(settings: Settings(signingKey: key, publishedKeys: [key])))
    }

    /// A provider that responds by a script only.
    convenience init(
        _ script: @escaping @Sendable (ProviderRequest) -> Result<ProviderResponse, ProviderTransportError>
    ) throws {
        try self.init()
        change { $0.script = script }
    }

    /// Changes what the provider does from now on.
    func change(_ body: (inout Settings) -> Void) {
        state.withLock { body(&$0.settings) }
    }

    /// Sets the response of a path from now on.
    func answer(_ path: String, status: Int = 200, _ body: String = "", type: String? = "application/json") {
        let response = ProviderResponse(status: status, contentType: type, body: ByteBuffer(string: body))
        change { $0.responses[path] = .success(response) }
    }

    /// What was asked so far.
    var requests: [ProviderRequest] { state.withLock { $0.requests } }
    /// The paths that were asked so far.
    var paths: [String] { requests.map(\.url.path) }

    /// The parameters of a form that was posted to a path, the last time.
    func form(_ path: String) throws -> Parameters {
        let form = requests.last { $0.url.path == path }?.form
        return try FormURLEncoding.parse((form ?? "").utf8)
    }

    /// A browser is sent to a URL and comes back with this response, form-encoded.
    func answer(to url: String) throws -> String {
        let query = url.drop { $0 != "?" }.dropFirst()
        var asked = try FormURLEncoding.parse(query.utf8)
        if asked.contains("request_uri") { asked = try form("/par") }
        let parameters = asked
        let settings = state.withLock { state in
            state.asked = parameters
            return state.settings
        }
        let type = try parameters.text("response_type") ?? ""
        let given = try parameters.text("state") ?? ""
        var response = [("state", given), ("iss", issuer)]
        if type.hasPrefix("code") { response.append(("code", Self.code)) }
        if type.hasSuffix("id_token") {
            var claims = try honestClaims()
            if type.hasPrefix("code") {
                claims["c_hash"] = .string(TokenHash.leftHalf(of: Self.code, algorithm: settings.signingKey.algorithm))
            }
            response.append(("id_token", try token(claims, isFront: true, settings)))
        }
        return FormURLEncoding.encode(response)
    }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        let settings = state.withLock { state in
            state.requests.append(request)
            return state.settings
        }
        if let response = settings.script?(request) ?? settings.responses[request.url.path] {
            switch response {
            case .success(let response): return eventLoop.makeSucceededFuture(response)
            case .failure(let error): return eventLoop.makeFailedFuture(error)
            }
        }
        return eventLoop.makeCompletedFuture { try honestResponse(to: request, settings) }
    }

    private func honestResponse(to request: ProviderRequest, _ settings: Settings) throws -> ProviderResponse {
        if request.url.path.hasSuffix("/.well-known/openid-configuration") { return Self.json(document(settings)) }
        switch request.url.path {
        case "/jwks":
            return Self.json(["keys": .array(settings.publishedKeys.map { .object($0.publicJWK) })])
        case "/par":
            return Self.json(["request_uri": "urn:example:request", "expires_in": 60], status: 201)
        case "/revoke":
            return ProviderResponse(status: 200, contentType: nil, body: ByteBuffer())
        case "/token", "/mtls/token":
            return Self.json(try tokens(request, settings))
        case "/userinfo", "/mtls/userinfo":
            var claims: JSONObject = ["sub": "person-ada", "email": "ada@example.com", "email_verified": true]
            if settings.signsUserInfo {
                claims["iss"] = .string(issuer)
                claims["aud"] = "client"
            }
            settings.userInfo(&claims)
            guard settings.signsUserInfo else { return Self.json(claims) }
            let token = try settings.signingKey.sign(claims, type: "JWT", header: settings.header)
            return ProviderResponse(status: 200, contentType: "application/jwt", body: ByteBuffer(string: token))
        default:
            return ProviderResponse(status: 404, contentType: nil, body: ByteBuffer())
        }
    }

    private func document(_ settings: Settings) -> JSONObject {
        var document: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": "https://issuer.example/authorize",
            "token_endpoint": "https://issuer.example/token",
            "jwks_uri": "https://issuer.example/jwks",
            "userinfo_endpoint": "https://issuer.example/userinfo",
            "revocation_endpoint": "https://issuer.example/revoke",
            "pushed_authorization_request_endpoint": "https://issuer.example/par",
            "id_token_signing_alg_values_supported": .array([.string(settings.signingKey.algorithm.rawValue)]),
            "authorization_response_iss_parameter_supported": true,
        ]
        for (name, value) in settings.metadata.members { document[name] = value == .null ? nil : value }
        return document
    }

    private func tokens(_ request: ProviderRequest, _ settings: Settings) throws -> JSONObject {
        let form = try FormURLEncoding.parse((request.form ?? "").utf8)
        var claims = try honestClaims()
        if try form.text("grant_type") == "refresh_token" { claims["nonce"] = nil }
        claims["at_hash"] = .string(
            TokenHash.leftHalf(of: "an-access-token", algorithm: settings.signingKey.algorithm))
        var response: JSONObject = [
            "access_token": "an-access-token", "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": "a-refresh-token",
            "id_token": .string(try token(claims, isFront: false, settings)),
        ]
        settings.tokenResponse(&response)
        return response
    }

    private func honestClaims() throws -> JSONObject {
        let asked = state.withLock { $0.asked }
        let now = clock.now()
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "person-ada", "aud": "client",
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
        ]
        if let nonce = try asked.text("nonce") { claims["nonce"] = .string(nonce) }
        if asked.contains("max_age") { claims["auth_time"] = .number(JSONNumber(now)) }
        return claims
    }

    private func token(_ claims: JSONObject, isFront: Bool, _ settings: Settings) throws -> String {
        var claims = claims
        settings.claims(&claims, isFront)
        return try settings.token(
            try settings.signingKey.sign(claims, type: "JWT", header: settings.header), isFront)
    }

    private static func json(_ object: JSONObject, status: Int = 200) -> ProviderResponse {
        ProviderResponse(
            status: status, contentType: "application/json", body: ByteBuffer(bytes: object.serialized()))
    }
}
