// SPDX-License-Identifier: Apache-2.0

/// The kind of a token that is to be revoked (RFC 7009 section 2.1).
public struct TokenTypeHint: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// An access token.
    public static let accessToken = TokenTypeHint("access_token")
    /// A refresh token. Revoking it also revokes the access tokens of the same grant (RFC 7009 section 2.1).
    public static let refreshToken = TokenTypeHint("refresh_token")

    /// The registered name of the kind.
    public var description: String { name }
}
