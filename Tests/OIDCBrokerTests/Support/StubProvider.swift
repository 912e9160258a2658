// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

/// An OpenID Provider in memory, which can be told to misbehave: it signs with a real key, binds a code to its
/// PKCE challenge, its redirect URI and its client, and notes every request.
final class StubProvider: Sendable {
    /// Deviations from the behavior of a valid, available provider.
    struct Behavior: Sendable {
        /// No path responds.
        var isDown = false
        /// These paths do not respond.
        var deadPaths: Set<String> = []
        /// These paths respond when ``StubProvider/answerWaiting()`` is called.
        var latePaths: Set<String> = []
        var announcesIssuer = true
        var checksProofKey = true
        /// The token endpoint's status and response to every request.
        var tokenResponse: (status: Int, json: JSONObject)?
        /// The response to a token request with a code that it never issued; `nil` for `invalid_grant`.
        var junkResponse: Result<ProviderResponse, ProviderTransportError>?
        /// Claims that replace the honest ones; null takes one out.
        var claims: JSONObject = [:]
        /// Signs with a key that its key set does not hold.
        var usesStrangeKey = false
        /// The keys it publishes instead of its own.
        var publishedKeys: [JSONObject]?
        /// The `kid` of its ID tokens instead of the key's own.
        var keyID: String?
        /// Members that replace the honest ones of its metadata; null takes one out.
        var metadata: JSONObject = [:]
        /// Whether the client is one without a secret, which does not authenticate.
        var isPublicClient = false
        /// Claims that replace those of the ID token that comes with the browser; null takes one out.
        var frontChannelClaims: JSONObject = [:]
        /// Signs the ID token that comes with the browser with a key that its key set does not hold.
        var usesStrangeKeyInFront = false
        /// Whether it replaces a refresh token when it is used.
        var rotatesRefreshTokens = false
        /// Whether an ID token comes with a refresh.
        var sendsIDTokenOnRefresh = true
        /// The status and the response of UserInfo, which metadata must name.
        var userInfoResponse: (status: Int, json: JSONObject) = (200, ["sub": .string(StubProvider.subject)])
        /// The status of the revocation endpoint, which metadata must name.
        var revocationStatus = 200
        /// The status and response to every pushed request.
        var pushResponse: (status: Int, json: JSONObject)?
    }

    struct Grant: Sendable {
        let nonce: String
        let challenge: String
        let redirectURI: String
    }

    private struct Waiting: Sendable {
        let promise: EventLoopPromise<ProviderResponse>
        let result: Result<ProviderResponse, any Error>
    }

    private struct State {
        var behavior = Behavior()
        var requests: [ProviderRequest] = []
        var grants: [String: Grant] = [:]
        var waiting: [Waiting] = []
        var issued: [String] = []
        var pushed: [String: Query] = [:]
        var refreshTokens: Set<String> = []
    }

    static let subject = "ada-at-the-provider"

    let issuer: String
    let clientID: String
    let clientSecret: String
    let key: SigningKey
    let strangeKey: SigningKey
    private let clock: TestClock
    private let state = Mutex(State())

    init(name: String, clock: TestClock) throws {
        issuer = "https://login.\(name).example"
        clientID = "broker-at-\(name)"
        clientSecret = "s3cret+of/\(name) &co"
        key = try SigningKey.generate(.es256)
        strangeKey = try SigningKey.generate(.es256)
        self.clock = clock
    }

    /// Every request, in order.
    var requests: [ProviderRequest] { state.withLock { $0.requests } }
    /// The refresh tokens that are valid.
    var refreshTokens: Set<String> { state.withLock { $0.refreshTokens } }
    /// How many requests there were to a path.
    func count(_ path: String) -> Int { requests.count { $0.url.path == path } }
    /// The forms of the token requests.
    var tokenForms: [Query] { requests.filter { $0.url.path == "/token" }.map { Query($0.form ?? "") } }
    /// Every code and token that it issued.
    var issuedSecrets: [String] { state.withLock { $0.issued } }

    /// Changes what it does from now on.
    func behave(_ change: (inout Behavior) -> Void) {
        state.withLock { change(&$0.behavior) }
    }

    func register(code: String, _ grant: Grant) {
        state.withLock {
            $0.grants[code] = grant
            $0.issued.append(code)
        }
    }

    /// What it does from now on.
    var behavior: Behavior { state.withLock { $0.behavior } }

    /// Keeps an authorization request that was pushed.
    func push(_ reference: String, _ form: Query) {
        state.withLock { $0.pushed[reference] = form }
    }

    /// An authorization request that was pushed, once.
    func pushed(_ reference: String) -> Query? {
        state.withLock { $0.pushed.removeValue(forKey: reference) }
    }

    /// Notes a token that it issued.
    func note(issued token: String) {
        state.withLock { $0.issued.append(token) }
    }

    /// Sends the delayed responses.
    func answerWaiting() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        for one in waiting { one.promise.completeWith(one.result) }
    }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        let behavior = state.withLock { state in
            state.requests.append(request)
            return state.behavior
        }
        let result = Result<ProviderResponse, any Error> {
            if behavior.isDown || behavior.deadPaths.contains(request.url.path) {
                throw ProviderTransportError.unreachable
            }
            return try answer(request, behavior)
        }
        guard behavior.latePaths.contains(request.url.path) else { return eventLoop.makeCompletedFuture(result) }
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        state.withLock { $0.waiting.append(Waiting(promise: promise, result: result)) }
        return promise.futureResult
    }

    private func answer(_ request: ProviderRequest, _ behavior: Behavior) throws -> ProviderResponse {
        switch request.url.path {
        case "/.well-known/openid-configuration": return Self.json(metadata(behavior))
        case "/jwks":
            return Self.json(["keys": .array((behavior.publishedKeys ?? [key.publicJWK]).map { .object($0) })])
        case "/token": return try token(request, behavior)
        case "/par": return push(request, behavior)
        case "/userinfo": return Self.json(behavior.userInfoResponse.json, status: behavior.userInfoResponse.status)
        case "/revoke": return revoke(request, behavior)
        default: return Self.json(["error": "not_found"], status: 404)
        }
    }

    private func metadata(_ behavior: Behavior) -> JSONObject {
        var metadata: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"),
            "jwks_uri": .string(issuer + "/jwks"),
            "id_token_signing_alg_values_supported": ["ES256"],
            "authorization_response_iss_parameter_supported": .bool(behavior.announcesIssuer),
        ]
        for (name, value) in behavior.metadata.members { metadata[name] = value == .null ? nil : value }
        return metadata
    }

    private func token(_ request: ProviderRequest, _ behavior: Behavior) throws -> ProviderResponse {
        if let response = behavior.tokenResponse { return Self.json(response.json, status: response.status) }
        let form = Query(request.form ?? "")
        guard isClient(request, form, behavior) else { return Self.json(["error": "invalid_client"], status: 401) }
        if form["grant_type"] == "refresh_token" { return try refresh(form, behavior) }
        guard form["grant_type"] == "authorization_code", let code = form["code"],
            let grant = state.withLock({ $0.grants.removeValue(forKey: code) }),
            form["redirect_uri"] == grant.redirectURI, let verifier = form["code_verifier"],
            ProofKey.challenge(of: verifier) == grant.challenge || !behavior.checksProofKey
        else { return try behavior.junkResponse?.get() ?? Self.json(["error": "invalid_grant"], status: 400) }
        let accessToken = "upstream-access-" + Base64URL.encode(SecureRandom.bytes(24))
        let refreshToken = "upstream-refresh-" + Base64URL.encode(SecureRandom.bytes(24))
        let header: JSONObject = behavior.keyID.map { ["kid": .string($0)] } ?? [:]
        let idToken = try (behavior.usesStrangeKey ? strangeKey : key)
            .sign(claims(grant, behavior), type: "JWT", header: header)
        state.withLock {
            $0.issued += [accessToken, refreshToken, idToken]
            $0.refreshTokens.insert(refreshToken)
        }
        return Self.json([
            "id_token": .string(idToken),
            "access_token": .string(accessToken),
            "refresh_token": .string(refreshToken),
            "token_type": "Bearer",
            "expires_in": 3600,
        ])
    }

    private func refresh(_ form: Query, _ behavior: Behavior) throws -> ProviderResponse {
        guard let token = form["refresh_token"], refreshTokens.contains(token) else {
            return Self.json(["error": "invalid_grant"], status: 400)
        }
        var response: JSONObject = ["access_token": "upstream-access-refreshed", "token_type": "Bearer"]
        if behavior.rotatesRefreshTokens {
            let next = "upstream-refresh-" + Base64URL.encode(SecureRandom.bytes(24))
            state.withLock {
                $0.refreshTokens.remove(token)
                $0.refreshTokens.insert(next)
            }
            response["refresh_token"] = .string(next)
        }
        if behavior.sendsIDTokenOnRefresh {
            var claims = claims(Grant(nonce: "", challenge: "", redirectURI: ""), behavior)
            claims["nonce"] = nil
            response["id_token"] = .string(try key.sign(claims, type: "JWT", header: [:]))
        }
        return Self.json(response)
    }

    private func revoke(_ request: ProviderRequest, _ behavior: Behavior) -> ProviderResponse {
        let form = Query(request.form ?? "")
        guard isClient(request, form, behavior) else { return Self.json(["error": "invalid_client"], status: 401) }
        if behavior.revocationStatus == 200 { state.withLock { _ = $0.refreshTokens.remove(form["token"] ?? "") } }
        return Self.json(
            behavior.revocationStatus == 400 ? ["error": "unsupported_token_type"] : [:],
            status: behavior.revocationStatus)
    }

    func claims(_ grant: Grant, _ behavior: Behavior) -> JSONObject {
        let now = clock.now()
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(Self.subject),
            "aud": .string(clientID),
            "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 300)),
            "auth_time": .number(JSONNumber(now - 5)),
            "nonce": .string(grant.nonce),
            "email": "ada@people.example",
            "email_verified": true,
            "name": "Ada Lovelace",
            "picture": "https://people.example/ada.png",
        ]
        for (name, value) in behavior.claims.members { claims[name] = value == .null ? nil : value }
        return claims
    }

    /// HTTP Basic with both parts form-encoded, decoded by Foundation; or, of a public client, its id alone.
    func isClient(_ request: ProviderRequest, _ form: Query, _ behavior: Behavior) -> Bool {
        if behavior.isPublicClient {
            return request.authorization == nil && form["client_id"] == clientID && form["client_secret"] == nil
        }
        guard let authorization = request.authorization, authorization.hasPrefix("Basic "),
            let bytes = Data(base64Encoded: String(authorization.dropFirst(6)))
        else { return false }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].removingPercentEncoding == clientID
            && parts[1].removingPercentEncoding == clientSecret
    }

    static func json(_ object: JSONObject, status: Int = 200) -> ProviderResponse {
        ProviderResponse(
            status: status, contentType: "application/json", body: ByteBuffer(bytes: object.serialized()))
    }
}
