// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A request object: an authorization request as the claims of a signed JWT (RFC 9101 section 4, OpenID Connect Core 1.0
/// section 6.1).
enum RequestObject {
    /// The `typ` (RFC 9101 section 10.8).
    static let type = "oauth-authz-req+jwt"

    /// The lifetime in seconds. The provider gets it at once; some validate it again after the user signed in.
    static let lifetime: Int64 = 300

    /// Returns the claims: the parameters of the request, and what makes them a request of this client to this provider.
    /// - Parameters:
    ///   - audience: The issuer of the provider.
    ///   - now: The current time, in seconds since 1970.
    static func claims(of request: AuthorizationRequest, audience: String, now: Int64) -> JSONObject {
        var claims = JSONObject()
        for (name, text) in request.pairs {
            let value = value(of: name, text)
            // Only `resource` may occur more than once (RFC 8707 section 2).
            guard let earlier = claims[name] else {
                claims[name] = value
                continue
            }
            claims[name] = .array((earlier.arrayValue ?? [earlier]) + [value])
        }
        // No parameter of the configuration or an app stands in the place of these. With `sub` it could pass for a client
        // assertion (RFC 9101 section 10.8).
        for name in ["sub", "jti"] { claims[name] = nil }
        claims["iss"] = .string(request.clientID)
        claims["aud"] = .string(audience)
        for name in ["iat", "nbf"] { claims[name] = .number(JSONNumber(IssuedAt.claim(now: now))) }
        claims["exp"] = .number(JSONNumber(now + lifetime))
        return claims
    }

    /// The value of a parameter, which has the type of its meaning in JSON.
    private static func value(of name: String, _ text: String) -> JSONValue {
        switch name {
        case "max_age": Int64(text).map { .number(JSONNumber($0)) } ?? .string(text)
        case "claims":
            (try? JSONParser.object(Array(text.utf8), limits: JSONLimits(maximumBytes: text.utf8.count)))
                .map { .object($0) } ?? .string(text)
        default: .string(text)
        }
    }
}

extension AuthorizationRequest {
    /// Returns the authorization URL with a request object. Beside it are only the parameters that must be outside of it
    /// (OpenID Connect Core 1.0 section 6.1).
    /// - Parameter requestObject: What ``ClientCredentials/requestObject(of:issuer:announcedSigningAlgorithms:now:)``
    ///   returned.
    package func url(endpoint: AbsoluteURL, requestObject: String) -> String {
        Self.url(
            endpoint,
            adding: [
                ("response_type", responseType.name), ("client_id", clientID), ("scope", scopes.joined(separator: " ")),
                ("request", requestObject),
            ])
    }
}
