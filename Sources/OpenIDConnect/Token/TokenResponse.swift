// SPDX-License-Identifier: Apache-2.0

/// A token endpoint's answer to a code (RFC 6749 section 5.1, OpenID Connect Core 1.0 section 3.1.3.3), read strictly.
/// Prints as nothing but its name.
package struct TokenResponse: Sendable, CustomStringConvertible, CustomReflectable {
    package let idToken: String
    package let accessToken: String?
    package let refreshToken: String?
    /// Seconds, where the provider said so.
    package let expiresIn: Int64?
    /// The scopes that were granted, where the provider said so; an empty list is an empty list.
    package let scopes: [String]?

    /// The largest answer, bytes.
    package static let maximumBytes = 262_144

    /// Reads a response.
    /// - Throws: ``TokenResponseError``; ``TokenResponseError/refused(_:)`` where it is an OAuth error answer.
    package init(status: Int, json: [UInt8]) throws(TokenResponseError) {
        let response = try TokenResponseMembers(status: status, json: json)
        guard let idToken = response.idToken else { throw .missing("id_token") }
        self.idToken = idToken
        accessToken = response.accessToken
        refreshToken = response.refreshToken
        expiresIn = response.expiresIn
        scopes = response.scopes
    }

    package var description: String { "TokenResponse" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
