// SPDX-License-Identifier: Apache-2.0

/// The way in which the provider returns the response (OAuth 2.0 Multiple Response Types, OAuth 2.0 Form Post Response
/// Mode).
public struct ResponseMode: Sendable, Hashable, CustomStringConvertible {
    private enum Mode: String {
        case query
        case formPost = "form_post"
        case fragment
    }

    private let mode: Mode

    private init(_ mode: Mode) {
        self.mode = mode
    }

    /// Parameters in the query of a GET request.
    public static let query = Self(.query)
    /// Parameters in the form of a POST request.
    public static let formPost = Self(.formPost)
    /// Parameters in the fragment of the URL, which the browser does not send: a page has to submit them.
    public static let fragment = Self(.fragment)

    /// Creates a mode from its registered name; `nil` if it is not supported.
    public init?(name: String) {
        guard let mode = Mode(rawValue: name) else { return nil }
        self.init(mode)
    }

    /// The registered name.
    public var name: String { mode.rawValue }

    public var description: String { name }
}
