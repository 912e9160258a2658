// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    private static var refreshLifetime: Int64 { 86400 }

    /// The token endpoint (RFC 6749 section 3.2).
    mutating func token(_ request: ReceivedRequest) -> Plan {
        switch misbehavior {
        case .tokenEndpointUnavailable: .response(.unavailable)
        case .tooManyTokenRequests: .response(.later(status: 429, "Too Many Requests"))
        case .errorFromTokenEndpoint: .response(.error("invalid_grant", "the provider refuses every code"))
        case .redirectFromTokenEndpoint:
            .response(.redirect(to: issuer + path(of: .redirectedToken), status: 307))
        default: exchange(request)
        }
    }

    /// Exchanges a code or a refresh token for tokens.
    mutating func exchange(_ request: ReceivedRequest) -> Plan {
        do throws(TokenRefusal) {
            return .sign(try mint(for: request).response)
        } catch {
            return .response(refuse(request, error))
        }
    }

    /// Returns the mint of an ID token.
    mutating func idTokenMint(
        _ grant: Grant,
        at place: IDTokenMint.Place,
        accessToken: String? = nil,
        code: String? = nil,
        state: String? = nil
    ) -> IDTokenMint {
        if misbehavior == .rotatedJustBeforeSigning {
            // This does not fail in practice: an EC key can always be generated, and RSA keys are shared. If it does, the
            // previous key remains usable.
            try? keys.rotate()
        }
        return IDTokenMint(
            place: place, grant: grant, client: configuration.clients.first { $0.id == grant.clientID },
            issuer: issuer, keys: keys, now: now, accessToken: accessToken, code: code, state: state,
            misbehavior: misbehavior)
    }

    private mutating func mint(for request: ReceivedRequest) throws(TokenRefusal) -> TokenMint {
        let (form, client) = try authenticatedForm(request)
        let key = try boundKey(of: client, request, at: .token)
        let now = now
        var grant: Grant
        let place: IDTokenMint.Place
        switch try Self.parameter("grant_type", of: form) {
        case "authorization_code":
            grant = try redeemCode(form, client: client, now: now)
            place = .tokenEndpoint
        case "refresh_token":
            grant = try redeemRefreshToken(form, client: client, now: now)
            place = .refresh
        default:
            throw TokenRefusal(
                response: .error("unsupported_grant_type", "this grant_type is not supported"),
                reason: "grant_type is neither authorization_code nor refresh_token")
        }
        guard grant.dpopThumbprint == nil || place == .refresh || grant.dpopThumbprint == key else {
            throw .invalidGrant("the code is bound to another key")
        }
        grant.dpopThumbprint = key
        if client.usesMutualTLS || client.tokenBinding == .certificate {
            guard let certificate = request.clientCertificate else {
                throw .invalidRequest("the client came without the certificate that its tokens are bound to")
            }
            grant.certificate = certificate
        }
        let accessToken = Self.randomValue()
        accessTokens.insert(grant, for: accessToken, expiry: now + TokenMint.accessTokenLifetime, now: now)
        var refreshToken: String?
        if grant.scopes.contains("offline_access") {
            let value = Self.randomValue()
            var refreshed = grant
            // A refreshed ID token has no nonce (OpenID Connect Core 1.0 section 12.2).
            refreshed.nonce = nil
            refreshed.refreshes += 1
            refreshTokens.insert(refreshed, for: value, expiry: now + Self.refreshLifetime, now: now)
            refreshToken = value
        }
        return TokenMint(
            scopes: grant.scopes, accessToken: accessToken, refreshToken: refreshToken,
            idToken: idTokenMint(grant, at: place, accessToken: accessToken), misbehavior: misbehavior,
            isBoundToKey: key != nil, dpopNonce: key == nil ? nil : dpopNonce)
    }

    /// Exchanges a code (RFC 6749 section 4.1.3, RFC 7636 section 4.6). A code is used up by the first attempt,
    /// whatever its result.
    private mutating func redeemCode(
        _ form: Parameters,
        client: OpenIDProvider.Client,
        now: Int64
    ) throws(TokenRefusal) -> Grant {
        guard let code = try Self.parameter("code", of: form) else { throw .invalidRequest("code is missing") }
        guard let grant = codes.take(code, now: now) else {
            throw .invalidGrant("the code is unknown, used or too old")
        }
        guard grant.clientID == client.id else { throw .invalidGrant("the code is another client's") }
        guard let redirectURI = try Self.parameter("redirect_uri", of: form),
            redirectURI.utf8.elementsEqual(grant.redirectURI.utf8)
        else { throw .invalidGrant("redirect_uri is not that of the authorization request") }
        switch (grant.codeChallenge, try Self.parameter("code_verifier", of: form)) {
        case (nil, nil): break
        case (let challenge?, let text?):
            guard let verifier = CodeVerifier(text), ConstantTime.equal(verifier.challenge, challenge) else {
                throw .invalidGrant("code_verifier does not fit code_challenge")
            }
        case (.some, nil): throw .invalidGrant("code_verifier is missing")
        case (nil, .some): throw .invalidGrant("code_verifier without code_challenge")
        }
        return grant
    }

    /// Exchanges a refresh token (RFC 6749 section 6) with rotation: each can be used once (RFC 9700 section 4.14.2).
    private mutating func redeemRefreshToken(
        _ form: Parameters,
        client: OpenIDProvider.Client,
        now: Int64
    ) throws(TokenRefusal) -> Grant {
        guard let token = try Self.parameter("refresh_token", of: form) else {
            throw .invalidRequest("refresh_token is missing")
        }
        guard let grant = refreshTokens.take(token, now: now), grant.clientID == client.id else {
            throw .invalidGrant("the refresh token is unknown, used, too old or another client's")
        }
        return grant
    }

    /// Returns the single value of a form field.
    static func parameter(_ name: String, of form: Parameters) throws(TokenRefusal) -> String? {
        do {
            return try form.value(name)?.makeString()
        } catch { throw .invalidRequest("\(error)") }
    }
}
