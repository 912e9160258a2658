// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The response of a token endpoint to a refresh request (RFC 6749 section 6, OpenID Connect Core 1.0 section 12.2).
/// Printing it shows only the type.
package struct RefreshResponse: Sendable, Unprinted {
    /// The new ID token, which has not been verified yet; `nil` if it is absent.
    package let idToken: String?
    /// The new access token.
    package let accessToken: String
    /// The refresh token that replaces the one that was sent; `nil` if the provider does not rotate them.
    package let refreshToken: String?
    /// The lifetime of the access token in seconds; `nil` if it is absent or cannot be read.
    package let expiresIn: Int64?
    /// The granted scopes; `nil` if the member is absent or cannot be read, empty if it is empty.
    package let scopes: [String]?

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
        guard let accessToken = response.accessToken else {
            throw response.hasUnusableAccessToken ? .unacceptable("access_token") : .missing("access_token")
        }
        self.accessToken = accessToken
        idToken = response.idToken
        refreshToken = response.refreshToken
        expiresIn = response.expiresIn
        scopes = response.scopes
    }
}
