// SPDX-License-Identifier: Apache-2.0

/// The error with which a notification was refused permanently: sending it again would not help, so the response to
/// Apple is 400.
///
/// It contains only names of the notification's members. If Apple's keys cannot be fetched, the error is a
/// `RelyingPartyError` instead and the response to Apple is 503, so that Apple sends the notification again.
public struct AppleNotificationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    private init(_ problem: String) {
        description = "the notification \(problem)"
    }

    /// The body of the request is not `{"payload": "…"}`.
    public static let body = AppleNotificationError("is not a JSON object with a string 'payload'")
    /// The token is not signed by Apple, not addressed to this server, or too old.
    package static func refused(_ reason: String) -> Self { .init("is refused: \(reason)") }
    /// The token is signed by Apple but contains no event that can be read.
    package static func unreadable(_ reason: String) -> Self { .init("cannot be read: \(reason)") }
}
