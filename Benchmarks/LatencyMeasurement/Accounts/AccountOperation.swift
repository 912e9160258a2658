// SPDX-License-Identifier: Apache-2.0

/// An operation on the wire of accounts that is measured by itself, or the mixture of two.
package enum AccountOperation: String, Sendable, Hashable, Codable, CaseIterable {
    /// The account of a session (`accounts:lookup`).
    case lookup
    /// A new ID token for a refresh token (the token endpoint).
    case refresh
    /// A sign-in of a user who has an account, with a native ID token (`accounts:signInWithIdp`).
    case known
    /// The same of a user who has none, which makes one.
    case new
    /// Lookups while users who have accounts sign in at a constant rate.
    case mixed

    /// The part whose latency the measurement is about.
    package var part: SignInPart {
        switch self {
        case .lookup, .mixed: .lookup
        case .refresh: .refresh
        case .known: .known
        case .new: .new
        }
    }

    /// The name of what is counted.
    package var plural: String {
        switch self {
        case .lookup: "lookups"
        case .refresh: "refreshes"
        case .known, .new: "sign-ins"
        case .mixed: "operations"
        }
    }

    /// The text in a table.
    ///
    /// - Parameter rate: The sign-ins per second of ``mixed``; `nil` if they do not matter.
    package func title(rate: Double?) -> String {
        switch self {
        case .lookup: "lookup"
        case .refresh: "refresh"
        case .known: "sign-in of a known user"
        case .new: "sign-in of a new user"
        case .mixed:
            rate.map { "lookup beside \(Figure.rounded($0)) sign-ins a second" } ?? "lookup beside sign-ins"
        }
    }
}
