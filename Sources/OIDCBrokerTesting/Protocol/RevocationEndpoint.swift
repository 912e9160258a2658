// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// The revocation endpoint (RFC 7009 section 2). The response does not depend on whether the token was valid.
    mutating func revoke(_ request: ReceivedRequest) -> SentResponse {
        if misbehavior == .revocationUnavailable { return .later(status: 503, "Service Unavailable") }
        do throws(TokenRefusal) {
            let (form, client) = try authenticatedForm(request)
            guard let token = try Self.parameter("token", of: form), !token.isEmpty else {
                throw .invalidRequest("token is missing")
            }
            if let grant = accessTokens.take(token, now: now) ?? refreshTokens.take(token, now: now) {
                guard grant.clientID.hasSameBytes(as: client.id) else {
                    throw .invalidGrant("the token is another client's")
                }
            }
            return SentResponse(status: 200, headers: [("cache-control", "no-store")], body: [])
        } catch {
            return refuse(request, error)
        }
    }
}
