// SPDX-License-Identifier: Apache-2.0

/// Whether Apple takes somebody for a real person: `real_user_status`, which comes at a first sign-in on Apple's own
/// systems only.
///
/// A hint, never a reason to refuse anybody: new people are ``unknown``. Values that Apple adds are kept as they are.
public struct AppleRealUserStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// Apple's number.
    public let rawValue: Int

    /// A status from Apple's number, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The system does not say; ignore it.
    public static let unsupported = AppleRealUserStatus(rawValue: 0)
    /// Apple cannot tell; treat the person like any new one.
    public static let unknown = AppleRealUserStatus(rawValue: 1)
    /// Very probably a real person.
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
