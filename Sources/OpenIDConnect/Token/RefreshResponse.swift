// SPDX-License-Identifier: Apache-2.0

/// A token endpoint's answer to a refresh token (RFC 6749 section 6, OpenID Connect Core 1.0 section 12.2), read
/// strictly. Prints as nothing but its name.
package struct RefreshResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// A new ID token, where the provider sent one; not verified yet.
    package let idToken: String?
    package let accessToken: String
    /// The refresh token that replaces the one that was sent, where the provider rotates them.
    package let refreshToken: String?
    /// Seconds, where the provider said so.
    package let expiresIn: Int64?
    /// The scopes that were granted, where the provider said so; an empty list is an empty list.
    package let scopes: [String]?

    /// Reads a response.
    /// - Throws: ``TokenResponseError``; ``TokenResponseError/refused(_:)`` where it is an OAuth error answer.
    package init(status: Int, json: [UInt8]) throws(TokenResponseError) {
        let response = try TokenResponseMembers(status: status, json: json)
        guard let accessToken = response.accessToken else { throw .missing("access_token") }
        self.accessToken = accessToken
        idToken = response.idToken
        refreshToken = response.refreshToken
        expiresIn = response.expiresIn
        scopes = response.scopes
    }

    package var description: String { "RefreshResponse" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
