// SPDX-License-Identifier: Apache-2.0

/// The way in which the provider returns the response (OAuth 2.0 Multiple Response Types, OAuth 2.0 Form Post Response
/// Mode, JWT Secured Authorization Response Mode for OAuth 2.0 (JARM)).
public struct ResponseMode: Sendable, Hashable, CustomStringConvertible {
    /// The registered name.
    public let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// Parameters in the query of a GET request.
    public static let query = Self("query")
    /// Parameters in the form of a POST request.
    public static let formPost = Self("form_post")
    /// Parameters in the fragment of the URL, which the browser does not send: a page has to submit them.
    public static let fragment = Self("fragment")

    /// A signed JWT with the parameters, in the query of a GET request (JARM section 2.3.1).
    public static let queryJWT = Self("query.jwt")
    /// A signed JWT with the parameters, in the form of a POST request (JARM section 2.3.3).
    public static let formPostJWT = Self("form_post.jwt")
    /// A signed JWT with the parameters, in the fragment of the URL (JARM section 2.3.2).
    public static let fragmentJWT = Self("fragment.jwt")
    /// A signed JWT with the parameters, where the response type has them by default (JARM section 2.3.4): for a code in the
    /// query.
    public static let jwt = Self("jwt")

    private static let all: [Self] = [.query, .formPost, .fragment, .queryJWT, .formPostJWT, .fragmentJWT, .jwt]

    /// Creates a mode from its registered name; `nil` if it is not supported.
    public init?(name: String) {
        guard let mode = Self.all.first(where: { $0.name == name }) else { return nil }
        self = mode
    }

    /// Whether the response is a signed JWT.
    package var isSigned: Bool { carrier != self }

    /// Where the response is: in a query, a form, or a fragment.
    package var carrier: ResponseMode {
        switch self {
        case .queryJWT, .jwt: .query
        case .formPostJWT: .formPost
        case .fragmentJWT: .fragment
        default: self
        }
    }

    public var description: String { name }
}
