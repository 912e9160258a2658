// SPDX-License-Identifier: Apache-2.0

/// Why a notification was refused for good: sent again it would be refused again, so that 400 is the response.
///
/// Holds nothing of the notification but the names of its members. Where Apple's keys cannot be had there is a
/// `RelyingPartyError` in its place, and the response is 503: Apple sends again.
public struct AppleNotificationError: Error, Sendable, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case body
        case refused(String)
        case unreadable(String)
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The request's body is not `{"payload": "…"}`.
    public static let body = AppleNotificationError(.body)
    /// The token is not Apple's, not for this server, or not of today.
    package static func refused(_ reason: String) -> Self { .init(.refused(reason)) }
    /// The token is Apple's, and holds no event that can be read.
    package static func unreadable(_ reason: String) -> Self { .init(.unreadable(reason)) }

    public var description: String {
        switch code {
        case .body: "the notification is not a JSON object with the text 'payload'"
        case .refused(let reason): "the notification is refused: \(reason)"
        case .unreadable(let reason): "the notification cannot be read: \(reason)"
        }
    }
}
