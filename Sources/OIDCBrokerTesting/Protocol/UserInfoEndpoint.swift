// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// The UserInfo endpoint (OpenID Connect Core 1.0 section 5.3).
    func userInfo(_ request: ReceivedRequest) -> SentResponse {
        guard let token = Self.bearerToken(request), let grant = accessTokens.value(for: token, now: now) else {
            return .plain(
                status: 401, "Unauthorized", headers: [("www-authenticate", "Bearer error=\"invalid_token\"")])
        }
        var claims: JSONObject = ["sub": .string(grant.person.subject)]
        for claim in grant.personClaims.members { claims[claim.name] = claim.value }
        if misbehaviour == .userInfoWrongSubject { claims["sub"] = .string(grant.person.subject + "invalid") }
        return .json(claims)
    }

    /// RFC 6750 section 2: in the header or in the form, once; never in the query.
    private static func bearerToken(_ request: ReceivedRequest) -> String? {
        let inForm = request.method == "POST" ? try? request.form?.value("access_token") : nil
        guard let authorization = request.header("authorization") else { return inForm }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard inForm == nil, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

extension Grant {
    /// What the scopes ask for about the person (OpenID Connect Core 1.0 section 5.4), besides the subject.
    var personClaims: JSONObject {
        var claims = JSONObject()
        if scopes.contains("email") {
            claims["email"] = .string(person.email)
            claims["email_verified"] = true
        }
        if scopes.contains("profile") { claims["name"] = .string(person.name) }
        return claims
    }
}
