// SPDX-License-Identifier: Apache-2.0

import JOSE

extension MetadataDocument {
    /// Parameters of OpenID Connect Core 1.0 section 3.1.2.1 that are not reserved and that a configuration or an app may
    /// still make part of a request.
    private static let optionalNames = [
        "acr_values", "display", "login_hint", "max_age", "prompt", "ui_locales", "claims_locales",
    ]

    /// Reserved names begin with these (``AuthorizationRequest/isReserved(_:)``).
    private static let reservedPrefixes = ["client_assertion", "code_challenge"]

    /// Where the browser is sent. Its query, which is kept (RFC 6749 section 3.1), may have none of the parameters that a
    /// request sends: a parameter must not stand there twice, and which of two counts would be the provider's guess.
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
