// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect

/// An error response of an endpoint (RFC 6749 section 5.2). Apple's have status 400 without exception.
struct AppleTokenRefusal: Error {
    let response: SentResponse

    init(_ code: String, _ description: String) {
        response = .error(code, description)
    }

    init(_ response: SentResponse) {
        self.response = response
    }
}

extension AppleState {
    private static var accessLifetime: Int64 { 3600 }
    private static var refreshLifetime: Int64 { 180 * 86_400 }

    /// The token endpoint.
    mutating func token(_ form: Parameters?) -> Plan {
        guard misbehavior != .tokenEndpointUnavailable else { return .response(.unavailable) }
        do throws(AppleTokenRefusal) {
            guard let form else { throw AppleTokenRefusal("invalid_request", "the body is not a form") }
            let client = try authenticated(form)
            switch try Self.parameter("grant_type", of: form) {
            case "authorization_code": return try exchange(form, client)
            case "refresh_token": return try refresh(form, client)
            case "client_credentials": return .response(try migrationToken(form, client))
            default: throw AppleTokenRefusal("unsupported_grant_type", "this grant_type is not supported")
            }
        } catch {
            return .response(error.response)
        }
    }

    /// Authenticates the client by a client secret in the form, the only method that Apple supports.
    mutating func authenticated(_ form: Parameters) throws(AppleTokenRefusal) -> MockApple.Client {
        let clientID = try Self.parameter("client_id", of: form)
        let secret = try Self.parameter("client_secret", of: form)
        let client = configuration.clients.first { clientID?.hasSameBytes(as: $0.id) == true }
        let refusal: String?
        if misbehavior == .refusesClientSecrets {
            refusal = "told to"
        } else if let client, let secret {
            refusal = RegisteredKey.refusal(
                of: secret, client: client, keys: developerKeys, issuer: issuer, now: now)
        } else {
            refusal = client == nil ? "the client is unknown" : "there is no client secret"
        }
        guard refusal == nil, let client, let secret else {
            counts.refusedClientSecrets += 1
            clientSecretRefusals.append(refusal ?? "refused")
            throw AppleTokenRefusal(.json(["error": "invalid_client"], status: 400))
        }
        if clientSecrets.insert(Hash.sha256(secret.utf8)).inserted { counts.clientSecrets += 1 }
        return client
    }

    /// Exchanges a code. A code is used up by the first attempt, whatever its result.
    private mutating func exchange(
        _ form: Parameters, _ client: MockApple.Client
    ) throws(AppleTokenRefusal) -> Plan {
        guard let code = try Self.parameter("code", of: form) else {
            throw AppleTokenRefusal("invalid_request", "code is missing")
        }
        guard let grant = codes.take(code, now: now) else {
            throw AppleTokenRefusal(
                "invalid_grant", "The code has expired or has been revoked.")
        }
        guard grant.client.id.hasSameBytes(as: client.id) else {
            throw AppleTokenRefusal("invalid_grant", "client_id mismatch.")
        }
        // The code of a native app was not sent to a URL, so it must not be exchanged with a redirect URI.
        switch (grant.redirectURI, try Self.parameter("redirect_uri", of: form)) {
        case (nil, nil): break
        case (let sent?, let given?) where sent.hasSameBytes(as: given): break
        default: throw AppleTokenRefusal("invalid_grant", "redirect_uri mismatch.")
        }
        let verifier = try Self.parameter("code_verifier", of: form)
        if let challenge = grant.codeChallenge {
            guard let verifier = verifier.flatMap({ CodeVerifier($0) }),
                ConstantTime.equal(verifier.challenge, challenge)
            else { throw AppleTokenRefusal("invalid_grant", "code_verifier does not fit code_challenge") }
        }
        counts.codeExchanges += 1
        let refreshToken = Self.randomValue()
        refreshTokens.insert(grant, for: refreshToken, expiry: now + Self.refreshLifetime, now: now)
        return tokens(grant, refreshToken: refreshToken)
    }

    /// Exchanges a refresh token, which Apple does not rotate.
    private mutating func refresh(
        _ form: Parameters, _ client: MockApple.Client
    ) throws(AppleTokenRefusal) -> Plan {
        guard let token = try Self.parameter("refresh_token", of: form),
            let grant = refreshTokens.value(for: token, now: now), grant.client.id.hasSameBytes(as: client.id)
        else { throw AppleTokenRefusal("invalid_grant", "The refresh token is unknown or revoked.") }
        counts.refreshes += 1
        return tokens(grant, refreshToken: nil)
    }

    private mutating func tokens(_ grant: AppleGrant, refreshToken: String?) -> Plan {
        let accessToken = Self.randomValue()
        accessTokens.insert(grant, for: accessToken, expiry: now + Self.accessLifetime, now: now)
        let token = idToken(grant, accessToken: accessToken)
        let lifetime = Self.accessLifetime
        return .sign {
            guard let text = try? token.text() else { return .error("server_error", "not signed", status: 500) }
            var response: JSONObject = [
                "access_token": .string(accessToken), "token_type": "Bearer",
                "expires_in": .number(JSONNumber(lifetime)), "id_token": .string(text),
            ]
            if let refreshToken { response["refresh_token"] = .string(refreshToken) }
            return .json(response)
        }
    }

    private mutating func migrationToken(
        _ form: Parameters, _ client: MockApple.Client
    ) throws(AppleTokenRefusal) -> SentResponse {
        guard try Self.parameter("scope", of: form) == "user.migration" else {
            throw AppleTokenRefusal("invalid_scope", "only user.migration")
        }
        let token = Self.randomValue()
        migrationTokens.insert(client, for: token, expiry: now + Self.accessLifetime, now: now)
        return .json([
            "access_token": .string(token), "token_type": "Bearer",
            "expires_in": .number(JSONNumber(Self.accessLifetime)),
        ])
    }

    static func parameter(_ name: String, of form: Parameters) throws(AppleTokenRefusal) -> String? {
        do {
            return try form.nonEmptyValue(name)?.makeString()
        } catch {
            throw AppleTokenRefusal("invalid_request", "\(error)")
        }
    }
}
