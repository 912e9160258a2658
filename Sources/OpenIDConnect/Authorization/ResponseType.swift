// SPDX-License-Identifier: Apache-2.0

/// The response type of an authorization request (OAuth 2.0 Multiple Response Type Encoding Practices, OpenID Connect
/// Core 1.0 section 3).
///
/// Access tokens are never requested from the front channel, so there is no type with `token`.
public struct ResponseType: Sendable, Hashable, CustomStringConvertible {
    /// The name with its words in the registered order.
    public let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// An authorization code. The ID token comes from the token endpoint.
    public static let code = Self("code")
    /// A code and an ID token, which is verified before the code is exchanged.
    public static let codeIDToken = Self("code id_token")
    /// An ID token without a code. Nothing is exchanged.
    public static let idToken = Self("id_token")

    /// Creates a response type from its name, whose words may be in any order; `nil` if it is not supported.
    public init?(name: String) {
        switch name {
        case "code": self = .code
        case "id_token": self = .idToken
        case "code id_token", "id_token code": self = .codeIDToken
        default: return nil
        }
    }

    public var description: String { name }

    /// Whether the response contains a code.
    package var hasCode: Bool { self != .idToken }

    /// Whether the response contains an ID token.
    package var hasIDToken: Bool { self != .code }

    /// The response mode of a request that names none: `query` for a code, otherwise `fragment`.
    package var defaultMode: ResponseMode { hasIDToken ? .fragment : .query }
}
