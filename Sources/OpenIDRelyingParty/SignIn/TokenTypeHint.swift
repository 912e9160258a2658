// SPDX-License-Identifier: Apache-2.0

/// The kind of a token that is to be revoked (RFC 7009 section 2.1).
public struct TokenTypeHint: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    private let name: Name

    private init(_ name: Name) {
        self.name = name
    }

    /// An access token.
    public static let accessToken = TokenTypeHint(.accessToken)
    /// A refresh token. Revoking it also revokes the access tokens of the same grant (RFC 7009 section 2.1).
    public static let refreshToken = TokenTypeHint(.refreshToken)

    /// The registered name of the kind.
    public var description: String { name.rawValue }
}
