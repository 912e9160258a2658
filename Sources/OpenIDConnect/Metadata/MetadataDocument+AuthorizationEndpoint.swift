// SPDX-License-Identifier: Apache-2.0

import JOSE

extension MetadataDocument {
    /// Parameters of OpenID Connect Core 1.0 section 3.1.2.1 that are not reserved, but that a configuration or an app
    /// may add to a request.
    private static let optionalNames = [
        "acr_values", "display", "login_hint", "max_age", "prompt", "ui_locales", "claims_locales",
    ]

    /// The prefixes of reserved names (``AuthorizationRequest/isReserved(_:)``).
    private static let reservedPrefixes = ["client_assertion", "code_challenge"]

    /// The authorization endpoint. Its query, which is kept (RFC 6749 section 3.1), must not contain a parameter that a
    /// request sends, because parameters must not occur twice and the provider might use either value.
    func authorizationEndpoint() throws(ProviderMetadataError) -> AbsoluteURL {
        let member = "authorization_endpoint"
        let endpoint = try requiredURL(member)
        guard let query = endpoint.query, !query.isEmpty else { return endpoint }
        let parameters: Parameters
        do {
            parameters = try FormURLEncoding.parse(query.utf8)
        } catch {
            throw .unacceptable(member)
        }
        for name in AuthorizationRequest.reservedNames.sorted() + Self.optionalNames where parameters.contains(name) {
            throw .requestParameter(name)
        }
        for prefix in Self.reservedPrefixes
        where parameters.all.contains(where: { $0.name.utf8.starts(with: prefix.utf8) }) {
            throw .requestParameter(prefix)
        }
        return endpoint
    }
}
