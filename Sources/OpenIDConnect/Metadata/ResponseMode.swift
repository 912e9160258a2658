// SPDX-License-Identifier: Apache-2.0

/// How the provider sends its response back (OAuth 2.0 Multiple Response Types, Form Post Response Mode).
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

    /// Parameters in the query of a GET.
    public static let query = Self(.query)
    /// Parameters in the form of a POST.
    public static let formPost = Self(.formPost)
    /// Parameters in the fragment of a GET, which the browser keeps to itself: a page has to bring them.
    public static let fragment = Self(.fragment)

    /// A mode from its registered name; nil for one that is not supported.
    public init?(name: String) {
        guard let mode = Mode(rawValue: name) else { return nil }
        self.init(mode)
    }

    /// The registered name.
    public var name: String { mode.rawValue }

    public var description: String { name }
}
