// SPDX-License-Identifier: Apache-2.0

import Foundation
package import JOSE
package import NIOCore
package import OIDCBrokerTesting
import OpenIDConnect
package import OpenIDRelyingParty
import Synchronization

/// An OpenID Provider in memory, which can be told to misbehave: it signs with a real key, binds a code to its
/// PKCE challenge, its redirect URI, its client and its nonce, and records every request.
package final class TestProvider: ProviderTransport {
    /// The one client that it knows.
    package struct Client: Sendable {
        package let id: String
        package let secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// A response that is held back.
    struct Waiting: Sendable {
        let promise: EventLoopPromise<ProviderResponse>
        let result: Result<ProviderResponse, any Error>
    }

    struct State: Sendable {
        var behavior: Behavior
        var requests: [ProviderRequest] = []
        var grants: [String: Grant] = [:]
        var latestGrant = Grant()
        var waiting: [Waiting] = []
        var issued: [String] = []
        var pushed: [String: Query] = [:]
        var refreshTokens: Set<String> = []
    }

    /// As tokens, the metadata and the callback spell it, unless a test says otherwise.
    package let issuer: String
    /// Where its endpoints are.
    let origin: String
    package let client: Client
    package let clock: TestClock
    package let key: SigningKey
    /// An ES256 key that its key set does not hold.
    package let strangeKey: SigningKey
    let state: Mutex<State>

    /// - Parameter origin: Where the endpoints are; `nil` if it is the issuer.
    package init(
        issuer: String, origin: String? = nil, client: Client, clock: TestClock, algorithm: JSONWebAlgorithm = .es256,
        behavior: Behavior = Behavior()
    ) throws {
        self.issuer = issuer
        self.origin = origin ?? issuer
        self.client = client
        self.clock = clock
        key = try SigningKey.generate(algorithm)
        strangeKey = try SigningKey.generate(.es256)
        state = Mutex(State(behavior: behavior))
    }

    /// What it does from now on.
    package var behavior: Behavior { state.withLock { $0.behavior } }

    /// Changes what it does from now on.
    package func behave(_ change: (inout Behavior) -> Void) {
        state.withLock { change(&$0.behavior) }
    }

    /// Sends the delayed responses.
    package func answerWaiting() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        for one in waiting { one.promise.completeWith(one.result) }
    }

    package func execute(
        _ request: ProviderRequest, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ProviderResponse> {
        let behavior = state.withLock { state in
            state.requests.append(request)
            return state.behavior
        }
        let path = request.url.path
        let result = Result<ProviderResponse, any Error> {
            if behavior.isDown || behavior.deadPaths.contains(path) { throw ProviderTransportError.unreachable }
            if let response = behavior.script?(request) ?? behavior.responses[path] { return try response.get() }
            guard !behavior.echoingPaths.contains(path) else { return Self.echo(of: request) }
            return try response(to: request, behavior)
        }
        guard behavior.latePaths.contains(path) else { return eventLoop.makeCompletedFuture(result) }
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        state.withLock { $0.waiting.append(Waiting(promise: promise, result: result)) }
        return promise.futureResult
    }

    /// A refusal with everything that was sent, form-encoded and not, in an OAuth error and in a challenge.
    private static func echo(of request: ProviderRequest) -> ProviderResponse {
        let form = request.form ?? ""
        let values = form.split(separator: "&").map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
        let authorization = request.authorization ?? ""
        let decoded = Data(base64Encoded: String(authorization.dropFirst("Basic ".count)))
        let basic = String(decoding: decoded ?? Data(), as: UTF8.self)
        let said =
            "Proof is missing; \(values.joined(separator: ", ")) \(form) \(authorization) \(basic) ada@example.com"
        var response = ProviderResponse.json(
            request.form == nil ? [:] : ["error": "invalid_request", "error_description": .string(said)], status: 400)
        response.challenge = "Bearer error=\"invalid_token\", error_description=\"\(said)\""
        return response
    }

    private func response(to request: ProviderRequest, _ behavior: Behavior) throws -> ProviderResponse {
        if request.url.path.hasSuffix("/.well-known/openid-configuration") { return .json(metadata(behavior)) }
        switch request.url.path {
        case "/jwks": return .json(keySet(behavior))
        case "/token", "/mtls/token": return try token(request, behavior)
        case "/par": return push(request, behavior)
        case "/userinfo", "/mtls/userinfo": return try userInfo(behavior)
        case "/revoke": return revoke(request, behavior)
        default: return .empty(status: 404)
        }
    }
}
