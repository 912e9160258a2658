// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// The number of refreshes that ``Misbehavior/accessTokensAgeFast`` requires before a grant can be used.
    private static var refreshesBeforeUse: Int { 2 }

    /// The UserInfo endpoint (OpenID Connect Core 1.0 section 5.3).
    mutating func userInfo(_ request: ReceivedRequest) -> Plan {
        guard let (token, isProved) = Self.accessToken(request) else {
            violate(request, "has no access token in the header or the form, or several")
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
        if let refusal = dpopRefusal(request, token: token, isProved: isProved, of: grant) { return refusal }
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

    /// Checks the proof of a token that is bound to a key (RFC 9449 section 7.1).
    private mutating func dpopRefusal(
        _ request: ReceivedRequest, token: String, isProved: Bool, of grant: Grant
    ) -> Plan? {
        guard isProved || grant.dpopThumbprint != nil else { return nil }
        do throws(DPoPRefusal) {
            guard isProved else { throw .invalid("the token is bound to a key and comes as a bearer token") }
            guard let key = try dpopThumbprint(of: request, at: .userInfo, accessToken: token),
                key == grant.dpopThumbprint
            else { throw .invalid("the access token is bound to another key") }
            return nil
        } catch {
            if !error.reason.isEmpty { violate(request, error.reason) }
            let scheme = misbehavior == .oddChallengeCase ? "dPoP" : "DPoP"
            return .response(
                withNonce(
                    .plain(
                        status: 401, "Unauthorized",
                        headers: [
                            ("www-authenticate", "Bearer"), ("www-authenticate", "\(scheme) error=\"\(error.code)\""),
                        ]), at: .userInfo))
        }
    }

    private static var unauthorized: Plan {
        .response(
            .plain(status: 401, "Unauthorized", headers: [("www-authenticate", "Bearer error=\"invalid_token\"")]))
    }

    /// Returns the access token, which must occur once, in the header or in the form and never in the query (RFC 6750
    /// section 2).
    private static func accessToken(_ request: ReceivedRequest) -> (token: String, isProved: Bool)? {
        let inForm = request.method == "POST" ? try? request.form?.value("access_token")?.makeString() : nil
        guard let authorization = request.header("authorization") else { return inForm.map { ($0, false) } }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard inForm == nil, parts.count == 2, ["bearer", "dpop"].contains(parts[0].lowercased()) else { return nil }
        return (String(parts[1]), parts[0].lowercased() == "dpop")
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
    /// The claims about the user that the scopes request (OpenID Connect Core 1.0 section 5.4), except the subject. No
    /// standard has the scope `groups`, but many providers do.
    var personClaims: JSONObject {
        var claims = JSONObject()
        if scopes.contains("email") {
            claims["email"] = .string(person.email)
            claims["email_verified"] = true
        }
        if scopes.contains("profile") { claims["name"] = .string(person.name) }
        if scopes.contains("groups") { claims["groups"] = .array(person.groups.map { .string($0) }) }
        return claims
    }
}
