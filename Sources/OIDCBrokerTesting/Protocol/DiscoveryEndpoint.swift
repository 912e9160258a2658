// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import JOSE

extension ProviderState {
    /// The metadata endpoint (OpenID Connect Discovery 1.0 section 4).
    func discovery() -> SentResponse {
        switch misbehavior {
        case .discoveryUnavailable: return .unavailable
        case .redirectFromDiscovery: return .redirect(to: issuer + path(of: .redirectedMetadata), status: 302)
        case .discoveryIsHTML: return .page(ProviderPages.failure("There are no metadata here."))
        case .duplicateMetadataMember:
            var response = document(metadata())
            response.body = response.body.appendingMember("issuer", .string(issuer))
            return response
        case .metadataWithByteOrderMark:
            var response = document(metadata())
            response.body.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
            return response
        default: return document(metadata())
        }
    }

    /// The key set endpoint (RFC 7517 section 5).
    func keySet() -> SentResponse {
        if misbehavior == .keySetUnavailable { return .unavailable }
        let published = PublishedKeys(
            keys: keys, misbehavior: misbehavior, hasDecoys: configuration.publishesDecoyKeys)
        do {
            let entries = try published.entries()
            return document(["keys": .array(entries)])
        } catch {
            return .plain(status: 500, "A key could not be made")
        }
    }

    /// Returns a JSON document that may be cached for as long as the configuration says.
    func document(_ object: JSONObject) -> SentResponse {
        var response = SentResponse.document(object)
        if let cacheControl = configuration.documentCacheControl {
            response.headers.append(("cache-control", cacheControl))
        }
        return response
    }

    /// Returns the metadata (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2, RFC 8705 section 5, RFC 9126
    /// section 5, RFC 9207 section 3 and JARM section 4).
    func metadata() -> JSONObject {
        let name = misbehavior == .issuerMismatch ? issuer + "INVALID" : issuer
        let types = configuration.responseTypes.map { JSONValue.string($0.name) }
        let algorithms = idTokenAlgorithms.map { JSONValue.string($0) }
        var metadata: JSONObject = [
            "issuer": .string(name),
            "authorization_endpoint": url(of: .authorization),
            "token_endpoint": url(of: .token),
            "userinfo_endpoint": url(of: .userInfo),
            "revocation_endpoint": url(of: .revocation),
            "pushed_authorization_request_endpoint": url(of: .pushedAuthorization),
            "jwks_uri": url(of: .keySet),
            "scopes_supported": ["openid", "profile", "email", "groups", "offline_access"],
            "response_types_supported": .array(types),
            "response_modes_supported": [
                "query", "form_post", "fragment", "query.jwt", "form_post.jwt", "fragment.jwt", "jwt",
            ],
            "grant_types_supported": ["authorization_code", "implicit", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(algorithms),
            "authorization_signing_alg_values_supported": [.string(keys.current.algorithm.rawValue)],
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "email", "email_verified", "name",
                "groups",
            ],
            "claims_parameter_supported": true,
            "request_parameter_supported": .bool(configuration.clients.contains { $0.keySet != nil }),
            "request_uri_parameter_supported": false,
        ]
        addClientAuthentication(to: &metadata)
        addMutualTLS(to: &metadata)
        addTokenFormats(to: &metadata)
        if configuration.clients.contains(where: { $0.tokenBinding == .dpop }) {
            metadata["dpop_signing_alg_values_supported"] = ["ES256"]
        }
        if configuration.requiresPushedAuthorization { metadata["require_pushed_authorization_requests"] = true }
        if configuration.requiresSignedRequestObject { metadata["require_signed_request_object"] = true }
        if configuration.endsSessions { metadata["end_session_endpoint"] = url(of: .endSession) }
        if configuration.announcesIssuer { metadata["authorization_response_iss_parameter_supported"] = true }
        switch misbehavior {
        case .missingTokenEndpoint: metadata["token_endpoint"] = nil
        case .plainHTTPTokenEndpoint: metadata["token_endpoint"] = "http://provider.example/token"
        case .omitsCodeChallengeMethods: metadata["code_challenge_methods_supported"] = nil
        case .oversizedDiscovery: metadata["padding"] = .string(String(repeating: "x", count: 512 * 1024))
        default: break
        }
        return metadata
    }

    private func url(of endpoint: ProviderEndpoint, at origin: String? = nil) -> JSONValue {
        let isForBrowsers = endpoint == .authorization || endpoint == .endSession
        let own = isForBrowsers ? issuer : innerOrigin ?? issuer
        return .string((origin ?? own) + path(of: endpoint))
    }

    private var idTokenAlgorithms: [String] {
        let hasSymmetric = configuration.clients.contains(where: \.usesSymmetricIDTokens)
        return [keys.current.algorithm.rawValue] + (hasSymmetric ? [JSONWebAlgorithm.hs256.rawValue] : [])
    }

    private func addClientAuthentication(to metadata: inout JSONObject) {
        let announced = configuration.announcedClientAuthentication
        guard !announced.isEmpty else { return }
        metadata["token_endpoint_auth_methods_supported"] = .array(announced.map { .string($0) })
        if announced.contains("private_key_jwt") || announced.contains("client_secret_jwt") {
            metadata["token_endpoint_auth_signing_alg_values_supported"] = .array(
                configuration.announcedClientAuthenticationAlgorithms.map { .string($0) })
        }
    }

    private func addMutualTLS(to metadata: inout JSONObject) {
        guard let origin = mutualTLSOrigin else { return }
        metadata["tls_client_certificate_bound_access_tokens"] = true
        metadata["mtls_endpoint_aliases"] = [
            "token_endpoint": url(of: .token, at: origin),
            "userinfo_endpoint": url(of: .userInfo, at: origin),
            "revocation_endpoint": url(of: .revocation, at: origin),
            "pushed_authorization_request_endpoint": url(of: .pushedAuthorization, at: origin),
        ]
    }

    private func addTokenFormats(to metadata: inout JSONObject) {
        let clients = configuration.clients
        if clients.contains(where: \.signsUserInfo) {
            metadata["userinfo_signing_alg_values_supported"] = [.string(keys.current.algorithm.rawValue)]
        }
        let encryptions = clients.compactMap(\.idTokenEncryption)
        if !encryptions.isEmpty {
            metadata["id_token_encryption_alg_values_supported"] = .array(
                encryptions.map { .string($0.keyManagement) })
            metadata["id_token_encryption_enc_values_supported"] = .array(
                encryptions.map { .string($0.contentEncryption) })
        }
    }
}
