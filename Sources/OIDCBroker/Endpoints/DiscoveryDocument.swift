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
    ///   - hasAccounts: Whether there is an app whose sign-ins enter accounts.
    ///   - resources: The identifiers of the APIs for which there are access tokens.
    static func make(
        issuer: String, paths: BrokerPaths, origin: String, algorithms: [JSONWebAlgorithm], scopes: [String],
        hasAccounts: Bool, resources: [String]
    ) -> [UInt8] {
        var supportedScopes = ["openid"]
        for scope in scopes where !supportedScopes.contains(scope) { supportedScopes.append(scope) }
        let claims: [String] =
            [
                "iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "acr", "amr", "at_hash", "upstream_iss",
                "upstream_sub", "provider", "email", "email_verified", "name", "given_name", "family_name", "picture",
                "is_private_email", "real_user_status", "transfer_sub",
            ] + (hasAccounts ? ["account"] : [])
        var document: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(origin + paths[.authorize]),
            "token_endpoint": .string(origin + paths[.token]),
            "userinfo_endpoint": .string(origin + paths[.userInfo]),
            "end_session_endpoint": .string(origin + paths[.logout]),
            "jwks_uri": .string(origin + paths[.keySet]),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(algorithms.map { .string($0.rawValue) }),
            "scopes_supported": .array(supportedScopes.map { .string($0) }),
            "ui_locales_supported": .array(Language.allCases.map { .string($0.texts.tag) }),
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
            ],
            "token_endpoint_auth_signing_alg_values_supported": .array(
                AppKeys.algorithms.map(\.rawValue).sorted().map { .string($0) }),
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": .array(claims.map { .string($0) }),
            "authorization_response_iss_parameter_supported": true,
            "claims_parameter_supported": true,
            "prompt_values_supported": .array(AppAuthorizationRequest.prompts.map { .string($0) }),
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
        ]
        // RFC 9728 section 4.
        if !resources.isEmpty { document["protected_resources"] = .array(resources.map { .string($0) }) }
        return document.serialized()
    }
}
