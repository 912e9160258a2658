// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages

/// The metadata of the broker as an OpenID Provider for apps (OpenID Connect Discovery 1.0 section 3).
enum DiscoveryDocument {
    /// - Parameters:
    ///   - algorithms: The algorithms with which ID tokens are signed.
    ///   - scopes: The scopes of all providers.
    ///   - claims: The claims of ``claims(of:)``.
    ///   - hasRefreshTokens: Whether there is an app with refresh tokens.
    ///   - hasBackChannelLogout: Whether there is an app that hears of the end of its sessions.
    ///   - resources: The identifiers of the APIs for which there are access tokens.
    static func make(
        issuer: String, paths: BrokerPaths, origin: String, algorithms: [JSONWebAlgorithm], scopes: [String],
        claims: [String], hasRefreshTokens: Bool, hasBackChannelLogout: Bool, resources: [String]
    ) -> [UInt8] {
        var supportedScopes = ["openid"]
        for scope in scopes + (hasRefreshTokens ? ["offline_access"] : []) where !supportedScopes.contains(scope) {
            supportedScopes.append(scope)
        }
        let confidential: [JSONValue] = ["client_secret_basic", "client_secret_post", "private_key_jwt"]
        let signatures = JSONValue.array(AppKeys.algorithms.map(\.rawValue).sorted().map { .string($0) })
        var document: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(origin + paths[.authorize]),
            "token_endpoint": .string(origin + paths[.token]),
            "userinfo_endpoint": .string(origin + paths[.userInfo]),
            "end_session_endpoint": .string(origin + paths[.logout]),
            "jwks_uri": .string(origin + paths[.keySet]),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": .array(
                ["authorization_code"] + (hasRefreshTokens ? ["refresh_token"] : [])),
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(algorithms.map { .string($0.rawValue) }),
            "scopes_supported": .array(supportedScopes.map { .string($0) }),
            "ui_locales_supported": .array(Language.allCases.map { .string($0.texts.tag) }),
            "token_endpoint_auth_methods_supported": .array(confidential + ["none"]),
            "token_endpoint_auth_signing_alg_values_supported": signatures,
            "revocation_endpoint": .string(origin + paths[.revoke]),
            "revocation_endpoint_auth_methods_supported": .array(confidential + ["none"]),
            "revocation_endpoint_auth_signing_alg_values_supported": signatures,
            "introspection_endpoint": .string(origin + paths[.introspect]),
            "introspection_endpoint_auth_methods_supported": .array(confidential),
            "introspection_endpoint_auth_signing_alg_values_supported": signatures,
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": .array(claims.map { .string($0) }),
            "authorization_response_iss_parameter_supported": true,
            "claims_parameter_supported": true,
            "prompt_values_supported": .array(AppAuthorizationRequest.prompts.map { .string($0) }),
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
        ]
        // OpenID Connect Back-Channel Logout 1.0 section 2.1.
        if hasBackChannelLogout {
            (document["backchannel_logout_supported"], document["backchannel_logout_session_supported"]) = (true, true)
        }
        // RFC 9728 section 4.
        if !resources.isEmpty { document["protected_resources"] = .array(resources.map { .string($0) }) }
        return document.serialized()
    }

    /// Returns the claims that an app can get: those of a token, those of the scopes and kinds of the providers, and those
    /// that are configured.
    static func claims(of configuration: BrokerConfiguration) -> [String] {
        let providers = configuration.providers
        let (apple, others) = (providers.filter { $0.apple != nil }, providers.filter { $0.apple == nil })
        var claims = [
            "iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "acr", "amr", "at_hash", "upstream_iss",
            "upstream_sub", "provider",
        ]
        if providers.contains(where: { $0.scopesOfApps.contains("email") }) { claims += ["email", "email_verified"] }
        // Apple's name is beside the ID token.
        if others.contains(where: { $0.scopesOfApps.contains("profile") }) {
            claims += ["name", "given_name", "family_name", "picture"]
        }
        if !apple.isEmpty { claims += ["is_private_email", "real_user_status", "transfer_sub"] }
        for claim in providers.flatMap(\.claims) where !claims.contains(claim.name) { claims.append(claim.name) }
        if configuration.apps.contains(where: \.accounts) { claims.append("account") }
        if configuration.hasBackChannelLogout { claims.append("sid") }
        return claims
    }
}
