// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The public documents of the provider, which are created once.
struct ProviderDocuments: Sendable {
    /// The documents by path.
    private let documents: [String: [UInt8]]

    /// Creates the documents of some issuers with one key set.
    ///
    /// - Parameters:
    ///   - origin: The scheme, host and port.
    ///   - issuerPaths: The path of each issuer, such as `/p0`.
    init(origin: String, issuerPaths: [String], algorithm: String, keySet: [UInt8], announcesIssuer: Bool) {
        var documents: [String: [UInt8]] = [:]
        for path in issuerPaths {
            let issuer = origin + path
            var metadata: JSONObject = [
                "issuer": .string(issuer),
                "authorization_endpoint": .string(issuer + "/authorize"),
                "token_endpoint": .string(issuer + "/token"),
                "jwks_uri": .string(issuer + "/jwks"),
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": .array([.string(algorithm)]),
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
                "code_challenge_methods_supported": ["S256"],
                "scopes_supported": ["openid", "email", "profile"],
                "claims_supported": ["iss", "sub", "aud", "exp", "iat", "nonce", "email", "email_verified", "name"],
            ]
            if announcesIssuer { metadata["authorization_response_iss_parameter_supported"] = true }
            documents[path + "/.well-known/openid-configuration"] = metadata.serialized()
            documents[path + "/jwks"] = keySet
        }
        self.documents = documents
    }

    /// Returns the document at a path.
    func document(at path: String) -> [UInt8]? { documents[path] }
}
