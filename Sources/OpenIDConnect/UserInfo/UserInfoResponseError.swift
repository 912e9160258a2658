// SPDX-License-Identifier: Apache-2.0

/// The reason why a UserInfo response was refused. It contains no claims.
package struct UserInfoResponseError: Error, Hashable, CustomStringConvertible {
    package let description: String

    /// The media type is absent, or neither `application/json` nor `application/jwt`.
    package static let mediaType = UserInfoResponseError(
        description: "the UserInfo response is neither application/json nor application/jwt")
    /// The body is not of the media type.
    package static func unreadable(_ reason: String) -> Self {
        .init(description: "the UserInfo response cannot be read: \(reason)")
    }
}
