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
    mutating func authorizationEndpoint() -> AbsoluteURL? {
        let member = "authorization_endpoint"
        guard let endpoint = url(member) else { return nil }
        guard let problem = Self.problem(ofQuery: endpoint.query ?? "") else { return endpoint }
        refuse(member, problem)
        return nil
    }

    private static func problem(ofQuery query: String) -> ProviderMetadataError? {
        guard !query.isEmpty else { return nil }
        let parameters: Parameters
        do {
            parameters = try FormURLEncoding.parse(query.utf8)
        } catch {
            return .unacceptable("authorization_endpoint")
        }
        let names = AuthorizationRequest.reservedNames.sorted() + optionalNames
        if let name = names.first(where: { parameters.contains($0) }) { return .requestParameter(name) }
        let prefix = reservedPrefixes.first { prefix in
            parameters.all.contains { $0.name.utf8.starts(with: prefix.utf8) }
        }
        return prefix.map { .requestParameter($0) }
    }
}
