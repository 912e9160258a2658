// SPDX-License-Identifier: Apache-2.0

import JOSE

extension ProviderState {
    /// OpenID Connect Discovery 1.0 section 3, with RFC 9207 section 3.
    func discovery() -> SentResponse {
        if misbehaviour == .discoveryUnavailable { return .unavailable }
        var metadata: JSONObject = [
            "issuer": .string(misbehaviour == .issuerMismatch ? issuer + "INVALID" : issuer),
            "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "jwks_uri": .string(issuer + "/jwks"),
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(keys.current.algorithm.rawValue)],
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "name",
            ],
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
        ]
        if !configuration.announcedClientAuthentication.isEmpty {
            metadata["token_endpoint_auth_methods_supported"] = .array(
                configuration.announcedClientAuthentication.map { .string($0) })
        }
        if configuration.announcesIssuer {
            metadata["authorization_response_iss_parameter_supported"] = true
        }
        return .document(metadata)
    }

    /// RFC 7517 section 5.
    func keySet() -> SentResponse {
        if misbehaviour == .keySetUnavailable { return .unavailable }
        return .document(["keys": [.object(keys.current.publicJWK)]])
    }
}
