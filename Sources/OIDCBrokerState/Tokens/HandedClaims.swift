// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OIDCBrokerConfiguration
package import OpenIDConnect
package import OpenIDRelyingParty
import SignInWithApple

/// The conversion of a verified sign-in for an app.
package enum HandedClaims {
    /// The claims about the user that are handed on unchanged.
    private static let profile = ["name", "given_name", "family_name", "picture"]

    /// Returns the claims of the broker's ID token, without the times and hashes that minting adds.
    /// - Parameters:
    ///   - scopes: The scopes that the app asked for. Claims of other scopes are not handed on.
    ///   - requirements: The claims that the app requested by name, which are handed on as well.
    ///   - configured: The further claims of the provider that apps get.
    ///   - picked: Those of them that the sign-in has, by the names that apps know. Others in it are not handed on.
    ///   - addClaims: Adds the claims that only the kind of the provider has.
    ///   - account: The identifier of the account that the sign-in enters; `nil` if there is none. A claim `account` of
    ///     the provider is never handed on.
    ///   - kept: The names of configured claims that UserInfo alone has if they do not fit, where there is an account.
    /// - Throws: An error if a configured claim cannot be handed on, or a required one is too long. See
    ///   ``bounded(_:subject:keeping:atUserInfo:)``.
    package static func idToken(
        _ signIn: VerifiedSignIn, providerID: String, issuer: String, clientID: String, nonce: String?,
        scopes: GrantedScopes, requirements: LoginRequirements = .none,
        configured: [BrokerConfiguration.ProviderClaim] = [], picked: JSONObject,
        addingClaims addClaims: (Claims, inout JSONObject) -> Void,
        account: String? = nil, atUserInfo kept: [String] = []
    ) throws(ClaimError) -> Bounded {
        let upstream = signIn.claims.object
        let subject = SubjectIdentifier.derive(issuer: signIn.issuer, subject: signIn.subject)
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(subject),
            "aud": .string(clientID),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        // Some providers send a fraction, which not every app reads.
        if let time = upstream["auth_time"]?.secondsValue { claims["auth_time"] = .number(JSONNumber(time)) }
        if let acr = upstream["acr"], acr.text?.isEmpty == false { claims["acr"] = acr }
        if let amr = upstream.present("amr"), amr.arrayValue?.allSatisfy({ $0.text != nil }) == true {
            claims["amr"] = amr
        }
        claims["upstream_iss"] = .string(signIn.issuer)
        claims["upstream_sub"] = .string(signIn.subject)
        claims["provider"] = .string(providerID)
        if scopes.hasEmail || requirements.requestsEmail, let email = upstream["email"], email.text?.isEmpty == false {
            claims["email"] = email
            // True only if the same source as that of the email said so.
            claims["email_verified"] = .bool([BrokerConfiguration.ProviderClaim].hasVerifiedEmail(upstream))
        }
        for name in profile where scopes.hasProfile || requirements.requestsProfile {
            if let value = upstream[name], value.text?.isEmpty == false { claims[name] = value }
        }
        // Nothing is kept without an account: then none may be too long.
        let picked = account == nil && !kept.isEmpty ? try configured.picked(from: upstream) : picked
        let kept = account == nil ? [] : kept
        let handed = configured.map(\.name).filter { picked[$0] != nil && isGranted($0, scopes, requirements) }
        for name in handed { claims[name] = picked[name] }
        addClaims(signIn.claims, &claims)
        if let account { claims["account"] = .string(account) }
        return try bounded(claims, subject: subject, keeping: handed, atUserInfo: kept)
    }

    /// Whether an app gets a configured claim: one of a scope with it (OpenID Connect Core 1.0 section 5.4), another always.
    private static func isGranted(_ name: String, _ scopes: GrantedScopes, _ requirements: LoginRequirements) -> Bool {
        switch name {
        case "address": scopes.hasAddress
        case "phone_number", "phone_number_verified": scopes.hasPhone
        default:
            scopes.hasProfile || requirements.requestsProfile
                || !BrokerConfiguration.ProviderClaim.ofProfile.contains(name)
        }
    }

    /// The claims that concern the token and not the user, and those that say who the user is.
    private static let minimal: Set<WireText> = [
        "iss", "sub", "aud", "nonce", "auth_time", "acr", "amr", "upstream_iss", "upstream_sub", "provider", "account",
    ]

    /// Returns the claims of an ID token whose app gets those of the user from UserInfo alone; `nil` if they cannot be read.
    static func minimal(_ claims: JSONObjectText) -> JSONObjectText? {
        guard var claims = claims.object else { return nil }
        claims.removeMembers { !minimal.contains($0) }
        return JSONObjectText(claims)
    }

    /// Returns the claims of a session with the configured ones as a newer sign-in of the identity left them.
    /// - Parameters:
    ///   - claims: The claims that the session has.
    ///   - newest: The configured claims of the newer sign-in, by the names that apps know.
    ///   - configured: The further claims of the provider that apps get.
    ///   - kept: The names of those that UserInfo alone has if they do not fit.
    /// - Throws: An error if one could not be handed on at a sign-in either.
    package static func renewed(
        _ claims: JSONObject, by newest: JSONObject, configured: [BrokerConfiguration.ProviderClaim],
        atUserInfo kept: [String]
    ) throws(ClaimError) -> JSONObject {
        let (names, further) = (configured.map(\.name), configured.namesOfFurther)
        var renewed = claims
        for name in names {
            // One of a scope stays where the newer sign-in has none, and does not come where the session has none.
            guard further.contains(name) || (claims[name] != nil && newest[name] != nil) else { continue }
            let maximum = BrokerConfiguration.ProviderClaim.maximumLength
            guard kept.contains(name) || newest[name].map({ $0.serialized().count <= maximum }) ?? true else {
                throw ClaimError("'\(name)' is longer than \(maximum) bytes")
            }
            renewed[name] = newest[name]
        }
        return try bounded(renewed, subject: "", keeping: names, atUserInfo: kept).claims.object ?? claims
    }

    /// Removes the claims of scopes that the app does without in a refresh (RFC 6749 section 6). Those that it requested by
    /// name stay.
    package static func remove(
        from claims: inout JSONObject, narrowing granted: GrantedScopes, to scopes: GrantedScopes
    ) {
        if granted.hasEmail, !scopes.hasEmail {
            for name in ["email", "email_verified", "is_private_email"] { claims[name] = nil }
        }
        if granted.hasProfile, !scopes.hasProfile {
            for name in BrokerConfiguration.ProviderClaim.ofProfile { claims[name] = nil }
        }
        if granted.hasAddress, !scopes.hasAddress { claims["address"] = nil }
        if granted.hasPhone, !scopes.hasPhone {
            for name in ["phone_number", "phone_number_verified"] { claims[name] = nil }
        }
    }

    /// The members of `upstream` that may be omitted if a record is too long.
    static let omissible = ["id_token", "access_token", "refresh_token", "claims"]

    /// Returns the `upstream` member, for an app that is allowed the provider's own tokens.
    /// - Parameter omitted: The names of ``omissible`` members that are left out, which are listed in `omitted`.
    package static func upstream(_ signIn: VerifiedSignIn, providerID: String, without omitted: [String] = [])
        -> JSONObjectText
    {
        var upstream: JSONObject = [
            "provider": .string(providerID),
            "claims": .object(signIn.claims.object),
            "id_token": .string(signIn.idToken.exposed),
        ]
        if let token = signIn.accessToken { upstream["access_token"] = .string(token.exposed) }
        if let token = signIn.refreshToken { upstream["refresh_token"] = .string(token.exposed) }
        if let lifetime = signIn.expiresIn {
            upstream["expires_in"] = .number(JSONNumber(lifetime.components.seconds))
        }
        if !signIn.rawNonce.isEmpty { upstream["raw_nonce"] = .string(signIn.rawNonce) }
        if !omitted.isEmpty {
            for name in omitted { upstream[name] = nil }
            upstream["omitted"] = .array(omitted.map { .string($0) })
        }
        return JSONObjectText(upstream)
    }
}
