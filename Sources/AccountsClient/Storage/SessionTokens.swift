// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tokens of a session.
struct SessionTokens: Sendable, Hashable, Codable {
    /// How long before its expiry an ID token is replaced, in seconds.
    static let reserve: TimeInterval = 300

    let idToken: HiddenText
    let refreshToken: HiddenText
    /// When the ID token was obtained, by the clock of the device.
    let obtainedAt: Date
    /// When it expires, by the clock of the device.
    let expiresAt: Date

    /// Whether the ID token may be used for some time. If the clock was set back since it was obtained, its age is
    /// unknown, and it may not.
    func areFresh(at now: Date) -> Bool {
        obtainedAt <= now && now < expiresAt.addingTimeInterval(-Self.reserve)
    }
}
