// SPDX-License-Identifier: Apache-2.0

/// What an authorization request asks for (OAuth 2.0 Multiple Response Type Encoding Practices, OpenID Connect Core 1.0
/// section 3).
///
/// Access tokens are never asked for in the front channel, so no type with `token` is in it.
public struct ResponseType: Sendable, Hashable, CustomStringConvertible {
    private enum Words: String {
        case code
        case codeIDToken = "code id_token"
        case idToken = "id_token"
    }

    private let words: Words

    private init(_ words: Words) {
        self.words = words
    }

    /// An authorization code: the ID token comes from the token endpoint.
    public static let code = Self(.code)
    /// A code, and beside it an ID token that is verified before the code is exchanged.
    public static let codeIDToken = Self(.codeIDToken)
    /// An ID token alone: nothing is exchanged.
    public static let idToken = Self(.idToken)

    /// A type from its name, whose words may stand in any order; nil for one that is not supported.
    public init?(name: String) {
        switch name {
        case "code": self = .code
        case "id_token": self = .idToken
        case "code id_token", "id_token code": self = .codeIDToken
        default: return nil
        }
    }

    /// The name, its words in the registered order.
    public var name: String { words.rawValue }

    public var description: String { name }

    /// Whether the response has a code.
    package var hasCode: Bool { words != .idToken }

    /// Whether the response has an ID token.
    package var hasIDToken: Bool { words != .code }

    /// The mode that holds where a request names none: `query` for a code, else `fragment`.
    package var defaultMode: ResponseMode { hasIDToken ? .fragment : .query }
}
