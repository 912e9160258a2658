// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The response of a token endpoint to a code (RFC 6749 section 5.1, OpenID Connect Core 1.0 section 3.1.3.3).
/// Printing it shows only the type.
package struct TokenResponse: Sendable, Unprinted {
    /// The ID token, which has not been verified yet.
    package let idToken: String
    /// The access token; `nil` if it is absent or cannot be read.
    package let accessToken: String?
    /// The refresh token; `nil` if it is absent or cannot be read.
    package let refreshToken: String?
    /// The lifetime of the access token in seconds; `nil` if it is absent or cannot be read.
    package let expiresIn: Int64?
    /// The granted scopes; `nil` if the member is absent or cannot be read, empty if it is empty.
    package let scopes: [String]?

    /// The maximum size of a response, in bytes.
    package static let maximumBytes = 262_144

    /// Parses a response.
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - json: The body of the response.
    ///   - tokenType: The type that an access token must have. A bearer token in answer to a proof is refused: any
    ///     holder of a copy could use it.
    /// - Throws: ``TokenResponseError``; ``TokenResponseError/refused(_:)`` if it is an OAuth error response.
    package init(
        status: Int, json: [UInt8], tokenType: AccessTokenType = .bearer
    ) throws(TokenResponseError) {
        let response = try TokenResponseMembers(status: status, json: json, tokenType: tokenType)
        guard let idToken = response.idToken else { throw .missing("id_token") }
        self.idToken = idToken
        accessToken = response.accessToken
        refreshToken = response.refreshToken
        expiresIn = response.expiresIn
        scopes = response.scopes
    }
}
