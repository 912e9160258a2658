// SPDX-License-Identifier: Apache-2.0

/// Apple's assessment of whether a user is real: the `real_user_status` claim, which is present only at a first
/// sign-in on Apple's own systems.
///
/// It is a hint and not a reason to refuse a user: new users are ``unknown``. Values that Apple adds are preserved.
public struct AppleRealUserStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// Apple's number for the status.
    public let rawValue: Int

    /// Creates a status from Apple's number, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The platform does not support the assessment, so it should be ignored.
    public static let unsupported = AppleRealUserStatus(rawValue: 0)
    /// Apple cannot tell. Treat the user like any new one.
    public static let unknown = AppleRealUserStatus(rawValue: 1)
    /// The user is very probably real.
    public static let likelyReal = AppleRealUserStatus(rawValue: 2)

    public var description: String {
        switch self {
        case .unsupported: "unsupported"
        case .unknown: "unknown"
        case .likelyReal: "likely real"
        default: "\(rawValue)"
        }
    }
}
