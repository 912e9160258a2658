// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import Synchronization
import OpenIDRelyingParty

/// Grants, and what the token endpoint makes of them.
extension TestProvider {
    /// What a code is bound to.
    package struct Grant: Sendable {
        package let nonce: String?
        /// The PKCE challenge.
        package let challenge: String?
        package let redirectURI: String?
        /// Whether `max_age` was asked for.
        package let hasMaximumAge: Bool

        package init(
            nonce: String? = nil, challenge: String? = nil, redirectURI: String? = nil, hasMaximumAge: Bool = false
        ) {
            self.nonce = nonce
            self.challenge = challenge
            self.redirectURI = redirectURI
            self.hasMaximumAge = hasMaximumAge
        }
    }

    /// Makes a code good for one token request.
    package func register(code: String, _ grant: Grant) {
        state.withLock {
            $0.grants[code] = grant
            $0.issued.append(code)
        }
    }

    func token(_ request: ProviderRequest, _ behavior: Behavior) throws -> ProviderResponse {
        let form = Query(request.form ?? "")
        let isRefresh = form["grant_type"] == "refresh_token"
        if let fixed = behavior.fixed {
            let grant = state.withLock { $0.latestGrant }
            return .json(
                try tokens(fixed.accessToken, fixed.refreshToken, grant, isRefresh: isRefresh, behavior))
        }
        guard isClient(request, form, behavior) else { return .json(["error": "invalid_client"], status: 401) }
        if isRefresh { return try refresh(form, behavior) }
        guard form["grant_type"] == "authorization_code", let code = form["code"],
            let grant = state.withLock({ $0.grants.removeValue(forKey: code) }),
            let redirectURI = grant.redirectURI, form["redirect_uri"] == redirectURI,
            let verifier = form["code_verifier"],
            ProofKey.challenge(of: verifier) == grant.challenge || !behavior.checksProofKey
        else { return try behavior.junkResponse?.get() ?? .json(["error": "invalid_grant"], status: 400) }
        let accessToken = "upstream-access-" + Base64URL.encode(SecureRandom.bytes(24))
        let refreshToken = "upstream-refresh-" + Base64URL.encode(SecureRandom.bytes(24))
        state.withLock { _ = $0.refreshTokens.insert(refreshToken) }
        return .json(try tokens(accessToken, refreshToken, grant, isRefresh: false, behavior))
    }

    private func tokens(
        _ accessToken: String, _ refreshToken: String, _ grant: Grant, isRefresh: Bool, _ behavior: Behavior
    ) throws -> JSONObject {
        note(issued: accessToken, refreshToken)
        let idToken = try backChannelToken(grant, accessToken: accessToken, isRefresh: isRefresh, behavior)
        var response: JSONObject = [
            "id_token": .string(idToken),
            "access_token": .string(accessToken),
            "refresh_token": .string(refreshToken),
            "token_type": "Bearer",
            "expires_in": 3600,
        ]
        behavior.changeTokenResponse(&response)
        return response
    }

    private func refresh(_ form: Query, _ behavior: Behavior) throws -> ProviderResponse {
        guard let token = form["refresh_token"], refreshTokens.contains(token) else {
            return .json(["error": "invalid_grant"], status: 400)
        }
        let accessToken = "upstream-access-refreshed"
        var response: JSONObject = ["access_token": .string(accessToken), "token_type": "Bearer"]
        if behavior.rotatesRefreshTokens {
            let next = "upstream-refresh-" + Base64URL.encode(SecureRandom.bytes(24))
            state.withLock {
                $0.refreshTokens.remove(token)
                $0.refreshTokens.insert(next)
            }
            response["refresh_token"] = .string(next)
        }
        if behavior.sendsIDTokenOnRefresh {
            response["id_token"] = .string(
                try backChannelToken(Grant(), accessToken: accessToken, isRefresh: true, behavior))
        }
        behavior.changeTokenResponse(&response)
        return .json(response)
    }

    /// HTTP Basic with both parts form-encoded, decoded by Foundation; or, of a public client, its id alone.
    func isClient(_ request: ProviderRequest, _ form: Query, _ behavior: Behavior) -> Bool {
        if behavior.isPublicClient {
            return request.authorization == nil && form["client_id"] == client.id && form["client_secret"] == nil
        }
        guard let authorization = request.authorization, authorization.hasPrefix("Basic "),
            let bytes = Data(base64Encoded: String(authorization.dropFirst(6)))
        else { return false }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].removingPercentEncoding == client.id
            && parts[1].removingPercentEncoding == client.secret
    }
}
