// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect

extension AppleState {
    /// The revocation endpoint, which responds with an empty 200 whether the token was valid or not. Revoking a token
    /// ends the consent: the next sign-in is a first one, with `user`.
    mutating func revoke(_ form: Parameters?) -> SentResponse {
        guard misbehavior != .revocationUnavailable else { return .unavailable }
        do throws(AppleTokenRefusal) {
            guard let form else { throw AppleTokenRefusal("invalid_request", "the body is not a form") }
            let client = try authenticated(form)
            guard let token = try Self.parameter("token", of: form) else {
                throw AppleTokenRefusal("invalid_request", "token is missing")
            }
            let hint = try Self.parameter("token_type_hint", of: form)
            guard hint == nil || hint == "access_token" || hint == "refresh_token" else {
                throw AppleTokenRefusal("invalid_request", "unknown token_type_hint")
            }
            let known = refreshTokens.value(for: token, now: now) ?? accessTokens.value(for: token, now: now)
            guard let grant = known else { return Self.empty }
            guard grant.client.id.hasSameBytes(as: client.id) else {
                throw AppleTokenRefusal("invalid_grant", "the token is another client's")
            }
            _ = refreshTokens.take(token, now: now)
            _ = accessTokens.take(token, now: now)
            consents[grant.consent] = nil
            counts.revocations += 1
            return Self.empty
        } catch {
            return error.response
        }
    }

    /// Apple's successful response has neither a body nor a content type.
    private static let empty = SentResponse(status: 200, headers: [("cache-control", "no-store")], body: [])
}
