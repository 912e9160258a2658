// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// The number of refreshes that ``Misbehavior/accessTokensAgeFast`` requires before a grant can be used.
    private static var refreshesBeforeUse: Int { 2 }

    /// The UserInfo endpoint (OpenID Connect Core 1.0 section 5.3).
    mutating func userInfo(_ request: ReceivedRequest) -> Plan {
        guard let token = Self.bearerToken(request) else {
            violate(request, "has no bearer token in the header or the form, or several")
            return Self.unauthorized
        }
        guard let grant = accessTokens.value(for: token, now: now) else {
            violate(request, "the access token is not in force")
            return Self.unauthorized
        }
        // A token that is bound to a certificate is valid only with that certificate (RFC 8705 section 3).
        if let certificate = grant.certificate, request.clientCertificate != certificate {
            violate(request, "the access token is bound to another certificate")
            return Self.unauthorized
        }
        if misbehavior == .accessTokensAgeFast, grant.refreshes < Self.refreshesBeforeUse { return Self.unauthorized }
        if misbehavior == .userInfoIsHTML { return .response(.page(ProviderPages.failure("This is not JSON."))) }
        var claims: JSONObject = ["sub": .string(grant.person.subject)]
        for claim in grant.personClaims.members { claims[claim.name] = claim.value }
        switch misbehavior {
        case .userInfoWrongSubject: claims["sub"] = .string(grant.person.subject + "invalid")
        case .userInfoMissingSubject: claims["sub"] = nil
        default: break
        }
        let client = configuration.clients.first { $0.id == grant.clientID }
        guard client?.signsUserInfo == true else { return .response(.json(claims)) }
        claims["iss"] = .string(misbehavior == .userInfoWrongIssuer ? issuer + "1" : issuer)
        claims["aud"] = .string(misbehavior == .userInfoWrongAudience ? grant.clientID + "1" : grant.clientID)
        return .sign(UserInfoMint(claims: claims, key: keys.current, misbehavior: misbehavior).response)
    }

    private static var unauthorized: Plan {
        .response(
            .plain(status: 401, "Unauthorized", headers: [("www-authenticate", "Bearer error=\"invalid_token\"")]))
    }

    /// Returns the access token, which must occur once, in the header or in the form and never in the query (RFC 6750
    /// section 2).
    private static func bearerToken(_ request: ReceivedRequest) -> String? {
        let inForm = request.method == "POST" ? try? request.form?.value("access_token")?.makeString() : nil
        guard let authorization = request.header("authorization") else { return inForm }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard inForm == nil, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

/// A UserInfo response that is a signed token (OpenID Connect Core 1.0 section 5.3.2).
struct UserInfoMint: Sendable {
    let claims: JSONObject
    let key: SigningKey
    let misbehavior: Misbehavior

    func response() -> SentResponse {
        let draft = TokenDraft(
            algorithm: key.algorithm.rawValue, keyID: key.keyID, payload: claims.serialized())
        guard let signature = try? key.signature(over: draft.signingInput) else {
            return .plain(status: 500, "UserInfo could not be signed")
        }
        let token =
            switch misbehavior {
            case .userInfoAlgorithmNone: draft.unsigned(algorithm: "none")
            case .userInfoWrongSignature: draft.token(signature: signature.map { $0 ^ 0x5A })
            default: draft.token(signature: signature)
            }
        return SentResponse(
            status: 200, headers: [("content-type", "application/jwt"), ("cache-control", "no-store")],
            body: Array(token.utf8))
    }
}

extension Grant {
    /// The claims about the person that the scopes request (OpenID Connect Core 1.0 section 5.4), except the subject.
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
