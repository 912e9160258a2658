// SPDX-License-Identifier: Apache-2.0

/// The way in which the provider returns the response (OAuth 2.0 Multiple Response Types, OAuth 2.0 Form Post Response
/// Mode).
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

    /// Creates a mode from its registered name; `nil` if it is not supported.
    public init?(name: String) {
        guard let mode = [Self.query, .formPost, .fragment].first(where: { $0.name == name }) else { return nil }
        self = mode
    }

    public var description: String { name }
}
